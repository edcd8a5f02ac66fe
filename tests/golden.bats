#!/usr/bin/env bats
# Real traces through all stages give the golden records (NOTICE says where the
# traces come from).  Their categories are those of reference.rules.

load helper

set -o pipefail

# The records that are compared, sorted.
sorted() {
  awk '/^(kernel|cover|window|source|site|total|action)\t/' | sort
}

stage() {
  case $1 in
    classify) tpa-classify -r reference ;;
    *) "tpa-$1" ;;
  esac
}

# shuffled SORT-OPTION...: sorted, but for CPU ops and frames: of those that start
# and end together the trace's order decides, and they carry no idx.
shuffled() {
  awk '!/^(cpu_op|python)\t/' extracted | sort "$@"
  awk '/^(cpu_op|python)\t/' extracted
}

# golden TRACE: in each valid order of the stages, straight and sorted.
golden() {
  local failed=0

  gzip -dc "$GOLDEN/$1.tsv.gz" >want
  (cd "$TRACES" && tpa-extract "$1.json.gz") >extracted 2>notes
  while read -r first second third; do
    stage "$first" <extracted | stage "$second" | stage "$third" | tpa-rank -a -t | sorted >got
    same want got || failed=1
  done <<'END'
classify overlap srcmap
classify srcmap overlap
srcmap classify overlap
END
  shuffled | tpa-classify -r reference | tpa-overlap | tpa-srcmap | tpa-rank -a -t | sorted >got
  same want got || failed=1
  shuffled -r | tpa-srcmap | tpa-classify -r reference | tpa-overlap | tpa-rank -a -t | sorted >got
  same want got || failed=1
  return "$failed"
}

@test "alexnet: two streams, no ids" { golden alexnet; }
@test "b200-eager: Python frames, one stage, symmetric memory" { golden b200-eager; }
@test "cpu-only: no GPU work at all" { golden cpu-only; }
@test "dlrm-rank-0: communication, one rank of four" { golden dlrm-rank-0; }
@test "dlrm-rank-1" { golden dlrm-rank-1; }
@test "dlrm-rank-2" { golden dlrm-rank-2; }
@test "dlrm-rank-3" { golden dlrm-rank-3; }
@test "h100-bert-small: ids and Python frames" { golden h100-bert-small; }
@test "mi210-gpu-only: AMD, no CPU side" { golden mi210-gpu-only; }
@test "mi250-minitoy: AMD, ids" { golden mi250-minitoy; }
@test "mi300-compile-triton: AMD, compiled kernels" { golden mi300-compile-triton; }
@test "mi300-resnet-checkpoint: AMD, frames, overlapped communication" {
  golden mi300-resnet-checkpoint
}
@test "sampled-rank-0: two stages by annotations" { golden sampled-rank-0; }
@test "sampled-rank-1" { golden sampled-rank-1; }
@test "sglang-deepseek-r1-b300: graph replay, stage by the file's name" {
  golden sglang-deepseek-r1-b300-TP-0-DECODE.trace
}
@test "sglang-qwen3-30b-mi300: AMD graph replay" { golden sglang-qwen3-30b-mi300-TP-0-DECODE.trace; }
@test "sglang-qwen3-8b-graph-replay" { golden sglang-qwen3-8b-graph-replay; }
@test "triton-one-kernel" { golden triton-one-kernel; }
@test "vllm-full-graph-execution: a graph without frames" { golden vllm-full-graph-execution; }

@test "grep in between: kernels alone give the same overlap" {
  gzip -dc "$GOLDEN/sampled-rank-0.tsv.gz" | grep -E '^(kernel|cover|window)	' >want
  tpa-extract "$TRACES/sampled-rank-0.json.gz" | grep '^kernel' | tpa-classify -r reference |
    grep '^kernel' | tpa-overlap | sort >got
  same want got
}

@test "a pair: the map of one trace for the kernels of another, by cat" {
  read -r mapping formal <"$GOLDEN/pair-dlrm-ranks.pair"
  gzip -dc "$GOLDEN/pair-dlrm-ranks.tsv.gz" >want
  tpa-extract "$TRACES/$mapping" | tpa-classify -r reference | tpa-srcmap -s >map.tpa
  tpa-extract "$TRACES/$formal" | tpa-classify -r reference | tpa-overlap | cat map.tpa - |
    tpa-rank | sorted >got
  same want got
}

@test "a pair: by tpa-rank -m, and the map from srcmap without -s" {
  read -r mapping formal <"$GOLDEN/pair-dlrm-ranks.pair"
  gzip -dc "$GOLDEN/pair-dlrm-ranks.tsv.gz" >want
  tpa-extract "$TRACES/$mapping" | tpa-srcmap | grep -E '^(source|site)' >map.tpa
  tpa-extract "$TRACES/$formal" | tpa-classify -r reference | tpa-overlap |
    tpa-rank -m map.tpa | sorted >got
  same want got
}

@test "every golden record and every trace has a test here" {
  (cd "$GOLDEN" && ls -- *.tsv.gz) | sed 's/\.tsv\.gz$//' | grep -v '^pair-' >want
  grep -oE '^(@test.*\{)? *golden [a-z].*' "$BATS_TEST_FILENAME" |
    sed -E 's/.*golden ([^;]*).*/\1/' | sort >got
  same want got
  (cd "$TRACES" && ls -- *.json.gz) | sed 's/\.json\.gz$//' >got
  same want got
}
