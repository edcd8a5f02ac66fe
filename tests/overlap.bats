#!/usr/bin/env bats
# tpa-overlap: what each kernel was hidden by.

load helper

MADE=$TESTS/data/overlap

# stream <<< "IDX STREAM START END CATEGORY NAME [COLUMN=VALUE...]" makes the file in;
# times in ns, each kernel a line.
stream() {
  local idx stream start end category name more

  while read -r idx stream start end category name more; do
    echo "kernel idx=$idx stream=$stream ts=$(us "$start") dur=$(us $((end - start)))" \
      "category=$category name=$name $more"
  done | records >in
}

us() {
  printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000))
}

# in_ns <FIELDS: times as ns, for short
in_ns() {
  sed -E 's/\b([0-9]+)\.([0-9]{3})\b/\1\2/g; s/\b0+([0-9])/\1/g' | tr '\t' ' '
}

# in any order, the same each time
shuffled() {
  awk 'BEGIN { srand(7) } { printf "%.9f\t%s\n", rand(), $0 }' | sort | cut -f 2-
}

# is [OPTION...] <<< LINES: what comes out, as
#   k IDX HIDDEN EXCLUSIVE HIDDEN_COMPUTE, then c IDX NS NAME, then
#   w STAGE START END BUSY OVERLAP IDLE STREAMS KERNELS
is() {
  cat >want
  tpa-overlap "$@" in >out
  {
    fields kernel idx hidden exclusive hidden_compute <out | sed 's/^/k	/'
    fields cover idx us name <out | sed 's/^/c	/'
    fields window stage start end busy overlap idle streams kernels <out | sed 's/^/w	/'
  } | in_ns >got
  same want got
}

# hides <<< LINES: the same, the covers alone
hides() {
  cat >want
  tpa-overlap in >out
  fields cover idx us name <out | in_ns >got
  same want got
}

# sorted_by COLUMN <KERNELS: by a number
sorted_by() {
  sort -s -t '	' -k "$(position kernel "$1"),$(position kernel "$1")n"
}

# --- hidden and exclusive ------------------------------------------------------

@test "a kernel alone is exclusive" {
  stream <<<'0 7 1000 6000 compute gemm'
  is <<'END'
k 0 0 5000 0
w all 1000 6000 5000 0 0 1 1
END
}

@test "kernels of two streams hide each other while both run" {
  stream <<'END'
0 7 1000 6000 compute gemm
1 20 4000 10000 communication nccl
END
  is <<'END'
k 0 2000 3000 0
k 1 2000 4000 2000
c 0 2000 nccl
c 1 2000 gemm
w all 1000 10000 9000 2000 0 2 2
END
}

@test "a kernel within another of its stream is not hidden (programmatic dependent launch)" {
  stream <<'END'
0 7 0 10000 compute a
1 7 8000 15000 compute b
END
  is <<'END'
k 0 0 10000 0
k 1 0 7000 0
w all 0 15000 15000 0 0 1 2
END
}

@test "both of two such kernels are hidden by another stream, which one of them hides" {
  stream <<'END'
0 7 0 10000 compute a
1 7 8000 15000 compute b
2 20 6000 12000 memory copy
END
  is <<'END'
k 0 4000 6000 0
k 1 4000 3000 0
k 2 6000 0 6000
c 0 4000 copy
c 1 4000 copy
c 2 4000 a
c 2 2000 b
w all 0 15000 15000 6000 0 2 3
END
}

@test "a kernel that ends as another starts does not overlap it" {
  stream <<'END'
0 7 0 5000 compute a
1 20 5000 9000 compute b
2 7 9000 9001 compute c
END
  is <<'END'
k 0 0 5000 0
k 1 0 4000 0
k 2 0 1 0
w all 0 9001 9001 0 0 1 3
END
}

@test "one nanosecond is an overlap" {
  stream <<'END'
0 7 1712345678123456000 1712345678123461000 compute a
1 20 1712345678123460999 1712345678123469000 compute b
END
  is <<'END'
k 0 1 4999 1
k 1 1 8000 1
c 0 1 b
c 1 1 a
w all 1712345678123456000 1712345678123469000 13000 1 0 2 2
END
}

@test "only compute of another stream hides with compute" {
  stream <<'END'
0 7 0 10000 compute own
1 7 0 4000 compute own
2 20 2000 6000 memory copy
3 30 5000 8000 compute other
END
  is <<'END'
k 0 6000 4000 3000
k 1 2000 2000 0
k 2 4000 0 4000
k 3 3000 0 3000
c 0 3000 copy
c 0 3000 other
c 1 2000 copy
c 2 4000 own
c 3 3000 own
w all 0 10000 10000 6000 0 3 4
END
}

