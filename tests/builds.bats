#!/usr/bin/env bats
# The build with SSE2 and, where it was there, ISA-L, and the other one without
# (builds.mk), and one thread and two: the same bytes, messages and statuses,
# whatever the state of the trace.

load helper
load trace

OTHER=$TEST_PROGRAMS/other/bin

# run_as NAME BIN -j N TRACE: what tpa-extract of that build writes, says and ends with
run_as() {
  local status=0

  "$2/tpa-extract" "${@:3}" >"$1.out" 2>"$1.err" || status=$?
  echo "$status" >>"$1.err"
}

# alike TRACE BIN...: all ways in which these builds can read it come to the same
alike() {
  local bin jobs

  run_as want "$2" -j 2 "$1"
  for bin in "${@:2}"; do
    for jobs in 1 2; do
      run_as got "$bin" -j "$jobs" "$1"
      same want.err got.err
      cmp want.out got.out
    done
  done
}

# all_alike TRACE: of both builds
all_alike() {
  alike "$1" "$TPA_BIN" "$OTHER"
}

# nearly_alike TRACE: as all_alike, but one build may see a few bytes sooner than the
# other that a stream is corrupt
nearly_alike() {
  local file difference

  alike "$1" "$OTHER"
  mv got.out other.out
  mv got.err other.err
  alike "$1" "$TPA_BIN"
  same <(tail -n 1 other.err) <(tail -n 1 got.err)
  same <(grep -c 'is corrupt' other.err) <(grep -c 'is corrupt' got.err)
  for file in other got; do
    grep -v '^meta' "$file.out" >"$file.records" || true
  done
  difference=$(cmp other.records got.records 2>&1) || [[ $difference = 'cmp: EOF on '* ]]
}

# damaged N FILE COPY: some bytes of it are others in the copy, by a sequence that N begins
damaged() {
  local random=$1 size count byte

  cp "$2" "$3"
  size=$(stat -c %s "$2")
  for ((count = $1 % 3; count >= 0; count--)); do
    random=$(((random * 1103515245 + 12345) & 0x7fffffff))
    printf -v byte '\\x%02x' $(((random >> 8) & 255))
    # shellcheck disable=SC2059 # it is an escape
    printf "$byte" | dd of="$3" bs=1 seek=$((random % size)) conv=notrunc status=none
  done
}

@test "every trace" {
  for trace in "$TRACES"/*.json.gz; do
    all_alike "$trace"
    gzip -dc "$trace" >plain.json
    all_alike plain.json
  done
}

@test "all stages" {
  for trace in "$TRACES"/{mi300-resnet-checkpoint,sampled-rank-0,dlrm-rank-0}.json.gz; do
    chain "$trace" >want
    (PATH=$OTHER:$PATH && chain "$trace") >got
    cmp want got
  done
}

@test "cut anywhere" {
  trace=$TRACES/h100-bert-small.json.gz
  size=$(stat -c %s "$trace")
  for at in 0 1 2 9 10 11 17 18 19 100 $((size / 7)) $((size / 3)) $((size / 2)) $((size - 9)) \
    $((size - 8)) $((size - 5)) $((size - 1)); do
    head -c "$at" "$trace" >cut.json.gz
    all_alike cut.json.gz
  done
  gzip -dc "$trace" >plain.json
  size=$(stat -c %s plain.json)
  for ((at = size - 40; at < size; at++)); do
    head -c "$at" plain.json >cut.json
    all_alike cut.json
  done
}

@test "several members, and what follows them" {
  trace=$TRACES/triton-one-kernel.json.gz
  size=$(gzip -dc "$trace" | wc -c)
  for at in 0 1 1000 $((size / 2)) $((size - 1)); do
    { gzip -dc "$trace" | head -c "$at" | gzip -c; gzip -dc "$trace" | tail -c +$((at + 1)) | gzip -c; } \
      >members.json.gz
    all_alike members.json.gz
    { cat members.json.gz; printf '\0\0\0\0'; } >zeros.json.gz
    all_alike zeros.json.gz
    { cat members.json.gz; printf 'more'; } >more.json.gz
    all_alike more.json.gz
    { cat members.json.gz; gzip -c </dev/null; } >empty.json.gz
    all_alike empty.json.gz
  done
}

@test "damaged anywhere" {
  gzip -dc "$TRACES/triton-one-kernel.json.gz" | head -c 60000 >plain.json
  gzip -9 -c plain.json >whole.json.gz
  for ((i = 0; i < 40; i++)); do
    damaged "$i" plain.json damaged.json
    all_alike damaged.json
    damaged "$i" whole.json.gz damaged.json.gz
    nearly_alike damaged.json.gz
  done
}
