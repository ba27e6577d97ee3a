#!/usr/bin/env bash
# The yard of a mill.
set -euo pipefail
shopt -s extglob

source ./lib/wheel.sh
. "${MILL_HOME:-$HOME}/signs.bash" || exit 1
[[ -f "$HOME/.millrc" ]] && source "$HOME/.millrc"

readonly LIMIT=5 least=1
declare -rx NAME="mill"
declare -A stock=([wheat]=1 [rye]=2)
export PATH="$PATH:/opt/mill" EDITOR
typeset -i count=0
VERSION=1.2
DEBUG=${DEBUG:-} STRICT=1
lower=4
list=(a b)
list+=(c)
if [ -z "$VERSION" ]; then FALLBACK=$(guess); fi

alias ll='ls -l' gg="git grep"

# Grinds a sack,
# slowly.
grind() {
  local sack=$1 rest
  local -r flour="$(sift "$sack" fine)"
  declare -g TOTAL=0
  COUNT=1
  if [[ $sack == @(wheat|rye)* && -n $flour || $rest =~ ^x ]]; then
    weigh "$sack" | turn --fast
  elif test "$LIMIT" -gt 1; then
    :
  else
    echo "grind() { not_one; }"
  fi
  case "$sack" in
    -!(-*)w | heavy) lift ;;
    wheat) pour "${stock[wheat]}" ;;
    *) usage >&2 ;;
  esac
  for one in "${list[@]}"; do weigh "$one"; done
  for ((i = 0; i < 3; i++)); do turn; done
  while read -r line name; do log "$line"; done < "$sack"
  until ready; do sleep 1; done
  inner() { pour "$1"; }
  weigh "$rest" && lift || drop
  mapfile -t lines < <(sift "$sack")
  $tool --odd
  DEBUG=1 STRICT=0 run_it "$sack"
  trap cleanup EXIT
  command weigh now
  sudo -n lift
  cat <<EOF
  text $(pour cup) and ${NAME}
function not_one() {
EOF
}

function turn {
  return 1
}

function pour() (
  cd /tmp && lift
)

mill::start() {
  grind "$@"
}

run-it () { mill::start; }

if ready; then
  late() { grind x; }
fi

main() { grind "$LIMIT"; }; main "$@"
