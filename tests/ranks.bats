#!/usr/bin/env bats
# Many ranks in one pipe: what each alone gives, in the memory of one.

# shellcheck disable=SC2154 # stderr is what run says

load helper

set -o pipefail

dlrm() {
  echo "$TRACES/dlrm-rank-$1.json.gz"
}

# to STAGE [OPTION...]: the pipeline from records as tpa-extract writes them up to that stage
to() {
  local stage

  for stage in classify overlap srcmap rank; do
    [[ $stage == "$1" ]] && break
  done
  case $1 in
  extract) cat ;;
  classify) tpa-classify ;;
  overlap) tpa-classify | tpa-overlap ;;
  srcmap) tpa-classify | tpa-overlap | tpa-srcmap ;;
  rank) tpa-classify | tpa-overlap | tpa-srcmap | tpa-rank -a -t ;;
  esac
}

# The records of one rank, without comments, by rank: a file for each in the folder $1.
by_rank() {
  mkdir "$1"
  grep -v '^#' | awk -F '\t' -v folder="$1" '{ print >(folder "/" $2) }'
}

# What each of the four ranks alone gives, in the folder alone.
alone() {
  local rank

  mkdir alone
  for rank in 0 1 2 3; do
    tpa-extract -q "$(dlrm $rank)" | to "$1" | grep -v '^#' >alone/$rank
  done
}

STAGES="extract classify overlap srcmap rank"

@test "several traces in one pipe give what each alone gives, after every stage" {
  for stage in $STAGES; do
    rm -rf alone together
    alone "$stage"
    tpa-extract -q "$(dlrm 0)" "$(dlrm 1)" "$(dlrm 2)" "$(dlrm 3)" | to "$stage" | by_rank together
    diff -r alone together >found || { echo "$stage"; cut -c 1-200 found | head; false; }
    [ "$(echo together/*)" = "together/0 together/1 together/2 together/3" ]
  done
}

@test "concatenated streams give what each alone gives, after every stage" {
  for rank in 3 1 0 2; do
    tpa-extract -q "$(dlrm $rank)" >$rank.tpa
  done
  for stage in $STAGES; do
    rm -rf alone together
    alone "$stage"
    cat 3.tpa 1.tpa 0.tpa 2.tpa | to "$stage" | by_rank together
    diff -r alone together >found || { echo "$stage"; cut -c 1-200 found | head; false; }
  done
}

@test "concatenated results of a stage go on as if it had read them all" {
  tpa-extract -q "$(dlrm 0)" "$(dlrm 1)" | to rank >want
  for rank in 0 1; do
    tpa-extract -q "$(dlrm $rank)" | tpa-classify | tpa-overlap >$rank.tpa
  done
  cat 0.tpa 1.tpa | tpa-srcmap | tpa-rank -a -t >got
  grep -v '^#' want >want.records
  grep -v '^#' got >got.records
  same want.records got.records
}

@test "a sorted stream of several ranks gives the figures of each rank" {
  tpa-extract -q "$(dlrm 0)" "$(dlrm 1)" "$(dlrm 2)" "$(dlrm 3)" >in
  to rank <in | grep -e '^window' -e '^total' -e '^action' | sort >want
  sort in | to rank | grep -e '^window' -e '^total' -e '^action' | sort >got
  same want got
  [ "$(grep -c '^window' got)" = 4 ]
}

@test "a stream of several ranks without its meta records gives the same figures" {
  tpa-extract -q "$(dlrm 0)" "$(dlrm 1)" >in
  to rank <in | grep -e '^window' -e '^total' -e '^action' >want
  grep -v -e '^meta' -e '^#' in | to rank | grep -e '^window' -e '^total' -e '^action' >got
  sort want >want.sorted
  sort got | diff - want.sorted
}

@test "two traces with one label are an error that says the way out, in every stage" {
  tpa-extract -q "$(dlrm 0)" >0.tpa
  tpa-extract -q -l 0 "$(dlrm 1)" >clash.tpa
  for stage in overlap srcmap rank; do
    tpa-classify 0.tpa | tpa-overlap >0.in
    tpa-classify clash.tpa | tpa-overlap >clash.in
    run --separate-stderr -1 "tpa-$stage" 0.in clash.in
    echo "$stderr"
    [[ $stderr == "tpa-$stage: clash.in:"*"tpa-extract -l"* ]]
  done
}

