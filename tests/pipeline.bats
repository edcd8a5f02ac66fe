#!/usr/bin/env bats
# Stages put together in ways a user would: any order, other tools in between,
# saved files, several ranks in one stream.

load helper

set -o pipefail

# Everything a stage has nothing to do with, in odd shapes.
strangers() {
  printf '#tpa 1\n#kernel\trank\tpid\n\n#\n'
  printf 'mine\ta\tb\n'
  printf 'kernels\t0\tnot a kernel\n'
  printf 'x\n\t\n \n'
  printf 'bytes\t\x80\xff\x01 \\x\\\r\n'
  printf 'mine\ta\tb\n'
  printf 'Kernel\t0\n'
}

# Records of every type, with two extension fields.
all_types() {
  records <<'END' | sed 's/$/\textra\t-/'
meta key=trace value=t.json
kernel idx=0 ts=10.000 dur=5.000 corr=5 name=gemm
cpu_op ts=1.000 dur=4.000 name=aten::mm
python ts=0.500 dur=8.000 name=train.py(1):step
launch ts=2.000 dur=1.000 corr=5 name=cudaLaunchKernel
span ts=1.000 dur=2.000 name=step
cover idx=0 us=1.000 name=k
window start=10.000 end=15.000 busy=5.000 overlap=0.000 idle=0.000 streams=1 kernels=1
source total=1 mapped=1 launch_op=aten::mm scope=s name=gemm
site kind=scope count=1 value=s name=gemm
total order=1 category=compute count=1 total=5.000 max=5.000 hidden=0.000 exclusive=5.000 hidden_compute=0.000 busy_share=100.000 sum_share=100.000 name=gemm
action order=1 priority=P1 verdict=headroom recommendation=r category=compute total=5.000 share=100.000 exclusive_ratio=1.0000 hidden_ratio=0.0000 dependency=d mapping_ratio=1.0000 name=gemm
END
}

# without TYPE...: the other lines
without() {
  grep -avE "^($(IFS='|' && echo "$*"))	" || true
}

@test "what a stage has nothing to do with passes byte for byte, in its place" {
  { strangers; all_types | without kernel; strangers; } >in
  tpa-classify <in >out
  same in out
  { strangers; all_types | without kernel cover window; strangers; } >in
  tpa-overlap <in >out
  same in out
  { strangers; all_types | without kernel cpu_op python launch; strangers; } >in
  tpa-srcmap <in >out
  same in out
  { strangers; all_types | grep -E '^(span|meta|cpu_op|python|launch)'; strangers; } >in
  tpa-rank -a <in >out
  same in out
}

@test "extension fields stay, in order" {
  all_types | tpa-classify >out
  [ "$(grep '^kernel' out | cut -f 19-20)" = "extra	-" ]
  all_types | without kernel >want
  without kernel <out >got
  same want got
  without cover window <out | tpa-overlap >overlapped
  [ "$(grep '^kernel' overlapped | cut -f 19-20)" = "extra	-" ]
  tpa-srcmap <overlapped >mapped
  grep '^kernel' overlapped >want
  grep '^kernel' mapped >got
  same want got
}

@test "srcmap passes on what it reads" {
  { strangers; all_types; strangers; } >in
  tpa-srcmap <in | without source site 'meta	0	sources' 'meta	0	sites' >out
  without source site <in >want
  same want out
}

@test "rank -a passes everything on, and has the end of a trace last" {
  tpa-extract "$TRACES/mi250-minitoy.json.gz" | tpa-classify | tpa-overlap | tpa-srcmap >in
  tpa-rank -a <in >out
  without action <out >got
  same in got
  grep '^action' out >got
  tpa-rank <in >want
  same want got
  tail -n 1 out >last
  grep -q '	end	' last
}

