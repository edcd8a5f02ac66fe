#!/usr/bin/env bats
# Small traces of the kinds that broke other tools, through all stages.
#
# data/cases/NAME.json[.gz] is the trace, NAME.want what must come of it: what
# tpa-extract says and exits with, then a few columns of the records at the end.

load helper

set -o pipefail

# come_of NAME [OPTION...]: all that NAME.want has
come_of() {
  local name=$1 trace status=0

  shift
  trace=$(cd "$TESTS/data/cases" && echo "$name".json*)
  (cd "$TESTS/data/cases" && tpa-extract "$@" "$trace") >records 2>err || status=$?
  cat err
  echo "exit $status"
  tpa-classify records | tpa-overlap | tpa-srcmap | tpa-rank -a >all
  iconv -f UTF-8 -t UTF-8 all >/dev/null
  {
    fields kernel rank stream ts dur hidden exclusive category name <all
    fields window rank stage start end busy overlap idle streams kernels <all | sed 's/^/window	/'
    fields source rank mapped total launch_op scope name <all | sed 's/^/source	/'
    fields site rank kind value name <all | awk -F '\t' -v OFS='\t' '$2 == "op" { print $2, $1, $3, $4 }'
  }
  # no figure of any record is none
  ! grep -aiE '(^|	)-?(nan|inf)(	|$)' all
}

# right NAME [OPTION...]
right() {
  come_of "$@" >got
  same "$TESTS/data/cases/${WANT:-$1}.want" got
}

@test "array-no-closing-bracket" { right array-no-closing-bracket; }
@test "backward-thread-without-frames" { right backward-thread-without-frames; }
@test "bad-utf8-and-control" { right bad-utf8-and-control; }
@test "communication-kernel-names" { right communication-kernel-names; }
@test "cuda-graph-replays" { right cuda-graph-replays; }
@test "duration-overruns-successors" { right duration-overruns-successors; }
@test "duration-overruns-successors, clipped" {
  WANT=duration-overruns-clipped right duration-overruns-successors --clip
}
@test "epoch-nanosecond-precision" { right epoch-nanosecond-precision; }
@test "gzip-multi-member" { right gzip-multi-member; }
@test "inf-nan-tokens" { right inf-nan-tokens; }
@test "legacy-category-names" { right legacy-category-names; }
@test "memory-operations" { right memory-operations; }
@test "merged-ranks-id-collision" { right merged-ranks-id-collision --all; }
@test "no-gpu-work-and-empty-events" { right no-gpu-work-and-empty-events; }
@test "python-frame-never-closed" { right python-frame-never-closed; }
@test "rocm-stream0-and-correlation0" { right rocm-stream0-and-correlation0; }
@test "same-stream-overlap-pdl" { right same-stream-overlap-pdl; }
@test "step-by-launch-not-by-run-time" { right step-by-launch-not-by-run-time; }
@test "three-streams-shares" { right three-streams-shares; }
@test "truncated-mid-event" { right truncated-mid-event; }
@test "unescaped-quote-in-name" { right unescaped-quote-in-name; }
@test "windows-backslashes" { right windows-backslashes; }
@test "xpu-queue-instead-of-stream" { right xpu-queue-instead-of-stream; }
@test "zero-negative-unset-times" { right zero-negative-unset-times; }

@test "every trace has a test here" {
  (cd "$TESTS/data/cases" && ls -- *.json*) | sed 's/\.json.*//' >want
  sed -n 's/^@test "\([^,"]*\)" { right .*/\1/p' "$BATS_TEST_FILENAME" | sort >got
  same want got
}