@test "two traces of one rank are an error of tpa-extract, and labels help" {
  run --separate-stderr -1 tpa-extract -q "$(dlrm 0)" "$(dlrm 0)"
  [[ $stderr == *'a second trace of rank "0"'*-l ]]
  tpa-extract -q -l a -l b "$(dlrm 0)" "$(dlrm 0)" | to rank | fields total rank | uniq >got
  printf 'a\nb\n' >want
  same want got
}

# --- memory ------------------------------------------------------------------------

# copies COUNT <RECORDS: as many ranks with these kernels, labelled from 0
copies() {
  awk -F '\t' -v count="$1" '
    !/^#/ { lines++; type[lines] = $1; rest[lines] = substr($0, length($1 $2) + 2) }
    END {
      for (rank = 0; rank < count; rank++)
        for (i = 1; i <= lines; i++) print type[i] FS rank rest[i]
    }'
}

# peaks <PLAN: the peak memory of the largest process of each command, in KiB
peaks() {
  "$TEST_PROGRAMS/bench/measure" -r 1 | awk -F '\t' -v OFS='\t' '!/^#/ { print $1, $6 }'
}

plan() {
  printf '%s\t%s\n' "$1" "$2"
}

# It may take a tenth more, and 4 MiB for what it knows of the ranks themselves, for what
# the allocator does not give back, and for a huge page that the first did not get.
@test "thirty-two ranks in a pipe need the memory of one, in every stage" {
  needs_own_memory
  trace=$TRACES/sampled-rank-0.json.gz
  tpa-extract -q -l 0 "$trace" | to srcmap >one
  copies 32 <one >many
  {
    for stage in classify overlap srcmap "rank -t" "rank --merge" "rank --spread"; do
      plan "$stage" "tpa-$stage one"
      plan "$stage" "tpa-$stage many"
    done
    plan extract "tpa-extract -q $trace"
    plan extract "tpa-extract -q $(printf -- '-l %d ' {1..16})$(yes "$trace" | head -n 16 | xargs)"
  } | peaks | paste - - >got
  cat got
  [ "$(wc -l <got)" = 7 ]
  awk -F '\t' '$4 > 1.1 * $2 + 4096 { print $1 ": " $2 " KiB, but " $4; bad = 1 } END { exit bad }' got
}

# --- all ranks together --------------------------------------------------------------

# kernels RANK <<END: of a rank from lines "IDX TS DUR HIDDEN CATEGORY NAME [COLUMN=VALUE...]"
kernels() {
  awk -v rank="$1" 'NF {
    printf "kernel rank=%s idx=%s ts=%.3f dur=%.3f hidden=%.3f exclusive=%.3f hidden_compute=0.000", \
      rank, $1, $2, $3, $4, $3 - $4
    printf " category=%s name=%s", $5, $6
    for (i = 7; i <= NF; i++) printf " %s", $i
    print ""
  }' | records
}

# window RANK BUSY
window() {
  record window rank="$1" start=0.000 end=100.000 busy="$2" overlap=0.000 idle=0.000 streams=1 \
    kernels=2
}

@test "merged: figures, busy time and maps add up over ranks and processes" {
  {
    window a 40.000
    kernels a <<'END'
0 0 10 4 memory x
1 20 20 0 compute y
END
    record source rank=a total=2 mapped=1 name=x
    record site rank=a kind=scope count=1 value=f.py name=x
    record site rank=a kind=launch count=1 value=op name=x
    window b 60.000
    kernels b <<'END'
0 0 30 0 memory x
0 0 5 0 memory x pid=2
END
    record source rank=b total=2 mapped=2 name=x
    record site rank=b kind=scope count=2 value=g.py name=x
  } >in
  tpa-rank --merge -t in >out
  fields total rank pid stage order name category count total max hidden exclusive busy_share \
    sum_share launch_op scope <out >got
  cat >want <<'END'
*	*	all	1	x	memory	3	45.000	30.000	4.000	41.000	42.857	69.231	op	g.py
*	*	all	2	y	compute	1	20.000	20.000	0.000	20.000	19.048	30.769	-	-
END
  same want got # busy: 40 + 60 + 5 of process 2, which has no window
  fields action rank pid name total mapping_ratio <out >got
  cat >want <<'END'
*	*	x	45.000	0.7500
*	*	y	20.000	0.0000
END
  same want got
}

