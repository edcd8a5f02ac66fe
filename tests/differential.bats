#!/usr/bin/env bats
# Random small traces: the tools against a second way to work the records out.
#
# TPA_REFERENCE names it, a Python program as differential/compare.py describes;
# without it the comparison is skipped.  SEED and COUNT choose the traces.

load helper

setup() {
  command -v python3 >/dev/null || skip "no python3"
  cd "$BATS_TEST_TMPDIR" || return 1
  export PYTHONDONTWRITEBYTECODE=1
}

# make_trace SEED [KIND [SHUFFLE]]: the trace of that seed; KIND is make_trace or make_distinct_trace of
# generate.py; with SHUFFLE, another number, its events stand in another order
make_trace() {
  PYTHONPATH=$TESTS/differential python3 -c '
import random, sys
import generate
trace = getattr(generate, sys.argv[2])(random.Random(int(sys.argv[1])))
if len(sys.argv) > 3:
    random.Random(int(sys.argv[3])).shuffle(trace["traceEvents"])
sys.stdout.buffer.write(generate.to_json(trace).encode("utf-8"))
' "$1" "${2-make_trace}" ${3+"$3"}
}

# figures <TRACE: the records of all stages, without idx, sorted
figures() {
  tpa-extract -q | tpa-classify | tpa-overlap | tpa-srcmap | tpa-rank -a -t |
    awk -F '\t' -v OFS='\t' '/^(kernel|cover)\t/ { $5 = "-" } { print }' | sort
}

@test "a random trace depends on its seed alone" {
  make_trace 7 >want
  PYTHONHASHSEED=1 make_trace 7 >got
  same want got
  make_trace 8 >other
  ! cmp -s want other
}

@test "random traces go through all stages, and whichever comes first" {
  for seed in 1 2 3 4 5; do
    make_trace "$seed" >t.json
    tpa-extract -q t.json >extracted
    tpa-classify extracted | tpa-overlap | tpa-srcmap | tpa-rank -t >want
    tpa-srcmap extracted | tpa-classify | tpa-overlap | tpa-rank -t >got
    same want got
  done
}

@test "where nothing ties, the order of the events in the file changes no figure but idx" {
  for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    make_trace "$seed" make_distinct_trace | figures >want
    for shuffle in 1 2; do
      make_trace "$seed" make_distinct_trace "$shuffle" | figures >got
      same want got
    done
    cat want >>all
  done
  for type in kernel cover source site action cpu_op launch python span; do
    [ "$(grep -c "^$type" all)" -ge 5 ]
  done
}

@test "random traces give the records of the reference" {
  [[ -n ${TPA_REFERENCE-} ]] || skip "TPA_REFERENCE is not set"
  python3 "$TESTS/differential/compare.py" -n "${COUNT:-300}" -s "${SEED:-1}" "$TPA_BIN" "$TPA_REFERENCE"
}
