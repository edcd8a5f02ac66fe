#!/usr/bin/env bats
# contrib/tpa-triage: the whole chain in one word.

load helper

setup() {
  PATH=$TESTS/../contrib:$PATH
  cd "$BATS_TEST_TMPDIR" || return 1
}

chained() {
  tpa-extract -q "$1" | tpa-classify | tpa-overlap | tpa-srcmap | tpa-rank | tpa-fmt
}

@test "a trace: what the chain prints, and nothing else" {
  chained "$TRACES/h100-bert-small.json.gz" >want
  tpa-triage "$TRACES/h100-bert-small.json.gz" >got
  [ -s want ]
  same want got
}

@test "a trace and a mapping trace" {
  tpa-extract -q "$TRACES/mi300-resnet-checkpoint.json.gz" | tpa-srcmap -s >map.tpa
  tpa-extract -q "$TRACES/mi210-gpu-only.json.gz" | tpa-classify | tpa-overlap |
    tpa-rank -m map.tpa | tpa-fmt >want
  tpa-triage "$TRACES/mi210-gpu-only.json.gz" "$TRACES/mi300-resnet-checkpoint.json.gz" \
    >got 2>notes
  grep -q batch_norm want
  same want got
}

@test "a folder: each trace below it by name, the stage by its name" {
  mkdir -p 'run/prefill of 1/prefill'
  cp "$TRACES/mi250-minitoy.json.gz" 'run/prefill of 1/prefill/a b.json.gz'
  gzip -dc "$TRACES/h100-bert-small.json.gz" >run/x-DECODE.json
  echo 'no trace' >run/notes.txt
  {
    echo '== run/prefill of 1/prefill/a b.json.gz'
    chained 'run/prefill of 1/prefill/a b.json.gz'
    echo
    echo '== run/x-DECODE.json'
    chained run/x-DECODE.json
    echo
  } >want 2>/dev/null
  tpa-triage run >got 2>notes
  grep -q 'stage extend' want
  grep -q 'stage decode' want
  same want got
}

@test "a folder of mapping traces" {
  mkdir maps
  cp "$TRACES/mi300-resnet-checkpoint.json.gz" "$TRACES/alexnet.json.gz" maps
  tpa-triage "$TRACES/mi210-gpu-only.json.gz" maps >got 2>notes
  grep -q 'torch/nn/functional.py' got
}

@test "a trace that cannot be read does not keep the others from being shown" {
  mkdir run
  echo 'no trace' >run/a.json
  cp "$TRACES/h100-bert-small.json.gz" run/b.json.gz
  run -1 --separate-stderr tpa-triage run
  grep -q 'tpa-extract: run/a.json: no trace' <<<"$stderr"
  grep -q '^what to try first' <<<"$output"
}

@test "a damaged trace is shown, and exit 3" {
  gzip -dc "$TRACES/alexnet.json.gz" | head -c 150000 >cut.json
  run -3 --separate-stderr tpa-triage cut.json
  grep -q 'ends early' <<<"$stderr"
}

@test "wrong words" {
  run -2 --separate-stderr tpa-triage
  grep -q '^usage: ' <<<"$stderr"
  run -2 --separate-stderr tpa-triage a b c
  run -2 --separate-stderr tpa-triage -x
  run -0 --separate-stderr tpa-triage -h
  grep -q '^usage: tpa-triage ' <<<"$output"
  run -1 --separate-stderr tpa-triage missing.json
  [ "$stderr" = 'tpa-extract: missing.json: cannot open: No such file or directory' ]
  mkdir empty
  run -1 --separate-stderr tpa-triage empty
  [ "$stderr" = 'tpa-triage: empty: no trace (*.json, *.json.gz) below it' ]
}

@test "nothing is left behind, whatever happens" {
  export TMPDIR=$PWD/tmp
  mkdir tmp
  tpa-triage "$TRACES/alexnet.json.gz" >/dev/null 2>&1
  tpa-triage missing.json >/dev/null 2>&1 || true
  tpa-triage "$TRACES" 2>/dev/null | head -n 1 >/dev/null || true
  run -0 ls tmp
  [ -z "$output" ]
}