@test "merged: the longest kernel of all ranks stands for them, with its own neighbours" {
  {
    kernels a <<'END'
0 0 50 0 memory before
1 50 20 0 communication x
2 70 50 0 memory after
END
    kernels b <<'END'
0 0 50 0 compute former
1 52.500 30 0 communication x
2 200 50 0 compute latter
END
    kernels c <<'END'
0 50 30 0 communication x
END
  } >in
  tpa-rank --merge in | fields action name prev next dependency | sed -n 's/^x	//p' >got
  printf '%s\t%s\t%s\n' "former @ unmapped (gap 2.5 us)" "latter @ unmapped (gap 117.5 us)" \
    "prev-side serial risk" >want
  same want got
}

@test "merged: what hides a kernel is what hid it longest over all ranks" {
  {
    kernels a <<<"0 0 100 100 memory x"
    record cover rank=a idx=0 us=60.000 name=p
    record cover rank=a idx=0 us=40.000 name=q
    kernels b <<'END'
0 0 100 100 memory x
1 0 100 100 memory x
END
    record cover rank=b idx=0 us=70.000 name=q
    record cover rank=b idx=0 us=30.000 name=p
    record cover rank=b idx=1 us=100.000 name=r
  } >in
  tpa-rank --merge in | fields action suggestion >got
  echo "Mostly hidden under q (110.0 us). Revisit only if schedule or fusion changes." >want
  same want got
}

@test "merged: one rank alone gives what it gives by itself" {
  for trace in dlrm-rank-0 mi300-resnet-checkpoint sglang-qwen3-8b-graph-replay b200-eager; do
    tpa-extract -q "$TRACES/$trace.json.gz" | to srcmap >in
    tpa-rank -t in | cut -f 1,4- >want
    tpa-rank -t --merge in | cut -f 1,4- >got
    same want got
    [ -s got ]
  done
}

@test "merged: stages each have their ranking, in their order" {
  {
    kernels a <<<"0 0 10 0 other x stage=decode"
    kernels b <<<"0 0 10 0 other x stage=extend"
    kernels c <<<"0 0 10 0 other x stage=decode"
  } >in
  tpa-rank --merge -t in | fields total stage count >got
  printf 'extend\t1\ndecode\t2\n' >want
  same want got
}

# A rank with one kernel of that many us.
long() {
  record kernel rank="$1" idx=0 ts=0.000 dur="$2.000" hidden=0.000 exclusive="$2.000" \
    hidden_compute=0.000 name=x
}

@test "merged: times that do not fit together are an error" {
  for rank in a b c; do
    long $rank 4000000000000000
  done >in
  tpa-rank in >/dev/null
  run -1 --separate-stderr tpa-rank --merge in
  [ "$stderr" = "tpa-rank: the times of the ranks are too large to add up" ]
}

# spread COLUMN...: those columns of the spread of the file in
spread() {
  tpa-rank --spread in | fields spread "$@"
}

@test "spread: least, median, most and deviation over ranks, and which rank" {
  {
    kernels a <<'END'
0 0 10 1 compute x
1 20 10 1 compute x
END
    kernels b <<<"0 0 40 40 compute x"
    kernels c <<'END'
0 0 30 0 compute x
1 0 1 0 compute y
END
    kernels d <<'END'
0 0 25 0 compute x
1 20 25 0 compute x
2 20 10 0 compute x pid=2
END
  } >in
  spread stage order category ranks launches_{min,median,max,stddev,min_rank,max_rank} name >got
  cat >want <<'END'
all	1	compute	4	1	1.500	3	0.829	b	d	x
all	2	compute	1	1	1.000	1	0.000	c	c	y
END
  same want got
  spread total_{min,median,max,stddev,min_rank,max_rank} straggler loss | head -n 1 >got
  printf '20.000\t35.000\t60.000\t14.790\ta\td\td\t25.000\n' >want
  same want got
  spread exclusive_{min,median,max,stddev,min_rank,max_rank} | head -n 1 >got
  printf '0.000\t24.000\t60.000\t21.840\tb\td\n' >want
  same want got
  spread hidden_{min,median,max,stddev,min_rank,max_rank} | head -n 1 >got
  printf '0.000\t1.000\t40.000\t17.051\tc\tb\n' >want
  same want got
}

