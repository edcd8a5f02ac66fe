#!/usr/bin/env bats
# contrib/recipes.md: its recipes print what it says.

load helper

RECIPES=$TESTS/../contrib/recipes.md

@test "what the recipes print is what stands there" {
  needs_terminal
  for tool in jq sqlite3; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
  done
  # what differs is shown; should it be right, tests/examples writes the file anew
  "$TESTS/examples" "$RECIPES" >got
  same "$RECIPES" got
}

@test "every recipe shows what it prints, and is in the list" {
  awk '
    /^## / { title = $0; sub(/^## /, "", title); print title >"titles" }
    title && /^```sh$/ { if (before == "sh") print "no output: " last; before = "sh"; last = title }
    /^```text$/ { before = ""; shown[last] = 1 }
    END { for (title in shown) print title >"shown" }' "$RECIPES" >wrong
  same /dev/null wrong
  sort titles >want
  sort shown >got
  same want got
  sed -n 's/^- \[\(.*\)\](.*/\1/p' "$RECIPES" >got
  same titles got
  # as GitHub makes them
  sed -n 's/^- \[.*\](#\(.*\))$/\1/p' "$RECIPES" >got
  tr '[:upper:] ' '[:lower:]-' <titles | tr -d '?,' >want
  same want got
}
