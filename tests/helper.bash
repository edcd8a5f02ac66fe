# What every test file loads first:
#
#   load helper
#
# Each test then runs in a folder of its own, with the tools of the build on the
# PATH, the C locale, and the rules of this tree.
#
#   record TYPE [COLUMN=VALUE...]   a record, by column names
#   fields TYPE COLUMN...           those columns of the records of a type
#   position TYPE COLUMN            the number of a column, for cut, sort and awk
#   same WANT GOT                   files that must be equal; shows the difference
#   chain TRACE                     a trace's records after all stages
#   check_case TOOL CASE            a case in tests/data/TOOL/CASE
#   needs_terminal                  skips the test where none can be made
#   needs_own_memory                skips it where a checker's memory would count
#
# TPA_BIN names another folder of tools than build/bin.

bats_require_minimum_version 1.5.0

TESTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TRACES=$TESTS/traces
GOLDEN=$TESTS/golden
TPA_BIN=${TPA_BIN:-$(dirname "$TESTS")/build/bin}
TEST_PROGRAMS=${TPA_BIN%/bin}/tests
PATH=$TPA_BIN:$PATH
TPA_SHARE=$(dirname "$TESTS")/share/tpa
LC_ALL=C
export TESTS TRACES GOLDEN TPA_BIN TEST_PROGRAMS PATH TPA_SHARE LC_ALL
unset COLUMNS

# A test file with a setup of its own calls this one first.
setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
}

# record kernel idx=3 ts=1.000 dur=2.000 name=gemm
# Columns not named are rank 0, pid 1, tid 1, stage all, stream 7, kind kernel,
# side cpu; all others are "-".  Text is written as given, not escaped.
record() {
  awk -v TYPE="$1" -f "$TESTS/record.awk" -- "$TESTS/data/columns.tsv" "${@:2}"
}

# records <<< "TYPE COLUMN=VALUE..." for many: a line is a record, values without blanks.
records() {
  awk -v STDIN=1 -f "$TESTS/record.awk" "$TESTS/data/columns.tsv" -
}

# position kernel hidden -> 14
position() {
  awk -F '\t' -v column="$2" -v type="$1" '
    $1 == type { for (i = 2; i <= NF; i++) if ($i == column) { print i; found = 1 } }
    END { exit !found }' "$TESTS/data/columns.tsv"
}

# fields kernel name hidden <records -> NAME<TAB>HIDDEN, in the order of the columns named
fields() {
  awk -F '\t' -v OFS='\t' -v type="$1" -v columns="${*:2}" '
    NR == FNR {
      if ($1 == type) {
        count = split(columns, wanted, " ")
        for (i = 2; i <= NF; i++) number[$i] = i
        for (i = 1; i <= count; i++)
          if (!(wanted[i] in number)) { print "fields: no column " wanted[i] >"/dev/stderr"; exit 1 }
      }
      next
    }
    $1 == type {
      line = $number[wanted[1]]
      for (i = 2; i <= count; i++) line = line OFS $number[wanted[i]]
      print line
    }' "$TESTS/data/columns.tsv" -
}

same() {
  local difference

  difference=$(diff -u "$1" "$2") && return
  cut -c 1-300 <<<"$difference" | head -n 40
  return 1
}

# All stages over one trace, everything passed on; -r RULES is the first argument
# if it is not a trace.
chain() {
  local rules=reference

  if [[ $1 == -r ]]; then
    rules=$2
    shift 2
  fi
  (
    set -o pipefail
    tpa-extract "$@" | tpa-classify -r "$rules" | tpa-overlap | tpa-srcmap | tpa-rank -a -t
  )
}

has_terminal() {
  script -qec true /dev/null </dev/null >/dev/null 2>&1
}

# To stand at the head of a test that runs script, before it starts anything.
needs_terminal() {
  has_terminal || skip "script makes no terminal here: is /dev/pts mounted?"
}

needs_own_memory() {
  [[ -z ${TPA_CHECKER-} ]] || skip "$TPA_CHECKER has an allocator of its own"
}

# The folder tests/data/TOOL/CASE holds in.tsv, out.tsv and, if not as usual,
# args (one a line), err.txt (else nothing on stderr) and status (else 0).
check_case() {
  local case=$TESTS/data/$1/$2 want=0 args=() status=0

  [[ -e $case/args ]] && mapfile -t args <"$case/args"
  [[ -e $case/status ]] && want=$(<"$case/status")
  "tpa-$1" "${args[@]}" <"$case/in.tsv" >"$BATS_TEST_TMPDIR/out.tsv" \
    2>"$BATS_TEST_TMPDIR/err.txt" || status=$?
  same "$case/out.tsv" "$BATS_TEST_TMPDIR/out.tsv" || return 1
  if [[ -e $case/err.txt ]]; then
    same "$case/err.txt" "$BATS_TEST_TMPDIR/err.txt" || return 1
  else
    same /dev/null "$BATS_TEST_TMPDIR/err.txt" || return 1
  fi
  if [[ $status != "$want" ]]; then
    echo "exit status $status instead of $want"
    return 1
  fi
}
