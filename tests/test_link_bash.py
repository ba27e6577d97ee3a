"""Linking shell scripts: functions of the file, sourced files, tests of bats."""

from __future__ import annotations

from linking import lines, linked, tree

_TREE = """
# lib/log.sh
LEVEL=1
say() { printf '%s' "$LEVEL"; mark; }
mark() { :; }
both() { :; }
# lib/more.bash
. "$(dirname "${BASH_SOURCE[0]}")/log.sh"
both() { :; }
more() { say; outer; }
# bin/run.sh
#!/bin/bash
source "$ROOT/lib/more.bash"
. /usr/lib/other.sh
outer() {
  local LEVEL=2
  inner() { more; }
  inner; echo "$LEVEL"
}
ls() { command ls "$@"; }
inner; outer; say; both; unknown
ls; sudo say
trap mark EXIT
flour="$(say 1)"
echo "$LEVEL"
# test/run.bats
load helper
setup() { prepare; }
@test "it runs" {
  local_one() { prepare; }
  run local_one
  prepare
}
@test "another" {
  local_one
}
# test/helper.bash
prepare() { :; }
"""


def test_functions_of_the_file_and_of_sourced_files_are_found() -> None:
    assert lines(tree(_TREE)) == [
        "bin/run.sh:10 <module> -> outer",
        "bin/run.sh:10 <module> -> outer.inner",
        "bin/run.sh:10 <module> -> say in lib/log.sh",
        "bin/run.sh:11 <module> -> ls",
        "bin/run.sh:13 <module> -> say in lib/log.sh",
        "bin/run.sh:6 outer.inner -> more in lib/more.bash",
        "bin/run.sh:7 outer -> outer.inner",
        "lib/log.sh:2 say -> mark",
        "lib/more.bash:3 more -> say in lib/log.sh",
        "test/run.bats:2 setup -> prepare in test/helper.bash",
        "test/run.bats:4 it runs.local_one -> prepare in test/helper.bash",
        "test/run.bats:5 it runs -> it runs.local_one",
        "test/run.bats:6 it runs -> prepare in test/helper.bash",
    ]


def test_what_two_sourced_files_define_is_ambiguous() -> None:
    unsure = [(edge.line, edge.resolved_by) for edge in linked(tree(_TREE)) if edge.confidence < 0.5]
    assert unsure == [(10, "ambiguous")]


def test_variables_and_functions_are_two_spaces() -> None:
    found = lines(tree(_TREE), kinds=("references",))
    assert [one for one in found if "LEVEL" in one] == [
        "bin/run.sh:14 <module> -> LEVEL in lib/log.sh",
        "lib/log.sh:2 say -> LEVEL",
    ]
    assert "bin/run.sh:12 <module> -> mark in lib/log.sh" in found


def test_a_sourced_file_is_imported() -> None:
    assert lines(tree(_TREE), kinds=("imports",)) == [
        "bin/run.sh:2 <module> -> <module> in lib/more.bash",
        "lib/more.bash:1 <module> -> <module> in lib/log.sh",
        "test/run.bats:1 <module> -> <module> in test/helper.bash",
    ]