@test "spread: of communication the rank that waits least is the late one" {
  for rank in a:10:100 b:80:100 c:90:103 d:100:100; do
    IFS=: read -r rank wait work <<<"$rank"
    kernels "$rank" <<END
0 0 $wait 0 communication nccl
1 0 $work 0 compute gemm
END
  done >in
  spread name reading straggler loss >got
  cat >want <<'END'
nccl	least-wait-is-late	a	75.000
gemm	most-time-is-slow	c	3.000
END
  same want got
}

@test "spread: a median between two is rounded half to even ns" {
  while read -r low high median; do
    { kernels a <<<"0 0 $low 0 other x"; kernels b <<<"0 0 $high 0 other x"; } >in
    [ "$(spread total_median)" = "$median" ]
  done <<'END'
0.001 0.002 0.002
0.002 0.003 0.002
0.003 0.004 0.004
0.001 0.003 0.002
END
}

@test "spread: of equal ranks the first is named, of equal losses the first kernel" {
  for rank in q p o; do
    kernels $rank <<'END'
0 0 5 0 other b
1 9 5 0 other a
END
  done >in
  spread name total_min_rank total_max_rank straggler loss >got
  printf 'b\tq\tq\tq\t0.000\na\tq\tq\tq\t0.000\n' >want
  same want got
}

@test "spread: times far apart keep their deviation" {
  { long a 0; long b 4000000000000000; } >in
  [ "$(spread total_median total_stddev)" = "2000000000000000.000	2000000000000000.000" ]
}

@test "spread: figures are those of sorted, filtered and reordered streams" {
  tpa-extract -q "$(dlrm 0)" "$(dlrm 1)" "$(dlrm 2)" "$(dlrm 3)" | tpa-classify | tpa-overlap >all
  tpa-rank --spread all >want
  [ "$(wc -l <want)" -gt 50 ]
  grep '^kernel' all | tpa-rank --spread >got
  same want got
  sort -t "$(printf '\t')" -s -k 2,2 -k 1,1r all | tpa-rank --spread >got
  same want got
  tac all | tpa-rank --spread | fields spread name total_{min,median,max,stddev} loss | sort >got
  fields spread name total_{min,median,max,stddev} loss <want | sort >want.sorted
  same want.sorted got
}

@test "merged: a sorted stream gives the same" {
  tpa-extract -q "$(dlrm 0)" "$(dlrm 1)" | tpa-classify | tpa-overlap >in
  tpa-rank --merge -t in | fields total name total hidden busy_share | sort >want
  sort in | tpa-rank --merge -t | fields total name total hidden busy_share | sort >got
  same want got
}

@test "spread comes before the merged ranking, each only where asked" {
  kernels a <<<"0 0 10 0 other x" >in
  [ "$(tpa-rank --merge --spread -t in | cut -f 1 | xargs)" = "spread total action" ]
  [ "$(tpa-rank --spread in | cut -f 1 | xargs)" = spread ]
  [ "$(tpa-rank --merge in | cut -f 1 | xargs)" = action ]
  [ "$(tpa-rank -a --spread in | cut -f 1 | xargs)" = "kernel spread" ]
  run -2 --separate-stderr tpa-rank --spread -t in
  [[ $stderr == *"add --merge"* ]]
}

@test "-n limits the spread" {
  kernels a >in <<'END'
0 0 5 0 other b
1 9 5 0 other a
END
  [ "$(tpa-rank --spread -n 1 in | wc -l)" = 1 ]
}

@test "merged: a map of its own serves all ranks, wherever it comes" {
  kernels a <<<"0 0 10 0 other x" >in
  {
    record source rank=map total=1 mapped=1 name=x
    record site rank=map kind=scope count=1 value=f.py name=x
  } >>in
  kernels b <<<"0 0 10 0 other x" >>in
  [ "$(tpa-rank --merge in | fields action scope)" = f.py ]
}

@test "tables: the straggler comes first, with its reading" {
  kernels a <<<"0 0 100 0 communication nccl" >in
  kernels b >>in <<'END'
0 0 4500 0 communication nccl
1 0 4500 0 communication nccl
END
  tpa-rank --spread in | tpa-fmt >got
  cat >want <<'END'
how far the ranks are apart
stage  loss ms  straggler  because             ranks  min ms  median ms  max ms  stddev ms  launches  category       kernel
all      4.450  a          least-wait-is-late      2   0.100      4.550   9.000      4.450      1..2  communication  nccl
END
  same want got
  tpa-rank --merge in | tpa-fmt | head -n 1 >got
  echo "what to try first: rank *, pid *, stage all" >want
  same want got
}
