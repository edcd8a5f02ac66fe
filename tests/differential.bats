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

# make SEED: the trace of that seed
make_trace() {
  PYTHONPATH=$TESTS/differential python3 -c '
import random, sys
import generate
sys.stdout.buffer.write(generate.to_json(generate.make_trace(random.Random(int(sys.argv[1])))).encode("utf-8"))
' "$1"
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

@test "random traces give the records of the reference" {
  [[ -n ${TPA_REFERENCE-} ]] || skip "TPA_REFERENCE is not set"
  python3 "$TESTS/differential/compare.py" -n "${COUNT:-300}" -s "${SEED:-1}" "$TPA_BIN" "$TPA_REFERENCE"
}
