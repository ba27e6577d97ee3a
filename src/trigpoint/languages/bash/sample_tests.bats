#!/usr/bin/env bats

load test_helper
load '../lib/wheel'

setup() {
  MILL_DIR=$(mktemp -d)
}

@test "a sack is ground" {
  run grind wheat
  [ "$status" -eq 0 ]
  assert_output "$MILL_DIR/flour"
}

# bats test_tags=slow
@test 'single $quoted { one' {
  if ready; then
    refute grind rye
    run ! grind oats
  fi
}

@test bare_word { # comment
  grind
}

helper() { @test_not_one "x"; }
