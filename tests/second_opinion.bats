#!/usr/bin/env bats
# The scanner and json-c read the same events, times and names from real traces.

load helper

set -o pipefail

# opinions TRACE: what json-c makes of it in "want", tpa-extract's records in "got"
opinions() {
  gzip -dc "$1" | "$TEST_PROGRAMS/second_opinion" >want
  tpa-extract -q --all "$1" >records
  awk -F '\t' -v OFS='\t' '$1 == "kernel" && $12 ~ /kernel|^gpu_/ { print $1, $8, $9, $11, $17 }
    $1 == "cpu_op" { print $1, $5, $6, $8 }
    $1 == "launch" { print $1, $5, $6, $7, $9 }' records >got
  for type in kernel cpu_op launch; do
    grep "^$type" want >"want.$type" || true
    grep "^$type" got >"got.$type" || true
    same "want.$type" "got.$type"
  done
}

@test "the same GPU work, CPU ops and launches, in the same order" {
  events=0
  for trace in "$TRACES"/*.json.gz; do
    opinions "$trace" || { echo "$trace"; false; }
    events=$((events + $(wc -l <got)))
  done
  [ "$events" -gt 40000 ]
}

@test "json-c refuses what is cut, so it reads a whole trace" {
  gzip -dc "$TRACES/alexnet.json.gz" >whole.json
  head -c 100000 whole.json >t.json
  run -1 --separate-stderr "$TEST_PROGRAMS/second_opinion" <t.json
  [ "$stderr" = 'second_opinion: json-c reads no trace' ]
}
