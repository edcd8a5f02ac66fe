#!/usr/bin/env bats
# The fuzzers, for a few seconds each (FUZZ_SECONDS), where clang has built them; and what
# they once found, which every build is given: tests/fuzz/found/FUZZER/INPUT.

load helper

FUZZ_DIR=${TPA_BIN%/bin}/fuzz
export FUZZ_DIR

setup() {
  FOUND=$TESTS/fuzz/found
  cd "$BATS_TEST_TMPDIR" || return 1
}

# fuzz NAME: finds nothing, beginning with what was found once
fuzz() {
  [[ -x $FUZZ_DIR/$1 ]] || skip "clang with libFuzzer has not built it"
  sh "$TESTS/fuzz/run" "${FUZZ_SECONDS:-8}" "$1"
}

# survives COMMAND... <INPUT: it ends by itself, with one of the statuses for any input
survives() {
  local status=0

  timeout 60 "$@" >out 2>err || status=$?
  if [[ $status != [013] ]]; then
    echo "exit status $status: $*"
    head -c 2000 err
    return 1
  fi
}

@test "the scanner, and json-c beside it" {
  fuzz scan
}

@test "tpa-extract" {
  fuzz trace
}

@test "tpa-extract and gzip" {
  fuzz gzip
}

@test "every stage that reads records" {
  fuzz records
}

@test "rules files" {
  fuzz rules
}

@test "kernel maps and source maps" {
  fuzz kernel_map
}

@test "the whole pipeline" {
  fuzz pipeline
}

@test "AFL++ goes on where it was, and what it finds is told" {
  mkdir bin fuzz
  # in its place: says what it was given, and finds as many as CRASHES says
  cat >bin/afl-fuzz <<'END'
#!/bin/sh
echo "$AFL_AUTORESUME $*" >given
while [ "$1" != -o ]; do shift; done
mkdir -p "$2/default/crashes"
[ "$CRASHES" = 0 ] || : >"$2/default/crashes/id:000000"
printf '%s : %s\n' execs_done 120 execs_per_sec 12.00 saved_crashes "$CRASHES" saved_hangs 0 \
  >"$2/default/fuzzer_stats"
END
  chmod +x bin/afl-fuzz
  export FUZZ_DIR=$PWD/fuzz FUZZ_ENGINE=afl PATH=$PWD/bin:$PATH
  CRASHES=0 run -0 sh "$TESTS/fuzz/run" 5 kernel_map
  [ "$output" = "kernel_map: nothing found in 120 runs, 12.00 a second" ]
  [[ "$(<given)" == "1 -V 5 "*" -- $FUZZ_DIR/kernel_map" ]]
  cmp "$FOUND"/kernel_map/not-utf-8 fuzz/seeds/kernel_map/not-utf-8
  CRASHES=1 run -1 sh "$TESTS/fuzz/run" 5 kernel_map
  [ "${lines[0]}" = "kernel_map: found something: $FUZZ_DIR/kernel_map.log" ]
  [ "${lines[1]}" = "$FUZZ_DIR/findings/kernel_map/default/crashes/id:000000" ]
}

@test "traces that were found" {
  for input in "$FOUND"/{scan,trace,gzip,pipeline}/*; do
    [[ -e $input ]] || continue
    for jobs in 1 2; do
      survives tpa-extract --all -j $jobs "$input"
      # what gzip's and pipeline's own heads are followed by
      tail -c +7 "$input" >plain
      survives tpa-extract --all -j $jobs plain
      gzip -c plain >packed
      survives tpa-extract --all -j $jobs packed
    done
  done
}

@test "records that were found" {
  for input in "$FOUND"/records/*; do
    [[ -e $input ]] || continue
    tail -c +2 "$input" >records
    survives tpa-classify -k records
    survives tpa-classify -k --unmatched records
    survives tpa-overlap -k records
    survives tpa-overlap -k --sorted records
    survives tpa-srcmap -k -n 0 records
    survives tpa-rank -k -a -t records
    survives tpa-rank -k -t --merge records
    survives tpa-rank -k --spread records
    for format in table md csv text svg html folded jsonl chrome; do
      survives tpa-fmt -k -f $format records
    done
  done
}

@test "rules and maps that were found" {
  record kernel idx=0 ts=1.000 dur=1.000 hidden=0.000 exclusive=1.000 hidden_compute=0.000 \
    name=gemm >kernel
  # one without a name
  record kernel idx=1 ts=2.000 dur=1.000 hidden=0.000 exclusive=1.000 hidden_compute=0.000 \
    name= >>kernel
  for input in "$FOUND"/rules/*; do
    [[ -e $input ]] || continue
    survives tpa-classify -r "$input" kernel
  done
  for input in "$FOUND"/kernel_map/*; do
    [[ -e $input ]] || continue
    survives tpa-srcmap -m "$input" kernel
    survives tpa-rank -k -m "$input" kernel
  done
}