@test "a stream explains itself: extract names the columns it may write" {
  tpa-extract "$TRACES/alexnet.json.gz" >out
  [ "$(head -n 1 out)" = '#tpa 1' ]
  while IFS= read -r line; do
    type=${line%%	*}
    case $type in
      meta | kernel | cpu_op | python | launch | span)
        grep -qxF "#$line" out || { echo "no line for $type"; false; }
        ;;
    esac
  done <"$TESTS/data/columns.tsv"
}

@test "classify twice is classify once" {
  tpa-extract "$TRACES/dlrm-rank-0.json.gz" >in
  tpa-classify <in >want
  tpa-classify <want >got
  same want got
}

@test "the last classify counts" {
  tpa-extract "$TRACES/dlrm-rank-0.json.gz" >in
  tpa-classify -r reference <in >want
  tpa-classify <in | tpa-classify -r reference >got
  same want got
}

@test "overlap twice changes no figure" {
  tpa-extract "$TRACES/dlrm-rank-0.json.gz" | tpa-classify | tpa-srcmap >in
  tpa-overlap <in | tpa-rank -t >want
  tpa-overlap <in | tpa-overlap | tpa-rank -t >got
  same want got
  tpa-overlap <in | grep '^kernel' >want
  tpa-overlap <in | tpa-overlap | grep '^kernel' >got
  same want got
}

@test "two ranks by cat are what each is alone" {
  for rank in 0 1 2 3; do
    tpa-extract "$TRACES/dlrm-rank-$rank.json.gz" >"rank$rank"
    tpa-classify "rank$rank" | tpa-overlap | tpa-srcmap | tpa-rank -a -t
  done | grep -v '^#' | sort >want
  cat rank? | tpa-classify | tpa-overlap | tpa-srcmap | tpa-rank -a -t | grep -v '^#' | sort >got
  same want got
}

@test "two ranks mixed line by line are what each is alone" {
  for rank in 0 1; do
    tpa-extract "$TRACES/dlrm-rank-$rank.json.gz" | grep -v '^#' >"rank$rank"
    tpa-classify "rank$rank" | tpa-overlap | tpa-srcmap | tpa-rank -a -t
  done | sort >want
  paste -d '\n' rank0 rank1 | grep . | tpa-classify | tpa-overlap | tpa-srcmap | tpa-rank -a -t |
    sort >got
  same want got
}

@test "several traces in one call follow one another" {
  for rank in 0 1 2 3; do
    tpa-extract "$TRACES/dlrm-rank-$rank.json.gz"
  done | grep -v '^#' >want
  tpa-extract "$TRACES"/dlrm-rank-?.json.gz | grep -v '^#' >got
  same want got
}

@test "a trace is the same as a file, a pipe and plain" {
  trace=$TRACES/h100-bert-small.json.gz
  tpa-extract "$trace" | grep -v '	trace	' >want
  tpa-extract <"$trace" | grep -v '	trace	' >got
  same want got
  gzip -dc "$trace" | tpa-extract - | grep -v '	trace	' >got
  same want got
  gzip -dc "$trace" >plain.json
  tpa-extract plain.json | grep -v '	trace	' >got
  same want got
}

@test "saved files between the stages" {
  tpa-extract "$TRACES/h100-bert-small.json.gz" >1.tpa
  tpa-classify 1.tpa >2.tpa
  tpa-overlap 2.tpa >3.tpa
  tpa-srcmap 3.tpa >4.tpa
  tpa-rank 4.tpa >got
  tpa-extract "$TRACES/h100-bert-small.json.gz" | tpa-classify | tpa-overlap | tpa-srcmap |
    tpa-rank >want
  same want got
}

@test "files named and - are read in order" {
  tpa-extract "$TRACES/dlrm-rank-0.json.gz" | tpa-classify | tpa-overlap >a
  tpa-extract "$TRACES/dlrm-rank-1.json.gz" | tpa-classify | tpa-overlap >b
  cat a b | tpa-rank >want
  tpa-rank a - <b >got
  same want got
}

