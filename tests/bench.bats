#!/usr/bin/env bats
# What the benchmarks are made of, and the two figures that every machine can
# hold tpa to: memory, and instructions a byte.

load helper

SOURCE=$TRACES/mi300-resnet-checkpoint.json.gz

generate() {
  gzip -dc "$SOURCE" | "$TEST_PROGRAMS/bench/generate" "$@"
}

# limited MIB COMMAND...: with so much address space and no more
limited() (
  ulimit -v $(($1 * 1024))
  MALLOC_ARENA_MAX=1 "${@:2}"
)

@test "the generator: the same arguments, the same bytes" {
  [[ $(generate -m 3 | cksum) == "$(<"$TESTS/data/bench/plain.cksum")" ]]
  [[ $(generate -m 3 -s 64 -n 100 | cksum) == "$(<"$TESTS/data/bench/streams.cksum")" ]]
}

@test "the generator: a copy differs from its source in nothing but times and ids" {
  generate -m 17 | tpa-extract - >got
  tpa-extract "$SOURCE" >want
  for type in cpu_op python kernel; do
    [[ $(grep -c "^$type" got) -ge $(grep -c "^$type" want) ]]
  done
  # the first copy is the source itself
  grep -v '^meta' want | cut -f 2- | sort >first
  grep -v '^meta' got | cut -f 2- | sort >both
  [[ -z $(comm -23 first both | head -n 1) ]]
}

@test "the generator: as large as asked, whatever the number of copies" {
  for size in 1 17 40; do
    bytes=$(generate -m $size | wc -c)
    ((bytes > size * 990000 && bytes < size * 1020000))
  done
}

@test "the generator: every event is read, on all streams and under all names" {
  generate -m 20 -s 64 -n 1000 >big.json
  tpa-extract big.json >big.tsv
  [[ $(awk -F '\t' '$1 == "meta" && $3 == "events" {print $4}' big.tsv) == "$(grep -c '"ph"' big.json)" ]]
  [[ $(fields kernel stream kind <big.tsv | grep -c 'kernel$') -gt 3000 ]]
  [[ $(fields kernel stream kind <big.tsv | grep 'kernel$' | sort -u | wc -l) == 64 ]]
  [[ $(fields kernel name kind <big.tsv | grep 'kernel$' | sort -u | wc -l) -ge 1000 ]]
  # of 64 streams that are all busy, none is alone
  [[ $(tpa-classify big.tsv | tpa-overlap | fields kernel hidden kind |
    awk '/kernel$/ && $1 == 0' | wc -l) -lt 100 ]]
}

@test "measure: figures of a pipeline are those of all its processes" {
  printf '%s\t%s\n' one 'sleep 0.1' two 'sleep 0.1 | sleep 0.1' >plan
  "$TEST_PROGRAMS/bench/measure" -r 3 <plan >got
  awk -F '\t' '
    $1 == "one" { one = $7; ok = $2 >= 0.1 && $2 < 5 && $6 == $7 }
    $1 == "two" { ok = ok && $2 >= 0.1 && $7 > 1.5 * one && $6 < $7 }
    END { exit !ok }' got
}

@test "measure: a command that fails is no result" {
  printf 'bad\tcat nowhere\n' >plan
  run -1 "$TEST_PROGRAMS/bench/measure" -r 1 <plan
  [[ $output == *"bad: cat failed"* ]]
}

@test "memory: a large trace within a small address space" {
  needs_own_memory
  generate -m 60 | gzip -1 >big.json.gz
  limited 80 tpa-extract -q big.json.gz >1.tsv
  limited 48 tpa-classify 1.tsv >2.tsv
  limited 80 tpa-overlap 2.tsv >3.tsv
  limited 96 tpa-srcmap 3.tsv >4.tsv
  limited 64 tpa-rank 4.tsv >5.tsv
  [[ $(grep -c ^action 5.tsv) -gt 5 ]]
}

@test "memory: 64 MiB and 60 bytes an event for all stages together" {
  needs_own_memory
  generate -m 40 >big.json
  printf 'all\t%s\n' "tpa-extract -q big.json | tpa-classify | tpa-overlap | tpa-srcmap | tpa-rank" >plan
  "$TEST_PROGRAMS/bench/measure" -r 1 <plan >got
  events=$(grep -c '"ph"' big.json)
  awk -F '\t' -v events="$events" \
    '$1 == "all" { exit !($7 > 4096 && $7 * 1024 <= 64 * 1048576 + 60 * events) }' got
}

@test "memory: tpa-extract's is 16 MiB and 64 bytes a kernel and launch, however large the file" {
  needs_own_memory
    generate -m 60 >large.json
  printf 'large\ttpa-extract -q large.json\n' >plan
  "$TEST_PROGRAMS/bench/measure" -r 1 <plan >got
  held=$(tpa-extract -q large.json | grep -c -e ^kernel -e ^launch)
  awk -F '\t' -v held="$held" \
    '$1 == "large" { exit !($7 > 1024 && $7 * 1024 <= 16 * 1048576 + 64 * held) }' got
}

@test "instructions: tpa-extract's for a byte of trace are under the ceiling" {
  command -v valgrind >/dev/null || skip "no valgrind"
  # the ceiling is that of the usual build
  grep -Eq '^(cc|gcc) .* -O3' "${TPA_BIN%/bin}/flags" || skip "not gcc -O3"
  needs_own_memory
  cd "$TESTS/.."
  BENCH=$BATS_TEST_TMPDIR PROGRAMS=$TEST_PROGRAMS/bench run -0 sh tests/bench/instructions "$TPA_BIN"
  [[ $output == *" instructions a byte, ceiling "* ]]
}
