#!/usr/bin/env bats
# The manual pages: that they are sound, that they say what the tools say of
# themselves, and that their examples are what one gets.

load helper

MAN=$TESTS/../man

setup() {
  PATH=$TESTS/../contrib:$PATH
  cd "$BATS_TEST_TMPDIR" || return 1
}

needs() {
  command -v "$1" >/dev/null || skip "$1 is not installed"
}

# A page as text, without overstriking, each paragraph on one line.
plain() {
  mandoc -T ascii -O width=990 "$MAN/$1" | sed 's/.\x08//g'
}

# section PAGE TITLE: its lines
section() {
  plain "$1" | awk -v title="$2" '/^[A-Z]/ { on = $0 == title; next } on'
}

tools() {
  (cd "$MAN" && ls -- *.1) | sed 's/\.1$//'
}

@test "mandoc finds nothing to say" {
  needs mandoc
  mandoc -T lint -W warning "$MAN"/*.[157] >out 2>&1 || true
  same /dev/null out
}

@test "every tool and every format has a page" {
  (cd "$TESTS/../tools" && ls tpa-*.c) | sed 's/\.c$//' >want
  echo tpa-triage >>want
  tools >got
  same want got
  [ -f "$MAN/tpa.7" ] && [ -f "$MAN/tpa-records.5" ] && [ -f "$MAN/tpa-rules.5" ]
}

@test "SYNOPSIS is what -h says" {
  needs mandoc
  for tool in $(tools); do
    "$tool" -h | sed -n '/^usage: /,/^[^ u]/p' | grep -E '^(usage:| )' | tr -s ' \n' ' ' |
      sed 's/^usage: //; s/ $//' >want
    section "$tool.1" SYNOPSIS | tr -s ' \n' ' ' | sed 's/^ //; s/ $//' >got
    same want got
  done
}

@test "the options of a page are those of -h, in their order" {
  needs mandoc
  for tool in $(tools); do
    "$tool" -h | sed -nE 's/^ +(-.), (--[a-z-]+)( ([A-Z]+(,\.\.\.)?))?( .*)?$/\1, \2 \4/p
      s/^ +(--[a-z-]+)( ([A-Z]+(,\.\.\.)?))?( .*)?$/\1 \3/p' | sed 's/ $//' >want
    section "$tool.1" DESCRIPTION | sed -nE 's/^ +(-., )?(--[a-z-]+( [A-Z]+(,\.\.\.)?)?)(  .*)?$/\1\2/p' >got
    same want got
  done
}

@test "every page of a tool says what its exit status and its memory are, and has examples" {
  needs mandoc
  for tool in $(tools); do
    for title in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' MEMORY EXAMPLES 'SEE ALSO'; do
      section "$tool.1" "$title" | grep -q . || { echo "$tool: no $title"; false; }
    done
    section "$tool.1" 'EXIT STATUS' | sed -nE 's/^ +([0-3])( .*)?$/\1/p' | tr '\n' ' ' >got
    [ "$(<got)" = '0 1 2 3 ' ]
  done
}

@test "the columns are those of the records" {
  awk '/^\.Ss / { type = $2 }
    /^\.It [0-9]+ Ta Va / {
      if (!(type in line)) { order[++types] = type; line[type] = type; column[type] = 1 }
      if ($2 != ++column[type]) print "column " $2 " of " type " stands at " column[type]
      line[type] = line[type] "\t" $5
    }
    END { for (i = 1; i <= types; i++) print line[order[i]] }' "$MAN/tpa-records.5" >got
  grep -v '^#' "$TESTS/data/columns.tsv" >want
  same want got
}

@test "the kinds of columns are those of the records" {
  sed -nE 's/^.*C\(([A-Z_]+), [A-Z_]+, "([a-z_]+)", ([A-Z]+)\).*/\1 \2 \3/p' \
    "$TESTS/../lib/columns.h" | tr '[:upper:]' '[:lower:]' | sed 's/ int$/ whole/' >want
  awk '/^\.Ss / { type = $2 } /^\.It [0-9]+ Ta Va / { print type, $5, $7 }' \
    "$MAN/tpa-records.5" >got
  same want got
}

@test "the keys of meta records are in the page, and extract writes no other" {
  needs mandoc
  section tpa-records.5 'META KEYS' >page
  for trace in "$TRACES"/*.json.gz; do
    tpa-extract -q "$trace" | grep '^meta' | cut -f 3
  done | sort -u >keys
  [ "$(wc -l <keys)" -ge 12 ]
  while read -r key; do
    grep -qE "^ .*\b$key\b" page || { echo "no $key"; false; }
  done <keys
}

@test "pages refer to pages that are there" {
  sed -nE 's/^\.Xr (tpa[a-z-]*) ([0-9]).*/\1.\2/p' "$MAN"/*.[157] | sort -u >named
  [ -s named ]
  while read -r page; do
    [ -f "$MAN/$page" ] || { echo "no $page"; false; }
  done <named
}

# What differs is shown; should it be right, tests/examples PAGE writes the page anew.
examples() {
  needs_terminal
  "$TESTS/examples" "$MAN/$1" >got
  same "$MAN/$1" got
}

@test "examples: tpa(7)" { examples tpa.7; }
@test "examples: tpa-records(5)" { examples tpa-records.5; }
@test "examples: tpa-rules(5)" { examples tpa-rules.5; }
@test "examples: tpa-extract(1)" { examples tpa-extract.1; }
@test "examples: tpa-classify(1)" { examples tpa-classify.1; }
@test "examples: tpa-overlap(1)" { examples tpa-overlap.1; }
@test "examples: tpa-srcmap(1)" { examples tpa-srcmap.1; }
@test "examples: tpa-rank(1)" { examples tpa-rank.1; }
@test "examples: tpa-fmt(1)" {
  needs jq
  examples tpa-fmt.1
}
@test "examples: tpa-triage(1)" { examples tpa-triage.1; }

@test "every page's examples are tested" {
  (cd "$MAN" && ls -- *.[157]) | sort >want
  sed -nE 's/^.*[ {]examples (tpa[^ ;]*).*/\1/p' "$BATS_TEST_FILENAME" | sort >got
  same want got
  for page in $(<want); do
    [ "$(grep -c '^\$ ' "$MAN/$page")" -ge 2 ]
  done
}