@test "grep in between: communication alone still has its own figures" {
  tpa-extract "$TRACES/mi300-resnet-checkpoint.json.gz" | tpa-classify | tpa-overlap >all
  grep -E '^kernel' all | awk -F '\t' '$13 == "communication"' | tpa-rank -t | fields total total name >got
  tpa-rank -t <all | awk -F '\t' '$6 == "communication"' | fields total total name >want
  [ -s want ]
  same want got
}

@test "sort by hidden time, as records.md shows" {
  tpa-extract "$TRACES/mi300-resnet-checkpoint.json.gz" | tpa-classify | tpa-overlap |
    grep '^kernel' | sort -t "$(printf '\t')" -k14,14nr >sorted
  fields kernel hidden <sorted | sort -c -nr
  [ "$(wc -l <sorted)" = 3653 ]
}

@test "a stage of awk in between" {
  # all copies from device to device count as communication
  recategorize() {
    awk -F '\t' -v OFS='\t' '$1 == "kernel" && $17 ~ /^Memcpy DtoD/ { $13 = "communication" } { print }'
  }
  tpa-extract "$TRACES/mi300-resnet-checkpoint.json.gz" | tpa-classify | recategorize |
    tpa-overlap | tpa-rank -t | fields total category name >got
  grep -q '^communication	Memcpy DtoD' got
  ! grep -q '^memory	Memcpy DtoD' got
}

@test "a foreign stage's own records reach the end" {
  tpa-extract "$TRACES/alexnet.json.gz" | tpa-classify |
    awk -F '\t' '{ print } $1 == "kernel" { print "queue\t" $5 "\t" $8 }' >in
  grep '^queue' in >want
  tpa-overlap <in | tpa-srcmap | tpa-rank -a | grep '^queue' >got
  same want got
}

@test "columns keep their numbers, whatever has run" {
  tpa-extract "$TRACES/alexnet.json.gz" >in
  cut -f 1-12,17- in | grep '^kernel' >want
  tpa-classify -r reference <in | tpa-overlap | tpa-srcmap | tpa-rank -a | grep '^kernel' |
    cut -f 1-12,17- >got
  same want got
}

@test "the kernels' order of arrival does not matter" {
  tpa-extract "$TRACES/sampled-rank-0.json.gz" | tpa-classify >in
  tpa-overlap <in | tpa-srcmap | tpa-rank -a -t | sort >want
  { grep '^kernel' in | tac; without kernel <in; } | tpa-overlap | tpa-srcmap | tpa-rank -a -t |
    sort >got
  same want got
}

@test "the same input gives the same bytes" {
  chain "$TRACES/sampled-rank-1.json.gz" >want
  chain "$TRACES/sampled-rank-1.json.gz" >got
  same want got
}

@test "a map of one trace for the kernels of another, both ways" {
  tpa-extract "$TRACES/dlrm-rank-0.json.gz" | tpa-classify | tpa-srcmap -s >map.tpa
  cut -f 1 map.tpa | grep -v '^#' | sort -u >types
  [ "$(paste -s -d ' ' types)" = 'site source' ]
  tpa-extract "$TRACES/dlrm-rank-1.json.gz" | tpa-classify | tpa-overlap >formal.tpa
  tpa-rank -m map.tpa formal.tpa >want
  cat map.tpa formal.tpa | tpa-rank >got
  same want got
}

@test "a rank is finished at its end, before the next one is read" {
  for rank in 0 1 2; do
    tpa-extract "$TRACES/dlrm-rank-$rank.json.gz"
  done | tpa-classify | tpa-overlap | tpa-srcmap | tpa-rank -a -t >out
  grep -v '^#' out | cut -f 2 | uniq >ranks
  printf '%s\n' 0 1 2 >want
  same want ranks
  [ "$(grep '^action' out | cut -f 2 | uniq | paste -s -d ' ')" = '0 1 2' ]
}