@test "three streams, by hand" {
  # 0      10     20     30     40     50     60     70
  # 7:  aaaaaaaaaaaaaaaaaaaaaaaaaaa           dddddddd    compute
  # 20:        bbbbbbbbbbbbbbbbbbbbbbbbbbb                communication
  # 30:               cccccc                              memory
  stream <<'END'
0 7 0 40 compute a
1 20 10 50 communication b
2 30 20 30 memory c
3 7 60 70 compute d
END
  is <<'END'
k 0 30 10 0
k 1 30 10 30
k 2 10 0 10
k 3 0 10 0
c 0 30 b
c 1 30 a
c 2 10 a
w all 0 70 60 30 10 3 4
END
}

# --- the dominant kernel -------------------------------------------------------

@test "the dominant kernel is of the highest category, however short" {
  # each category against the next, which runs longer
  set -- compute communication memory elementwise other
  while (($# > 1)); do
    stream <<END
0 7 10 20 $1 high
1 20 5 30 $2 low
2 30 10 20 other under
END
    hides <<'END'
0 10 low
1 10 high
2 10 high
END
    shift
  done
}

@test "no category, and one that is not known, count as other" {
  for category in - strange Compute; do
    stream <<END
0 7 10 20 $category longer
1 20 10 15 other shorter
2 30 10 20 other under
END
    tpa-overlap in >out
    [ "$(fields cover idx name <out | sed -n '$p')" = "2	longer" ]
    [ "$(fields kernel hidden_compute <out | sort -u)" = 0.000 ]
    [ "$(fields kernel category <out | head -n 1)" = "$category" ]
  done
}

@test "of one category the longest is dominant, by its whole duration" {
  stream <<'END'
0 7 0 20 compute longer
1 20 15 34 compute shorter
2 30 18 20 other under
END
  hides <<'END'
0 5 shorter
1 5 longer
2 2 longer
END
}

@test "of equal ones that which began first is dominant" {
  stream <<'END'
0 7 5 25 compute later
1 20 0 20 compute earlier
2 30 10 15 other under
END
  hides <<'END'
0 15 earlier
1 15 later
2 5 earlier
END
}

@test "of those that began together the lowest idx is dominant, in whatever order they come" {
  stream <<'END'
11 7 0 20 compute eleven
9 20 0 20 compute nine
100 40 0 20 compute hundred
3 30 10 15 other under
END
  for _ in 1 2; do
    hides <<'END'
3 5 nine
9 20 eleven
11 20 nine
100 20 nine
END
    tac in >reversed
    mv reversed in
  done
}

@test "the dominant kernel of a kernel's own stream does not cover it, but the best of the others" {
  stream <<'END'
0 7 0 30 compute best
1 7 0 30 other own
2 20 0 30 memory second
3 40 0 30 other third
END
  hides <<'END'
0 30 second
1 30 second
2 30 best
3 30 best
END
}

@test "several kernels of the second stream: the best of them is next" {
  stream <<'END'
0 7 0 30 compute best
1 20 0 10 memory short
2 20 5 25 memory long
3 30 0 30 elementwise third
END
  hides <<'END'
0 20 long
0 5 short
0 5 third
1 10 best
2 20 best
3 30 best
END
}

@test "a kernel can be hidden by one of its own name" {
  stream <<'END'
0 7 0 10 compute k
1 20 5 15 compute k
END
  hides <<'END'
0 5 k
1 5 k
END
}

@test "durations beyond what the heap's key holds still tell which is longer" {
  # 2^59 ns are 18 years
  stream <<'END'
0 7 0 576460752303423490 compute shorter
1 20 0 576460752303423491 compute longer
2 30 0 10 other under
END
  hides <<'END'
0 576460752303423490 longer
1 576460752303423490 shorter
2 10 longer
END
}

# --- covers --------------------------------------------------------------------

@test "covers of a kernel fall, of equal ones the first counted comes first" {
  stream <<'END'
0 7 0 100 other long
1 20 10 20 memory z
2 20 20 30 memory a
3 20 30 50 memory m
4 20 50 60 memory b
END
  hides <<'END'
0 20 m
0 10 z
0 10 a
0 10 b
1 10 long
2 10 long
3 20 long
4 10 long
END
}

@test "what is counted in pieces is added up, and was first counted with its first piece" {
  stream <<'END'
0 7 0 100 other long
1 20 10 15 memory twice
2 20 20 30 memory once
3 20 40 45 memory twice
END
  hides <<'END'
0 10 twice
0 10 once
1 5 long
2 10 long
3 5 long
END
}

@test "counting starts with the kernel, not with what covers it" {
  # b is dominant before a is, but not any more while kernel 3 runs
  stream <<'END'
0 7 0 40 other long
1 20 0 10 memory b
2 20 10 20 memory a
3 30 10 30 elementwise late
4 20 20 30 memory b
END
  tpa-overlap in >out
  [ "$(fields cover idx us name <out | grep '^3	')" = "3	0.010	a
3	0.010	b" ]
  [ "$(fields cover idx us name <out | grep '^0	')" = "0	0.020	b
0	0.010	a" ]
}

@test "what a stream's own kernels were dominant for is not counted as the first for it" {
  # x is dominant at once by stream 7 itself, for kernel 0 by stream 20 only from 30 on
  stream <<'END'
0 7 0 60 other long
1 7 0 10 compute x
2 20 0 10 memory early
3 20 30 40 compute x
END
  tpa-overlap in >out
  [ "$(fields cover idx us name <out | grep '^0	')" = "0	0.010	early
0	0.010	x" ]
}

@test "one name dominant by the own stream, then by another, and nothing starts in between" {
  stream <<'END'
0 7 0 100 other long
1 7 0 10 compute x
2 40 0 5 communication e
3 20 0 25 memory m
4 30 0 45 elementwise x
5 50 0 65 other z
END
  tpa-overlap in >out
  [ "$(fields cover idx us name <out | grep '^0	')" = "0	0.020	m
0	0.020	x
0	0.020	z
0	0.005	e" ]
}

@test "a name counted first while it was second, and then as the dominant one" {
  # for kernel 0, y counts from 0 on under compute of its own stream
  stream <<'END'
0 7 0 60 other long
1 7 0 10 compute own
2 20 0 10 memory y
3 20 20 30 memory z
END
  tpa-overlap in >out
  [ "$(fields cover idx us name <out | grep '^0	')" = "0	0.010	y
0	0.010	z" ]
}

@test "covers come by idx, not by time or arrival" {
  stream <<'END'
10 20 0 10 compute a
9 7 0 10 compute b
2 7 20 30 compute c
1 20 20 30 compute d
END
  hides <<'END'
1 10 c
2 10 d
9 10 a
10 10 b
END
}

@test "a cover has the canonical name, without parameters" {
  {
    record kernel idx=0 stream=7 ts=0.000 dur=1.000 'name=void f<a, b>' 'params=(int, \t)'
    record kernel idx=1 stream=8 ts=0.000 dur=1.000 'name=void f<a, b>' 'params=(long)'
  } >in
  tpa-overlap in >out
  [ "$(fields cover us name <out | sort -u)" = "1.000	void f<a, b>" ]
  [ "$(fields kernel params <out)" = '(int, \t)
(long)' ]
}

# --- windows and groups --------------------------------------------------------

@test "a window's streams are those that ran at once, for a time" {
  stream <<'END'
0 1 0 10 compute a
1 2 10 20 compute b
2 3 10 20 compute c
3 4 20 30 compute d
4 1 20 30 compute e
5 1 20 30 compute f
END
  tpa-overlap in >out
  [ "$(fields window start end busy overlap idle streams kernels <out | in_ns)" = "0 30 30 20 0 2 6" ]
}

@test "stages are apart" {
  stream <<'END'
0 7 0 10 compute a stage=decode
1 20 0 10 compute b stage=extend
2 30 5 10 compute c stage=decode
END
  is <<'END'
k 0 5 5 5
k 1 0 10 0
k 2 5 0 5
c 0 5 c
c 2 5 a
w extend 0 10 10 0 0 1 1
w decode 0 10 10 5 0 2 2
END
}

@test "processes and ranks are apart" {
  stream <<'END'
0 7 0 10 compute a pid=1
0 20 0 10 compute b pid=2
0 20 0 10 compute c rank=1
END
  tpa-overlap in >out
  [ "$(fields kernel hidden <out | sort -u)" = 0.000 ]
  [ "$(grep -c ^window out)" = 3 ]
}

@test "groups: by rank and pid, numbers by value; extend, decode, all, others by their first idx" {
  {
    i=0
    for rank in - 10 2 TP01; do
      for pid in 10 9 x; do
        for stage in zeta all decode alpha prefill; do
          for stream in 1 2; do
            echo "kernel rank=$rank pid=$pid stage=$stage stream=$stream idx=$((i++)) ts=1.000 dur=1.000 name=k"
          done
        done
      done
    done
  } | records >in
  for rank in 2 10 - TP01; do
    for pid in 9 10 x; do
      for stage in prefill decode all zeta alpha; do
        echo "$rank $pid $stage"
      done
    done
  done >want
  shuffled <in >other
  for file in in other; do
    tpa-overlap $file >out
    fields window rank pid stage <out | tr '\t' ' ' >got
    same want got
    fields cover rank pid stage <out | tr '\t' ' ' | uniq >got
    same want got
    grep '^cover' out >covers-$file
  done
  same covers-in covers-other
}

@test "a group's first idx is its lowest, not that which comes first" {
  for kernel in "0 5 zeta" "1 3 alpha" "2 0 zeta" "3 1 middle"; do
    read -r ts idx stage <<<"$kernel"
    echo "kernel idx=$idx stage=$stage ts=$ts.000 dur=1.000 name=k"
  done | records >in
  tpa-overlap in >out
  [ "$(fields window stage <out | tr '\n' ' ')" = "zeta middle alpha " ]
}

@test "one pid and idx in two stages are still two kernels with one idx" {
  stream <<'END'
0 7 0 10 compute a stage=decode
0 20 0 10 compute b stage=extend
END
  run -1 --separate-stderr tpa-overlap in
  [[ $stderr == 'tpa-overlap: in:2: kernel: idx: a second kernel with '* ]]
}

# --- records -------------------------------------------------------------------

@test "kernels come in their order of arrival, after all else, then covers, then windows" {
  {
    echo "kernel idx=5 stream=1 ts=3.000 dur=2.000 name=c"
    echo "cpu_op ts=1.000 dur=1.000 name=op"
    echo "kernel idx=0 stream=2 ts=4.000 dur=2.000 name=b"
    echo "python ts=1.000 dur=1.000 name=f"
    echo "kernel idx=3 stream=1 ts=1.000 dur=2.000 name=a"
  } | records >in
  tpa-overlap in >out
  [ "$(cut -f 1 out | tr '\n' ' ')" = "cpu_op python kernel kernel kernel cover cover window " ]
  [ "$(fields kernel idx <out | tr '\n' ' ')" = "5 0 3 " ]
}

@test "ranks that take turns keep their kernels' order of arrival" {
  for i in 0 1 2 3; do
    for rank in b a c; do
      [ "$rank$i" = a2 ] || echo "kernel rank=$rank idx=$i stream=$i ts=$i.000 dur=9.000 name=k"
    done
  done | records >in
  tpa-overlap in >out
  fields kernel rank idx <in >want
  fields kernel rank idx <out >got
  same want got
}

@test "times are written anew, all else stays as it came" {
  tail='a	\\ \t	-		x'
  {
    printf 'kernel\t\\-\t[TP01] 4\tall\t7\ttid 1\t18446744073709551615\t1e1\t2.5\t007\t-3\tgpu\t-\tx\ty\tz\tna\\x01me\t-\t%s\n' "$tail"
    printf 'kernel\t\\-\t[TP01] 4\tall\t8\t\t\t-0.5\t+1\tany\t\t\t\t\t\t\t\t\t\n'
    printf 'kernel\t\\-\t[TP01] 4\tall\t9\t1\t1\t20.0005\t1\t4294967296\t9223372036854775808\tk\tc\t-\t-\t-\tn\tp\n'
    printf 'kernel\t\\-\t[TP01] 4\tall\t10\t1\t1\t30\t1\t4294967295\t0\tk\tc\t-\t-\t-\tn\tp\t\n'
  } >in
  {
    printf 'kernel\t\\-\t[TP01] 4\tall\t7\ttid 1\t18446744073709551615\t10.000\t2.500\t007\t-3\tgpu\t-\t0.000\t2.500\t0.000\tna\\x01me\t-\t%s\n' "$tail"
    printf 'kernel\t\\-\t[TP01] 4\tall\t8\t\t\t-0.500\t1.000\tany\t\t\t\t0.000\t1.000\t0.000\t\t\t\n'
    printf 'kernel\t\\-\t[TP01] 4\tall\t9\t1\t1\t20.000\t1.000\t4294967296\t9223372036854775808\tk\tc\t0.000\t1.000\t0.000\tn\tp\n'
    printf 'kernel\t\\-\t[TP01] 4\tall\t10\t1\t1\t30.000\t1.000\t4294967295\t0\tk\tc\t0.000\t1.000\t0.000\tn\tp\t\n'
  } >want
  tpa-overlap in | grep '^kernel' >got
  same want got
  sorted_by ts <in | tpa-overlap --sorted | grep '^kernel' | sort >got
  sort want -o want
  same want got
}

@test "all that is not a kernel passes byte for byte" {
  {
    printf '#tpa 1\n#kernel\trank\n\nmine\ta\t\xff\\\n'
    record meta key=trace value=x
    printf 'python\t0\tno columns\n'
    record source name=k
  } >in
  tpa-overlap in >out
  same in out
  tpa-overlap --sorted in >out
  same in out
}

@test "figures of an earlier run are replaced, its covers and windows left out" {
  stream <<'END'
0 7 0 10 compute a
1 20 5 15 memory b
2 30 5 15 other c
END
  tpa-overlap in >want
  # by other categories, and not even times
  tpa-overlap in | sed 's/	compute	/	other	/' | tpa-overlap -q >other
  ! cmp -s want other
  sed 's/	other	0\.005	0\.005	/	compute	x		/' other >in
  fields kernel category hidden exclusive <in | grep -qF 'compute	x	'
  run --separate-stderr tpa-overlap in
  [ "$status" = 0 ]
  [ "$stderr" = 'tpa-overlap: left out 5 cover and window records of an earlier run' ]
  echo "$output" >got
  same want got
  run --separate-stderr tpa-overlap -q in
  [ -z "$stderr" ]
}

@test "no kernels, no figures" {
  record cpu_op ts=1.000 dur=1.000 name=op >in
  tpa-overlap in >out
  same in out
  tpa-overlap </dev/null >out
  same /dev/null out
}

@test "a kernel of no duration is there, but hides nothing and nothing it" {
  stream <<'END'
0 7 0 10 compute a
1 20 5 5 compute never
2 30 20 20 compute later
END
  is <<'END'
k 0 0 10 0
k 1 0 0 0
k 2 0 0 0
w all 0 20 10 0 10 1 3
END
  sort out >want
  tpa-overlap --sorted in | sort >got
  same want got
}

# --- whatever the order --------------------------------------------------------

@test "a sorted or shuffled stream gives the same figures" {
  for name in mi300-resnet-checkpoint dlrm-rank-3 sampled-rank-0; do
    gzip -dc "$GOLDEN/$name.tsv.gz" | grep -E '^(kernel|cover|window)	' | sort >want
    grep '^kernel' want >in
    tpa-overlap in | sort >got
    same want got
    sort -t '	' -k 17,17 -k 8,8r in | tpa-overlap | sort >got
    same want got
    shuffled <in | tpa-overlap | sort >got
    same want got
  done
}

# as_simulated FILE: its records as simulate.awk writes them
as_simulated() {
  {
    fields kernel stage idx hidden exclusive hidden_compute <"$1" | sed 's/^/kernel	/'
    fields cover stage idx us name <"$1" | sed 's/^/cover	/'
    fields window stage start end busy overlap streams kernels <"$1" | sed 's/^/window	/'
  } | in_ns
}

@test "kernels made at random, dense with ties, give what a plain simulation does" {
  while read -r kernels streams names span longest; do
    for seed in 1 2 3; do
      echo "seed=$seed kernels=$kernels streams=$streams"
      awk -v seed="$seed" -v kernels="$kernels" -v streams="$streams" -v names="$names" \
        -v span="$span" -v longest="$longest" -f "$MADE/generate.awk" >in
      awk -f "$MADE/simulate.awk" in | tr '\t' ' ' >want
      tpa-overlap in >out
      as_simulated out >got
      sort want >want-sorted
      sort got >got-sorted
      same want-sorted got-sorted
      for type in cover window; do
        sed -n "/^$type/p" want >want-ordered
        sed -n "/^$type/p" got >got-ordered
        same want-ordered got-ordered
      done
      sorted_by ts <in | tpa-overlap --sorted >out
      as_simulated out | sort >got-sorted
      same want-sorted got-sorted
    done
  done <<'END'
40 3 4 50 20
30 8 30 20 10
60 2 3 200 20
25 25 5 10 10
50 4 2 100 30
10 1 3 20 10
END
}

@test "256 streams at once: covers add up to the hidden time, and --sorted gives the same" {
  awk -v seed=5 -v kernels=20000 -v streams=256 -v names=40 -v span=100000 -v longest=2500 \
    -f "$MADE/generate.awk" | sorted_by ts >in
  tpa-overlap in >out
  awk -F '\t' '
    $1 == "kernel" { hidden[$5] = $14; exclusive = $15; if ($14 + $15 - $9 > 1e-6 || $9 - $14 - $15 > 1e-6) bad++; if ($16 > $14) bad++ }
    $1 == "cover" { covered[$5] += $6; covers++ }
    END {
      for (idx in hidden) if (hidden[idx] - covered[idx] > 1e-6 || covered[idx] - hidden[idx] > 1e-6) bad++
      print bad + 0
      exit !(covers > 20000)
    }' out >bad
  [ "$(cat bad)" = 0 ]
  sort out >want
  tpa-overlap --sorted in | sort >got
  same want got
}

@test "one kernel over ten thousand others, which come and go" {
  awk 'BEGIN {
    OFS = "\t"
    print "kernel", 0, 1, "all", 0, 1, 7, "0.000", "1000.000", "-", "-", "kernel", "communication", "-", "-", "-", "long", "-"
    for (i = 1; i <= 10000; i++)
      print "kernel", 0, 1, "all", i, 1, i % 2 ? 20 : 30, sprintf("%.3f", i / 10), i % 2 ? "0.050" : "0.030", "-", "-", "kernel", \
        i % 3 ? "memory" : "compute", "-", "-", "-", i % 5 ? "a" : "b" , "-"
  }' >in
  for sorted in '' --sorted; do
    tpa-overlap $sorted in >out
    # the last starts when the long one ends
    [ "$(fields kernel idx hidden <out | grep -P '^0\t')" = "0	399.970" ]
    [ "$(fields cover idx us name <out | grep -P '^0\t')" = "0	320.000	a
0	79.970	b" ]
  done
}

# --- ranks ---------------------------------------------------------------------

# trace RANK KERNELS [ANNOUNCED] of two streams, as tpa-extract writes it
trace() {
  record meta rank="$1" key=events value=9
  for ((i = 0; i < $2; i++)); do
    record kernel rank="$1" idx=$i stream=$i ts=$i.000 dur=1.500 name=k$i
  done
  record meta rank="$1" key=kernels value="${3-$2}"
  record meta rank="$1" key=end value=9
}

@test "a rank is written before its end, and forgotten" {
  { trace b 2 && trace a 2; } >in
  for sorted in '' --sorted; do
    tpa-overlap $sorted in >out
    cut -f 1-3 out | sed -n 's/^\([a-z]*	.\)	\(events\|end\|kernels\)$/\1 \2/; s/\(.*	.\)	.*/\1/; p' |
      tr '\t' ' ' | uniq | tr '\n' ';' >got
    if [ -z "$sorted" ]; then
      order='kernel R;cover R;window R;'
    else
      order='kernel R;cover R;kernel R;cover R;window R;'
    fi
    for rank in b a; do
      printf 'meta R events;%smeta R end;' "${order/;window/;window}" | sed "s/R/$rank/g"
    done >want
    # the count of kernels passes on as it comes
    sed -i 's/meta . kernels;//g' got
    same want got
  done
}

@test "a rank whose kernels are not all there yet is finished at the end of input" {
  { trace b 2 3 && record kernel rank=b idx=2 stream=9 ts=1.200 dur=9.000 name=late; } >in
  tpa-overlap in >out
  [ "$(cut -f 1 out | uniq | tr '\n' ' ')" = "meta kernel cover window " ]
  [ "$(fields window kernels <out)" = 3 ]
}

@test "an end that came too soon, as after sort, changes nothing" {
  trace 3 2 | sort >in
  tpa-overlap in | grep -E '^(kernel|cover|window)' | sort >got
  trace 3 2 | tpa-overlap | grep -E '^(kernel|cover|window)' | sort >want
  same want got
}

@test "a kernel after its rank's end is an error" {
  { trace b 2 && record kernel rank=b idx=7 ts=1.200 dur=9.000 name=late; } >in
  run -1 --separate-stderr tpa-overlap in
  [ "$stderr" = 'tpa-overlap: in:6: kernel: rank: a second trace with this rank; give each its label with tpa-extract -l: "b"' ]
}

@test "memory is that of the largest rank, not of all" {
  ranks() {
    awk -v end="$1" 'BEGIN {
      OFS = "\t"
      for (r = 0; r < 40; r++) {
        print "meta", r, "events", 1
        for (i = 0; i < 5000; i++)
          print "kernel", r, 1, "all", i, 1, i % 3, i ".000", "2.500", "-", "-", "kernel", "compute", "-", "-", "-", "k" r i, "-"
        print "meta", r, "kernels", 5000
        if (end) print "meta", r, "end", 1
      }
    }'
  }
  limited() { (ulimit -v 26000 && "$@"); }
  limited tpa-overlap --version || skip "no address space can be spared (a sanitizer's build)"
  ranks 1 >in
  limited tpa-overlap in >got
  [ "$(grep -c ^window got)" = 40 ]
  ranks 0 >in
  run -1 limited tpa-overlap in
}

# --- errors --------------------------------------------------------------------

@test "a second kernel with one idx is an error that names tpa-extract -l" {
  stream <<'END'
3 7 0 10 compute a
4 7 10 20 compute b
3 20 30 40 compute c
END
  for sorted in '' --sorted; do
    run -1 --separate-stderr tpa-overlap $sorted in
    [ "$stderr" = 'tpa-overlap: in:3: kernel: idx: a second kernel with this rank, pid and idx; give each trace its label with tpa-extract -l: "3"' ]
    # what came before it is not lost
    [ "$(grep -c '^kernel' <<<"$output")" = 2 ]
    run -3 --separate-stderr tpa-overlap -k $sorted in
    [ "$(grep -c '^kernel' <<<"$output")" = 2 ]
  done
}

@test "a second idx is found among many, in any order, and below 0" {
  awk 'BEGIN {
    for (i = 0; i <= 9000; i++) print "kernel idx=" (i * 4001) % 9001 - 100 " ts=" i ".000 dur=1.000 name=k"
  }' | records >in
  tpa-overlap in >out
  [ "$(grep -c '^kernel' out)" = 9001 ]
  for idx in -100 -1 0 4095 4096 8900; do
    { cat in && record kernel idx=$idx ts=1.000 dur=1.000 name=k; } >twice
    run -1 --separate-stderr tpa-overlap twice
    [[ $stderr == *": \"$idx\"" ]]
  done
}

@test "what is wrong with a kernel's numbers" {
  bad() { # MESSAGE COLUMN=VALUE...
    record kernel idx=0 ts=1.000 dur=1.000 name=k "${@:2}" >in
    run -1 --separate-stderr tpa-overlap in
    echo "$stderr"
    [ "$stderr" = "tpa-overlap: in:1: kernel: $1" ]
    [ -z "$output" ]
  }
  bad 'idx: not a whole number: "1.5"' idx=1.5
  bad 'idx: not a whole number: "-"' idx=-
  bad 'ts: not a time: "-"' ts=-
  bad 'ts: a time out of range: "4611686018427387.904"' ts=4611686018427387.904
  bad 'dur: not a time: "x"' dur=x
  bad 'dur: a negative duration: "-0.001"' dur=-0.001
  bad 'dur: an end out of range: "1.000"' ts=4611686018427387.000
  printf 'kernel\t0\t1\n' >in
  run -1 --separate-stderr tpa-overlap in
  [ "$stderr" = 'tpa-overlap: in:1: kernel: too few columns: "kernel\x090\x091"' ]
}

@test "the limits of time" {
  stream <<'END'
0 7 0 1 compute a
END
  record kernel idx=1 stream=8 ts=-4611686018427387.902 dur=4611686018427387.902 name=early >>in
  record kernel idx=2 stream=9 ts=0.000 dur=4611686018427387.902 name=late >>in
  tpa-overlap in >out
  [ "$(fields window start end busy overlap idle <out)" = \
    "-4611686018427387.902	4611686018427387.902	9223372036854775.804	0.001	0.000" ]
}

@test "-k drops what is bad and goes on" {
  {
    record kernel idx=0 stream=7 ts=0.000 dur=2.000 name=a
    record kernel idx=1 stream=8 ts=oops dur=2.000 name=b
    record kernel idx=2 stream=9 ts=1.000 dur=2.000 name=c
  } >in
  run -3 --separate-stderr tpa-overlap -k in
  [ "$stderr" = 'tpa-overlap: in:2: kernel: ts: not a time: "oops"' ]
  [ "$(fields cover idx us name <<<"$output")" = "0	1.000	c
2	1.000	a" ]
}

@test "a full disk" {
  stream <<<'0 7 0 10 compute a'
  for sorted in '' --sorted; do
    run -1 --separate-stderr sh -c "tpa-overlap $sorted in >/dev/full"
    [ "$stderr" = 'tpa-overlap: stdout: cannot write: No space left on device' ]
  done
}

# --- --sorted ------------------------------------------------------------------

@test "--sorted writes a kernel when one comes that starts at its end or later" {
  stream <<'END'
0 7 0 10 compute a
1 20 5 30 memory b
2 7 10 20 compute c
3 30 31 32 compute d
4 30 33 40 compute e
END
  tpa-overlap --sorted in >out
  { fields kernel idx <out | sed 's/^/k/' && :; } | tr '\n' ' ' >got
  echo -n 'k0 k2 k1 k3 k4 ' >want
  same want got
  cut -f 1,5 out | tr '\t\n' ' ;' >got
  echo -n 'kernel 0;cover 0;kernel 2;cover 2;kernel 1;cover 1;cover 1;kernel 3;kernel 4;window 0.000;' >want
  same want got
  # as soon as it is known, though more is to come
  head -n 3 in | { cat; printf 'python\n'; } | tpa-overlap --sorted >out
  [ "$(cut -f 1 out | head -n 3 | tr '\n' ' ')" = 'kernel cover python ' ]
}

@test "--sorted: those that end together come by idx" {
  stream <<'END'
9 7 0 10 compute a
3 20 1 10 compute b
10 30 2 10 compute c
1 30 20 30 compute d
END
  tpa-overlap --sorted in >out
  [ "$(fields kernel idx <out | tr '\n' ' ')" = '3 9 10 1 ' ]
}

@test "--sorted: what runs at the end comes by group" {
  stream <<'END'
0 7 0 10 compute a stage=x
1 7 0 20 compute b stage=all
2 7 1 5 compute c stage=all
3 7 3 10 compute d stage=extend
END
  tpa-overlap --sorted in >out
  [ "$(fields kernel idx <out | tr '\n' ' ')" = '3 2 1 0 ' ]
  [ "$(fields window stage <out | tr '\n' ' ')" = 'extend all x ' ]
}

@test "--sorted: a kernel that starts too early is an error, in its own group" {
  stream <<'END'
0 7 10 20 compute a
1 7 5 20 compute b stage=other
2 7 9 20 compute c
3 7 10 30 compute d
END
  run -1 --separate-stderr tpa-overlap --sorted in
  [ "$stderr" = 'tpa-overlap: in:3: kernel: ts: starts before the kernel before it; sort the kernels with tpa-extract --sort, or leave out --sorted: "0.009"' ]
  [ "$(grep -c '^kernel' <<<"$output")" = 2 ]
  run -3 --separate-stderr tpa-overlap --sorted -k in
  [ "$(grep -c '^kernel' <<<"$output")" = 3 ]
}

@test "--sorted gives the records of real traces" {
  for name in mi300-resnet-checkpoint dlrm-rank-3 sampled-rank-1 sglang-deepseek-r1-b300-TP-0-DECODE.trace; do
    gzip -dc "$GOLDEN/$name.tsv.gz" | grep -E '^(kernel|cover|window)	' | sort >want
    grep '^kernel' want | sorted_by ts | tpa-overlap --sorted | sort >got
    same want got
  done
}

@test "--sorted holds only what runs" {
  awk_kernels() {
    awk 'BEGIN {
      OFS = "\t"
      print "kernel", 0, 1, "all", 0, 1, 99, "0.000", "9000000.000", "-", "-", "kernel", "communication", "-", "-", "-", "long", "-"
      for (i = 1; i < 200000; i++)
        print "kernel", 0, 1, "all", i, 1, i % 5, i ".000", "4.500", "-", "-", "kernel", i % 2 ? "compute" : "memory", "-", "-", "-", "k" (i % 50), "-", "unique " i
    }'
  }
  limited() { (ulimit -v 14000 && "$@"); }
  limited tpa-overlap --version || skip "no address space can be spared (a sanitizer's build)"
  awk_kernels >in
  limited tpa-overlap --sorted in >out
  [ "$(grep -c '^kernel' out)" = 200000 ]
  run -1 limited tpa-overlap in
}

# --- options -------------------------------------------------------------------

@test "files one after the other are one stream" {
  stream <<'END'
0 7 0 10 compute a
1 20 5 15 compute b
END
  head -n 1 in >first
  tail -n 1 in >second
  tpa-overlap in >want
  tpa-overlap first second >got
  same want got
  tpa-overlap first - <second >got
  same want got
}

@test "no such option" {
  run -2 --separate-stderr tpa-overlap --unsorted
  [[ $stderr == 'tpa-overlap: '* ]]
}

@test "-k: a group whose kernels were all refused has no window" {
  records >in <<'END'
kernel idx=0 ts=1.000 dur=2.000 stage=decode name=a
kernel idx=0 ts=5.000 dur=2.000 stage=extend name=b
END
  for sorted in '' --sorted; do
    # shellcheck disable=SC2086 # no word, or one
    run -3 --separate-stderr tpa-overlap -k $sorted in
    [ "$(fields window stage kernels <<<"$output")" = $'decode\t1' ]
  done
}
