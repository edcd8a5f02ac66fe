#!/usr/bin/env bats
# tpa-rank: what it adds up, which kernels it names, and what it says of them.

load helper

set -o pipefail

# Records of kernels from lines "IDX TS DUR HIDDEN CATEGORY NAME [COLUMN=VALUE...]",
# in us; what is not hidden is exclusive.  Names are without blanks.
kernels() {
  awk 'NF {
    printf "kernel idx=%s ts=%.3f dur=%.3f hidden=%.3f exclusive=%.3f hidden_compute=0.000", \
      $1, $2, $3, $4, $3 - $4
    printf " category=%s name=%s", $5, $6
    for (i = 7; i <= NF; i++) printf " %s", $i
    print ""
  }' | records
}

# map <<< "NAME SCOPE [LAUNCH [COLUMN=VALUE...]]": a source map that says so ("-": nothing)
map() {
  awk 'NF {
    rest = ""
    for (i = 4; i <= NF; i++) rest = rest " " $i
    printf "source total=4 mapped=4 name=%s%s\n", $1, rest
    if ($2 != "-") printf "site kind=scope count=4 value=%s name=%s%s\n", $2, $1, rest
    if ($3 != "" && $3 != "-") printf "site kind=launch count=4 value=%s name=%s%s\n", $3, $1, rest
  }' | records
}

# gives COLUMN... <in: those columns of the actions are what stands in the file want
gives() {
  tpa-rank <in | fields action "$@" >got
  same want got
}

# dependency <in: of the kernel called this
dependency() {
  tpa-rank <in | fields action name dependency | sed -n 's/^this	//p'
}

# --- totals --------------------------------------------------------------------

@test "kernels add up by name and category" {
  kernels >in <<'END'
0 0 10 4 compute a
1 20 7 0 memory a
2 40 6 6 compute a
3 60 100 0 compute b
END
  tpa-rank -t <in | fields total order name category count total max hidden exclusive >got
  cat >want <<'END'
1	b	compute	1	100.000	100.000	0.000	100.000
2	a	compute	2	16.000	10.000	10.000	6.000
3	a	memory	1	7.000	7.000	0.000	7.000
END
  same want got
}

@test "time hidden by compute adds up" {
  kernels >in <<'END'
0 0 10 4 memory a hidden_compute=1.500
1 20 10 4 memory a hidden_compute=2.000
END
  [ "$(tpa-rank -t <in | fields total hidden_compute)" = 3.500 ]
}

@test "totals come by falling time, equal ones by their first kernel" {
  kernels >in <<'END'
3 60 5 0 other d
2 40 5 0 other c
1 20 6 0 other b
0 0 5 0 other a
END
  [ "$(tpa-rank -t <in | fields total name | xargs)" = "b a c d" ]
}

@test "shares are of the busy time and of the sum" {
  kernels >in <<'END'
0 0 30 0 other a
1 0 10 0 other b
END
  record window start=0.000 end=40.000 busy=30.000 overlap=0.000 idle=0.000 streams=1 kernels=2 >>in
  tpa-rank -t <in | fields total name busy_share sum_share >got
  printf 'a\t100.000\t75.000\nb\t33.333\t25.000\n' >want
  same want got
}

@test "without a window the busy time is that of the kernels' union" {
  kernels >in <<'END'
0 0 10 0 other a
1 5 10 0 other b
2 12 1 0 other c
3 30 5 0 other d
4 35 5 0 other e
END
  tpa-rank -t <in | fields total name busy_share | sed -n 's/^a	//p' >got
  echo 40.000 >want # of 15 + 10
  same want got
}

@test "no busy time at all is no share" {
  kernels <<<"0 0 10 0 other a" >in
  record window start=0.000 end=0.000 busy=0.000 overlap=0.000 idle=0.000 streams=0 kernels=1 >>in
  [ "$(tpa-rank -t <in | fields total busy_share)" = 0.000 ]
}

@test "a kernel without a category counts as other" {
  kernels <<<"0 0 10 0 - a" >in
  [ "$(tpa-rank -t <in | fields total category)" = other ]
  [ "$(tpa-rank <in | fields action category)" = other ]
}

@test "times are exact far from zero" {
  kernels >in <<'END'
0 0 0.001 0 other a ts=1712345678123456.789 dur=0.001 exclusive=0.001
1 0 0.001 0 other a ts=1712345678123456.790 dur=4.999 exclusive=4.999
END
  [ "$(tpa-rank -t <in | fields total total busy_share)" = "5.000	100.000" ]
}

@test "only with -t are there totals" {
  kernels <<<"0 0 10 0 other a" >in
  [ "$(tpa-rank <in | cut -f 1 | xargs)" = action ]
  [ "$(tpa-rank --totals <in | cut -f 1 | xargs)" = "total action" ]
}

# --- which kernels are named ------------------------------------------------------

@test "headroom: at least 5 us in all and 45 percent exclusive" {
  kernels >in <<'END'
0 0 4.999 0 other short
1 10 5 0 other long
2 20 20 11.001 other hidden
3 40 20 11 other exposed
END
  printf 'exposed\nlong\n' >want
  gives name
}

@test "headroom: by exclusive time and the category's weight, compute last" {
  kernels >in <<'END'
0 0 100 0 compute gemm
1 200 100 0 other o
2 400 100 0 elementwise e
3 600 100 0 memory m
4 800 100 0 communication c
END
  printf 'c\nm\ne\no\ngemm\n' >want
  gives name
  kernels >in <<'END'
0 0 130.1 0 elementwise e
1 200 100 0 communication c
2 400 115 0 strange s
3 600 100 0 memory m
4 800 143 0 other o
END
  printf 'e\nc\ns\nm\no\n' >want # 130.1 130 115 115 114.4
  gives name
}

@test "headroom: five rows, equal ones by their first kernel" {
  for i in 0 1 2 3 4 5 6; do echo "$i ${i}0 9 0 other k$i"; done | kernels >in
  printf 'k%s\n' 0 1 2 3 4 >want
  gives name
}

@test "headroom: what has less than one percent of the busy time is left out" {
  kernels >in <<'END'
0 0 1000 0 compute gemm
1 2000 10 0 other small
2 3000 10.203 0 other enough
END
  printf 'enough\ngemm\n' >want
  gives name
}

@test "hidden: elementwise and memory, 5 us in all, 65 percent hidden" {
  kernels >in <<'END'
0 0 10 6.5 elementwise e
1 20 10 7 memory m
2 40 10 6.499 memory half
3 60 10 9 other o
4 80 10 9 compute c
5 100 10 9 communication n
6 120 4.999 4.999 memory short
END
  printf 'm\tlow-roi-hidden\ne\tlow-roi-hidden\n' >want
  gives name verdict
}

@test "hidden: by hidden time, up to twice that where compute hides it" {
  kernels >in <<'END'
0 0 30 30 memory a
1 50 20 20 memory b hidden_compute=11.000
2 100 20 20 memory c hidden_compute=10.000
3 150 20 20 memory d hidden_compute=20.000
END
  printf 'd\nb\na\nc\n' >want # 40 31 30 30, equal ones by their first kernel
  gives name
}

@test "hidden: of equal ones the larger ratio comes first" {
  kernels >in <<'END'
0 0 20 15 memory a
1 50 16 15 memory b
2 90 15 15 memory c
3 150 16 15 memory d
END
  printf 'c\nb\nd\na\n' >want
  gives name
}

@test "hidden: five rows" {
  for i in 0 1 2 3 4 5 6; do echo "$i ${i}0 9 9 memory k$i"; done | kernels >in
  printf 'k%s\n' 0 1 2 3 4 >want
  gives name
}

@test "hidden: a name with a row of headroom gets no second one" {
  kernels >in <<'END'
0 0 100 0 other a
1 200 10 10 memory a
2 300 10 10 memory b
END
  printf 'a\theadroom\nb\tlow-roi-hidden\n' >want
  gives name verdict
}

@test "--rows limits both lists together, in each group" {
  kernels >in <<'END'
0 0 100 0 other a
1 200 100 0 other b
2 300 100 100 memory c
3 400 50 0 other a stage=decode
4 500 50 0 other b stage=decode
END
  for option in "-n 1" "--rows 1"; do
    # shellcheck disable=SC2086 # two words
    tpa-rank $option <in | fields action stage order name >got
    printf 'decode\t1\ta\n' >want
    same want got
  done
  grep -v decode in >all
  [ "$(tpa-rank -n 2 <all | fields action order name | xargs)" = "1 a 2 b" ]
  [ "$(tpa-rank -n 3 <all | fields action order name | xargs)" = "1 a 2 b 3 c" ]
  [ "$(tpa-rank -n 0 <all | fields action order name | xargs)" = "1 a 2 b 3 c" ]
  [ "$(tpa-rank -t -n 1 <all | fields total name | xargs)" = "a b c" ]
}

@test "--min-share leaves small actions out, and counts on" {
  kernels >in <<'END'
0 0 60 0 other a
1 100 30 0 communication b
2 200 10 10 memory c
3 300 0.5 0 other d
END
  tpa-rank -t --min-share 20 -n 2 <in >out
  [ "$(fields action order name <out | xargs)" = "1 a 2 b" ]
  [ "$(fields total name <out | xargs)" = "a b c d" ]
  [ "$(tpa-rank --min-share 59.8 <in | fields action order name | xargs)" = "" ]
  [ "$(tpa-rank --min-share 59.7 <in | fields action order name | xargs)" = "1 a" ]
  [ "$(tpa-rank --min-share 5 -n 3 <in | fields action order name | xargs)" = "1 a 2 b 3 c" ]
}

# --- what is said of them -----------------------------------------------------------

@test "ratios and share" {
  kernels >in <<'END'
0 0 30 10 other a
1 40 70 0 compute b
END
  printf '30.000\t0.6667\t0.3333\n' >want
  tpa-rank <in | grep '	a$' | fields action share exclusive_ratio hidden_ratio >got
  same want got
}

@test "P1 where no neighbour is near: overlap for communication, else fusion" {
  kernels >in <<'END'
0 0 100 0 communication c
1 1000 100 0 memory m
2 2000 100 0 compute g
END
  printf 'c\tP1\ttry overlap\nm\tP1\ttry fusion\ng\tP1\ttry fusion\n' >want
  gives name priority recommendation
}

@test "P2 where one may depend on it" {
  kernels >in <<'END'
0 0 100 0 communication c
1 100 100 0 compute g
END
  printf 'c\tP2\tcheck deps\ng\tP2\tcheck deps\n' >want
  gives name priority recommendation
}

@test "P4 for what is hidden, P5 for less than a percent" {
  kernels >in <<'END'
0 0 1000 0 compute gemm
1 2000 10.304 10.304 memory much
2 3000 9 9 memory little
END
  tpa-rank <in | fields action name priority recommendation | grep -v gemm >got
  printf 'much\tP4\tskip\nlittle\tP5\tskip\n' >want # 1.011 and 0.883 percent
  same want got
}

@test "what is suggested for headroom" {
  kernels >in <<'END'
0 0 100 0 communication c
1 1000 100 0 memory m
2 2000 100 0 elementwise e
3 3000 100 0 compute g
4 4000 100 0 other o
END
  cat >want <<'END'
c	Communication is still exposed. Check overlap with nearby compute.
m	This work is still exposed. Check fusion or nearby compute coverage.
e	This work is still exposed. Check fusion or nearby compute coverage.
o	This work is still exposed. Check stream placement and immediate dependencies.
g	This work is still exposed. Check stream placement and immediate dependencies.
END
  gives name suggestion
}

# covers <<< "IDX US NAME"
covers() {
  awk '{ printf "cover idx=%s us=%.3f name=%s\n", $1, $2, $3 }' | records
}

@test "what hides a kernel most is named with its time" {
  kernels >in <<'END'
0 0 10 10 memory a
1 20 10 10 memory a
2 40 10 10 memory other
END
  covers >>in <<'END'
0 6.049 gemm
0 3.951 nccl
1 5.5 nccl
1 4.5 gemm
2 10 conv
END
  cat >want <<'END'
a	Mostly hidden under gemm (10.5 us). Revisit only if schedule or fusion changes.
other	Mostly hidden under conv (10.0 us). Revisit only if schedule or fusion changes.
END
  gives name suggestion
}

@test "covers are added up by idx and falling time, whatever their order; ties to the first" {
  kernels >in <<'END'
0 0 10 10 memory a
1 20 10 10 memory a
END
  covers >>in <<'END'
1 5 y
1 5 z
0 4 y
0 6 x
END
  # x 6, y 4 + 5, z 5
  [[ "$(tpa-rank <in | fields action suggestion)" == *"under y (9.0 us)"* ]]
  kernels <<<"0 0 10 10 memory a" >in
  covers >>in <<'END'
0 5 second
0 5 third
END
  [[ "$(tpa-rank <in | fields action suggestion)" == *"under second (5.0 us)"* ]]
}

@test "covers of another name, category, stage or process do not count" {
  kernels >in <<'END'
0 0 10 10 memory a
1 20 10 10 elementwise a
2 40 10 10 memory b
0 0 10 10 memory a pid=2
END
  covers >>in <<'END'
1 10 wrong
2 10 wrong
END
  covers <<<"0 10 wrong" | sed 's/^cover	0	1/cover	0	2/' >>in
  covers <<<"0 10 right" >>in
  tpa-rank <in | fields action pid category name suggestion | grep '^1	memory	a	' >got
  grep -q 'under right (10.0 us)' got
}

@test "hidden without a cover" {
  kernels <<<"0 0 10 10 memory a" >in
  echo 'Mostly hidden already. Revisit only if schedule or fusion changes.' >want
  gives suggestion
}

@test "the name that hides is cut to 48 characters, not bytes" {
  name=$(printf 'é%.0s' {1..48})
  kernels <<<"0 0 10 10 memory a" >in
  covers <<<"0 10 $name" >>in
  [[ "$(tpa-rank <in | fields action suggestion)" == "Mostly hidden under $name (10.0 us)."* ]]
  sed -i "s/$name/${name}x/" in
  [[ "$(tpa-rank <in | fields action suggestion)" == "Mostly hidden under ${name:0:90}... (10.0 us)."* ]]
}

@test "a name is unescaped before it is cut, and escaped again" {
  kernels <<<"0 0 10 10 memory a" >in
  name=$(printf '\\x1b%.0s' {1..46})
  covers <<<"0 10 ${name}\\\\\\n" >>in # 46 escapes, a backslash and a line feed
  # the line feed is white space at the end, and is folded away
  [[ "$(tpa-rank <in | fields action suggestion)" == "Mostly hidden under ${name}\\\\ (10.0 us)."* ]]
}

# --- neighbours ----------------------------------------------------------------------

@test "neighbours: the ones before and after on the stream, with their gaps" {
  kernels >in <<'END'
0 0 10 0 compute before
1 10.04 100 0 compute this
2 200.25 10 0 compute after
3 105 1 0 compute elsewhere stream=8
END
  map >>in <<'END'
before a.py(1):f
END
  cat >want <<'END'
before @ a.py(1):f (gap 0.0 us)	after @ unmapped (gap 90.2 us)
END
  tpa-rank <in | grep '	this$' | fields action prev next >got
  same want got
}

@test "neighbours: none at the ends, and only those of the stage" {
  kernels >in <<'END'
0 0 10 0 compute before stage=extend
1 10 100 0 compute this stage=decode
2 110 10 0 compute after stage=extend
END
  tpa-rank <in | grep '	this$' | fields action prev next dependency >got
  printf 'none\tnone\tserial risk low\n' >want
  same want got
}

@test "neighbours: by start, then end, then idx" {
  kernels >in <<'END'
0 50 10 0 compute e
1 50 10 0 compute this
2 50 10 0 compute f
3 50 9 0 compute d
4 50 11 0 compute g
5 49 100 0 compute c
END
  tpa-rank <in | grep '	this$' | fields action prev next >got
  printf 'e @ unmapped (gap 0.0 us)\tf @ unmapped (gap 0.0 us)\n' >want
  same want got
}

@test "neighbours: overlapping ones have no gap" {
  kernels >in <<'END'
0 0 50 0 other a
1 10 50 0 other this
2 20 50 0 other b
END
  tpa-rank <in | grep '	this$' | fields action prev next >got
  printf 'a @ unmapped (gap 0.0 us)\tb @ unmapped (gap 0.0 us)\n' >want
  same want got
}

@test "neighbours: names and scopes are cut to 28 characters" {
  kernels >in <<'END'
0 0 10 0 other aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
1 10 50 0 other this
2 60 10 0 other bbbbbbbbbbbbbbbbbbbbbbbbbbbb
END
  map <<<"bbbbbbbbbbbbbbbbbbbbbbbbbbbb cccccccccccccccccccccccccccccc" >>in
  tpa-rank <in | grep '	this$' | fields action prev next | tr '\t' '\n' >got
  cat >want <<'END'
aaaaaaaaaaaaaaaaaaaaaaaaa... @ unmapped (gap 0.0 us)
bbbbbbbbbbbbbbbbbbbbbbbbbbbb @ ccccccccccccccccccccccccc... (gap 0.0 us)
END
  same want got
}

@test "neighbours: those of the kernel with the most time, the first of equals" {
  kernels >in <<'END'
0 0 10 0 other this
1 100 20 0 other this
2 120 1 0 other near
3 300 20 0 other this
4 320 1 0 other far
END
  [[ "$(tpa-rank <in | grep '	this$' | fields action next)" == near* ]]
}

# --- dependency -----------------------------------------------------------------------

@test "dependency: both sides, one side, none" {
  kernels >in <<'END'
0 0 10 0 compute a
1 10 100 0 memory this
2 110 10 0 compute b
END
  [ "$(dependency <in)" = "both-side serial risk" ]
  kernels >in <<'END'
0 0 10 0 compute a
1 10 100 0 memory this
2 300 10 0 compute b
END
  [ "$(dependency <in)" = "prev-side serial risk" ]
  kernels >in <<'END'
0 0 10 0 compute a
1 100 100 0 memory this
2 200 10 0 compute b
END
  [ "$(dependency <in)" = "next-side serial risk" ]
  kernels >in <<'END'
0 0 10 0 compute a
1 100 100 0 memory this
2 300 10 0 compute b
END
  [ "$(dependency <in)" = "serial risk low" ]
}

# side DUR GAP: the dependency on a compute kernel that far before
side() {
  kernels >in <<END
0 0 10 0 compute a
1 $(awk -v gap="$2" 'BEGIN { printf "%.3f", 10 + gap }') $1 0 memory this
END
  dependency <in
}

@test "dependency: near is 15 percent of the kernel, but 2 to 20 us" {
  [ "$(side 100 15.000)" = "prev-side serial risk" ]
  [ "$(side 100 15.001)" = "serial risk low" ]
  [ "$(side 5 2.000)" = "prev-side serial risk" ]
  [ "$(side 5 2.001)" = "serial risk low" ]
  [ "$(side 1000 20.000)" = "prev-side serial risk" ]
  [ "$(side 1000 20.001)" = "serial risk low" ]
}

@test "dependency: by what the categories do" {
  while read -r mine theirs signal; do
    kernels >in <<END
0 0 10 0 $theirs a
1 10 100 0 $mine this
END
    map >>in <<'END'
a a.py(1):f
this b.py(1):g
END
    [ "$(dependency <in)" = "${signal//_/ }" ]
  done <<'END'
communication compute prev-side_serial_risk
communication elementwise prev-side_serial_risk
communication memory prev-side_serial_risk
communication other prev-side_serial_risk
communication communication serial_risk_low
memory compute prev-side_serial_risk
memory communication prev-side_serial_risk
memory memory prev-side_serial_risk
memory elementwise prev-side_serial_risk
memory other serial_risk_low
elementwise compute prev-side_serial_risk
elementwise other serial_risk_low
compute memory serial_risk_low
other memory serial_risk_low
END
}

# scopes MINE THEIRS [LAUNCH LAUNCH]
scopes() {
  kernels >in <<'END'
0 0 10 0 other a
1 10 100 0 other this
END
  { echo "this $1 ${3-}"; echo "a $2 ${4-}"; } | map >>in
  dependency <in
}

@test "dependency: one file, or functions of one name" {
  [ "$(scopes 'x.py(1):f' 'x.py(9):g')" = "prev-side serial risk" ]
  [ "$(scopes 'x.py(1):f' 'y.py(9):f')" = "prev-side serial risk" ]
  [ "$(scopes 'x.py(1):f' 'y.py(9):g')" = "serial risk low" ]
  [ "$(scopes x.py x.py)" = "prev-side serial risk" ]
  [ "$(scopes n/a n/a)" = "serial risk low" ]
}

@test "dependency: one CPU op, but no launch and nothing that is none" {
  [ "$(scopes 'x.py(1):f' 'y.py(9):g' aten::mm aten::mm)" = "prev-side serial risk" ]
  [ "$(scopes 'x.py(1):f' 'y.py(9):g' aten::mm aten::add)" = "serial risk low" ]
  [ "$(scopes 'x.py(1):f' 'y.py(9):g' cudaLaunchKernel cudaLaunchKernel)" = "serial risk low" ]
  [ "$(scopes 'x.py(1):f' 'y.py(9):g' hipMemcpyAsync hipMemcpyAsync)" = "serial risk low" ]
  [ "$(scopes 'x.py(1):f' 'y.py(9):g' n/a n/a)" = "serial risk low" ]
  { kernels <<<$'0 0 10 0 other a\n1 10 100 0 other this'
    map <<<$'a x.py(1):f time-window_fallback\nthis y.py(2):g time-window_fallback' |
      tr _ ' '; } >in
  [ "$(dependency <in)" = "serial risk low" ]
}

@test "dependency: an op without frames is for display alone" {
  kernels >in <<'END'
0 0 10 0 other a
1 10 100 0 other this
END
  records >>in <<'END'
source total=1 mapped=0 name=a
site kind=op count=1 value=aten::mm name=a
source total=1 mapped=0 name=this
site kind=op count=1 value=aten::mm name=this
END
  [ "$(dependency <in)" = "adjacency unclear" ]
  [ "$(tpa-rank <in | fields action launch_op | sort -u)" = aten::mm ]
}

@test "dependency: unclear where a near scope is not known" {
  [ "$(scopes 'x.py(1):f' -)" = "adjacency unclear" ]
  [ "$(scopes - 'x.py(1):f')" = "adjacency unclear" ]
  kernels <<<"0 0 10 0 other this" >in
  [ "$(dependency <in)" = "serial risk low" ]
}

@test "dependency: a risk on one side outweighs what is unclear on the other" {
  kernels >in <<'END'
0 0 10 0 other a
1 10 100 0 other this
2 110 10 0 other b
END
  map <<<$'this x.py(1):f\nb x.py(2):g' >>in
  [ "$(dependency <in)" = "next-side serial risk" ]
}

# --- the source map ----------------------------------------------------------------------

# scope_of NAME MAP...: the scope of a kernel of that name under that map
scope_of() {
  { kernels <<<"0 0 10 0 compute $1"; cat; } | tpa-rank -t >out
  fields action scope <out
}

@test "an action shows the best scope and launch, and how much is mapped" {
  kernels <<<"0 0 10 0 compute a" >in
  records >>in <<'END'
source total=16 mapped=5 name=a
site kind=scope count=2 value=x name=a
site kind=scope count=3 value=y name=a
site kind=launch count=3 value=aten::mm name=a
site kind=launch count=3 value=aten::bmm name=a
site kind=op count=9 value=aten::linear name=a
END
  printf 'y\taten::mm\t0.3125\n' >want
  gives scope launch_op mapping_ratio
  [ "$(tpa-rank -t <in | fields total scope launch_op)" = "y	aten::mm" ]
}

@test "what is not known is unmapped and n/a, in a total just not known" {
  kernels <<<"0 0 10 0 compute a" >in
  printf 'unmapped\tn/a\t0.0000\n' >want
  gives scope launch_op mapping_ratio
  [ "$(tpa-rank -t <in | fields total scope launch_op)" = "-	-" ]
}

@test "the op seen most is shown where no frames are known" {
  kernels <<<"0 0 10 0 compute a" >in
  records >>in <<'END'
source total=3 mapped=0 name=a
site kind=op count=1 value=aten::add name=a
site kind=op count=2 value=aten::mm name=a
END
  [ "$(tpa-rank <in | fields action launch_op)" = aten::mm ]
  [ "$(tpa-rank -t <in | fields total launch_op)" = aten::mm ]
}

@test "source maps add up" {
  records >map <<'END'
source total=4 mapped=2 name=a
site kind=scope count=2 value=x name=a
source total=4 mapped=4 name=a
site kind=scope count=3 value=y name=a
site kind=scope count=2 value=x name=a
END
  [ "$(scope_of a <map)" = x ]
  [ "$(fields action mapping_ratio <out)" = 0.7500 ]
}

@test "of equal counts the one counted first is the best" {
  records >map <<'END'
source total=4 mapped=4 name=a
site kind=scope count=1 value=x name=a
site kind=scope count=2 value=y name=a
site kind=scope count=1 value=x name=a
END
  [ "$(scope_of a <map)" = x ]
}

@test "sites may come before their source" {
  map <<<"a x" | tac >map
  [ "$(scope_of a <map)" = x ]
}

@test "the map of a stage: its own, else that of all, else the only one" {
  kernels <<<"0 0 10 0 compute a stage=decode" >in
  map <<<"a only - stage=extend" >>in
  [ "$(tpa-rank <in | fields action scope)" = only ]
  map <<<"a another - stage=warmup" >>in
  [ "$(tpa-rank <in | fields action scope)" = unmapped ]
  map <<<"a all - stage=all" >>in
  [ "$(tpa-rank <in | fields action scope)" = all ]
  map <<<"a own - stage=decode" >>in
  [ "$(tpa-rank <in | fields action scope)" = own ]
}

@test "names: the same one beats all others" {
  [ "$(map <<<$'gem x\nGEMM y\ngemm z\ngemm2 w' | scope_of gemm)" = z ]
}

@test "names: one that begins with the other, the longer the better" {
  [ "$(map <<<$'gem x\ngemm_ke y\nge z' | scope_of gemm_kernel)" = y ]
  [ "$(map <<<$'GEMM_kernel_128 x\ngemm_kernel_256 y' | scope_of gemm_Kernel)" = x ]
}

@test "names: a part counts half as much as a beginning" {
  [ "$(map <<<$'kernel x\nge y' | scope_of gemm_kernel)" = x ]       # 6 / 2 > 2
  [ "$(map <<<$'kernel x\ngemm y' | scope_of gemm_kernel)" = y ]     # 6 / 2 < 4
  [ "$(map <<<$'_kernel x\ngem y' | scope_of gemm_kernel)" = x ]     # 7 / 2 = 3, the first
  [ "$(map <<<$'my_gemm_kernel x' | scope_of gemm_kernel)" = x ]
  [ "$(map <<<$'conv x' | scope_of gemm_kernel)" = unmapped ]
}

@test "names: lengths are in characters" {
  # a part of eleven characters in fifteen bytes, a beginning of six and one of five
  [ "$(map <<<$'éééé_kernel x\nabcdef y' | scope_of abcdef_éééé_kernel)" = y ]
  [ "$(map <<<$'éééé_kernel x\nabcde y' | scope_of abcdef_éééé_kernel)" = x ]
}

# long PREFIX N TAIL: a name of N letters after the prefix, then the tail
long() {
  local fill

  fill=$(printf 'abcdefghij%.0s' {1..40})
  echo "$1${fill:0:$2}$3"
}

@test "names: both of 96 letters and digits, the same 64 at the beginning" {
  asked=$(long k 63 "$(long x 35 '')")
  [ "$(map <<<"$(long K 63 "<$(long y 31 '')") x" | scope_of "$asked")" = x ] # 64 + 32
  [ "$(map <<<"$(long K 63 "<$(long y 30 '')") x" | scope_of "$asked")" = unmapped ]
  [ "$(map <<<"$(long k 62 "$(long y 60 '')") x" | scope_of "$asked")" = unmapped ]
  asked=$(long k 63 "$(long x 30 '')") # 95
  [ "$(map <<<"$(long k 63 "$(long y 60 '')") x" | scope_of "$asked")" = unmapped ]
}

@test "names: the common beginning must be two fifths of the shorter" {
  asked=$(long k 79 "$(long x 400 '')") # 80 in common
  [ "$(map <<<"$(long k 79 "$(long y 121 '')") x" | scope_of "$asked")" = x ]           # of 202: 80.8
  [ "$(map <<<"$(long k 79 "$(long y 122 '')") x" | scope_of "$asked")" = unmapped ]    # of 203: 81.2
}

@test "names: the longest common beginning wins, the first of equals" {
  asked=$(long k 90 "$(long x 40 '')")
  [ "$(map <<<"$(long k 70 "$(long y 40 '')") x
$(long k 71 "$(long y 40 '')") y
$(long k 71 "$(long z 40 '')") z" | scope_of "$asked")" = y ]
}

@test "names: words that stand for a kernel" {
  while read -r asked known; do
    [ "$(map <<<"$known x" | scope_of "$asked")" = x ]
  done <<'END'
FlashAttnFwdCombine<1> flash::flash_attn_fwd_sm90
flash_attn_fwd_combine vllm_fa3c_fwd
kernelMha masked_multihead_attention_kernel<2>
applyBiasRopeUpdateKVCacheV2 fusedQKNormRopeKernel
Memset_(Device) my_memset
END
  [ "$(map <<<"flash_attn_fwd_sm90 x" | scope_of gemm_kernel_memset)" = unmapped ]
}

@test "names: words are looked for in scope, chain and launch, too" {
  kernels <<<"0 0 10 0 compute kernelMha" >in
  records >map <<'END'
source total=1 mapped=1 name=zzz
site kind=scope count=1 value=s name=zzz
END
  cat in map >none
  [ "$(tpa-rank <none | fields action scope)" = unmapped ]
  for kind in chain launch; do
    { cat in map; record site kind=$kind count=1 value=attention_in_place name=zzz; } >here
    [ "$(tpa-rank <here | fields action scope)" = s ]
  done
  { cat in map; record site kind=op count=1 value=attention_in_place name=zzz; } >here
  [ "$(tpa-rank <here | fields action scope)" = unmapped ]
}

@test "names: of words the longest, then the better scope, then the better mapped" {
  words() { scope_of kernelMha; }
  [ "$(map <<<$'attention_in_place_a x\nmasked_multihead_attention_kernel y' | words)" = y ]
  [ "$(map <<<$'attention_in_place_a x.py(1):f\nattention_in_place_b vllm/x.py(1):f' | words)" \
    = "vllm/x.py(1):f" ]
  { record source total=2 mapped=1 name=attention_in_place_a
    record site kind=scope count=1 value=x name=attention_in_place_a
    map <<<"attention_in_place_b y"; } >map
  [ "$(words <map)" = y ]
  [ "$(map <<<$'attention_in_place_a x\nattention_in_place_b y' | words)" = x ]
}

@test "names: of several kinds that a kernel is of, words for the last count most" {
  [ "$(map <<<$'vllm_flash_attn_flash_attn_interface x\nattention_in_place y' |
    scope_of flash_attn_fwd_combine_kernelMha)" = y ]
}

@test "-m maps serve every rank, and add up with what is in the stream" {
  kernels <<<$'0 0 10 0 compute a\n0 0 10 0 compute a rank=1' >in
  map <<<"a x" | sed 's/	0	/	9	/' >first
  map <<<"a y" >second
  [ "$(tpa-rank -m first <in | fields action rank scope | xargs)" = "0 x 1 x" ]
  [ "$(tpa-rank -m second --map first <in | fields action rank scope | xargs)" = "0 y 1 y" ]
  [ "$(cat in second | tpa-rank -m first | fields action rank scope mapping_ratio | xargs)" \
    = "0 x 1.0000 1 x 1.0000" ]
  cat second second >twice
  [ "$(cat in twice | tpa-rank -m first | fields action rank scope | xargs)" = "0 y 1 x" ]
}

@test "a map put into the stream serves every rank; a rank's own only itself" {
  kernels <<<$'0 0 10 0 compute a\n0 0 10 0 compute a rank=1' >in
  map <<<"a x" | sed 's/	0	/	map	/' >map
  [ "$(cat map in | tpa-rank | fields action rank scope | xargs)" = "0 x 1 x" ]
  [ "$(cat in map | tpa-rank | fields action rank scope | xargs)" = "0 x 1 x" ]
  map <<<"a y" >own
  [ "$(cat own in | tpa-rank | fields action rank scope | xargs)" = "0 y 1 unmapped" ]
  cat own own >more
  [ "$(cat more in map | tpa-rank | fields action rank scope | xargs)" = "0 y 1 x" ]
  # equal counts: the map that was put in counts first
  [ "$(cat own in map | tpa-rank | fields action rank scope | xargs)" = "0 x 1 x" ]
}

@test "a map without records is worth a note" {
  kernels <<<"0 0 10 0 compute a" >in
  run -0 --separate-stderr tpa-rank -m in in
  [ "$stderr" = "tpa-rank: in: no source records in it; tpa-srcmap -s writes them" ]
  run -0 --separate-stderr tpa-rank -q -m in in
  [ "$stderr" = "" ]
}

@test "a bad or missing map is an error; -m - needs a FILE" {
  kernels <<<"0 0 10 0 compute a" >in
  run -1 --separate-stderr tpa-rank -m missing in
  [ "$stderr" = "tpa-rank: missing: cannot open: No such file or directory" ]
  { map <<<"a x"; record site kind=scope count=-1 value=x name=a; } >bad
  run -1 --separate-stderr tpa-rank -m bad in
  [ "$stderr" = 'tpa-rank: bad:3: site: count: a count less than zero: "-1"' ]
  [ "$output" = "" ]
  run -3 --separate-stderr tpa-rank -k -m bad in
  [ "$(fields action scope <<<"$output")" = x ]
  record site kind=what count=1 value=x name=a >bad
  run -1 --separate-stderr tpa-rank -m bad in
  [ "$stderr" = 'tpa-rank: bad:1: site: kind: neither scope, chain, launch nor op: "what"' ]
  run -2 tpa-rank -m - <in
  [ "$(map <<<"a x" | tpa-rank -m - in | fields action scope)" = x ]
}

# --- groups and ranks --------------------------------------------------------------------

@test "ranks, processes and stages are ranked each for itself" {
  kernels >in <<'END'
0 0 10 0 compute a
1 20 10 0 compute a stage=decode
0 0 10 0 compute a pid=2 stage=decode
0 0 10 0 compute a rank=1 stage=decode
END
  printf '%s\t%s\tdecode\t10.000\t100.000\n' 0 1 0 2 1 1 >want
  gives rank pid stage total share
}

@test "stages come in the order of the work; all only where there is no other" {
  kernels >in <<'END'
0 0 10 0 compute a stage=late
1 20 10 0 compute a stage=decode
2 30 10 0 compute a stage=early
3 40 10 0 compute a stage=prefill
4 50 10 0 compute a stage=all
5 60 10 0 compute a stage=extend
END
  printf 'prefill\nextend\ndecode\nlate\nearly\n' >want
  gives stage
  tac in >other && mv other in
  gives stage
  kernels <<<$'0 0 10 0 compute a\n1 10 10 0 compute a' >in
  echo all >want
  gives stage
}

# A trace's records: its kernels, its covers and its meta records
trace() { # RANK
  kernels <<<"0 0 10 5 memory a rank=$1
1 5 10 5 compute b rank=$1"
  covers <<<$'0 5 b\n1 5 a' | sed "s/^cover	0/cover	$1/"
  records <<END
window rank=$1 start=0.000 end=15.000 busy=15.000 overlap=5.000 idle=0.000 streams=1 kernels=2
meta rank=$1 key=events value=2
meta rank=$1 key=kernels value=2
END
}

@test "a rank is ranked before its end record" {
  { trace 0; record meta rank=0 key=end value=2; trace 1; record meta rank=1 key=end value=2; } >in
  tpa-rank -a <in >out
  cut -f 1,2 out | uniq | xargs >got
  echo "kernel 0 cover 0 window 0 meta 0 action 0 meta 0" \
    "kernel 1 cover 1 window 1 meta 1 action 1 meta 1" >want
  same want got
  grep -v ^action out >rest
  same in rest
  tpa-rank <in >plain
  grep -v '	end	' in | tpa-rank >late
  same plain late
}

@test "an end that is not the end does not count" {
  { trace 0; record meta rank=0 key=end value=2; } >in
  tpa-rank <in >want
  for first in kernel cover; do
    { grep -v "^$first" in; grep "^$first" in; } >moved
    tpa-rank <moved >got
    same want got
  done
  sort in | tpa-rank >got
  same want got
  sort -r in | tpa-rank >got
  same want got
  # windows may come late: the busy time is known from the kernels
  { grep -v ^window in; grep ^window in; } | tpa-rank >got
  same want got
}

@test "the end waits for the sources that are announced" {
  { record meta key=sources value=1; record meta key=sites value=1; trace 0; } >in
  record meta key=end value=2 >>in
  map <<<"b x" >>in
  tpa-rank <in | fields action name scope | grep b >got
  printf 'b\tx\n' >want
  same want got
}

@test "ranks wait for the end of input while a map in the stream may be for them" {
  map <<<"b x" | sed 's/	0	/	map	/' >in
  { trace 0; record meta rank=0 key=end value=2; trace 1; record meta rank=1 key=end value=2; } >>in
  tpa-rank -a <in >out
  [ "$(cut -f 1 out | uniq | tail -n 2 | xargs)" = "meta action" ]
  [ "$(fields action rank name scope <out | grep b | xargs)" = "0 b x 1 b x" ]
}

@test "a source map that comes too late is an error, not a wrong figure" {
  { trace 0; record meta rank=0 key=end value=2; } >in
  map <<<"b x" >late
  run -1 --separate-stderr tpa-rank in late
  [[ "$stderr" == "tpa-rank: late:1: source: rank: the rank was complete without it;"* ]]
  [ "$(fields action name <<<"$output" | xargs)" = "a b" ]
  sed -i 's/	0	/	map	/' late
  run -1 --separate-stderr tpa-rank in late
  [ "$stderr" = "tpa-rank: the source map of rank map came too late for the ranks before it; put it first or give it with -m" ]
}

@test "a rank without kernels gives nothing" {
  records >in <<'END'
meta key=events value=3
meta key=kernels value=0
meta key=end value=3
END
  tpa-rank -a <in >out
  same in out
}

# --- passing on, and errors -----------------------------------------------------------------

@test "-a passes everything else on, before the results" {
  { echo '#tpa 1'; kernels <<<"0 0 10 0 compute a"; map <<<"a x"; echo 'mine	1'; } >in
  record python ts=0.000 dur=1.000 name=f >>in
  for option in -a --all; do
    tpa-rank $option <in >out
    head -n -1 out >got
    same in got
    [ "$(tail -n 1 out | cut -f 1)" = action ]
  done
  [ "$(tpa-rank <in | cut -f 1)" = action ]
}

@test "a sorted stream gives the same records" {
  chain "$TRACES/sglang-qwen3-8b-graph-replay.json.gz" | grep -E '^(kernel|cover|window)' >in
  tpa-rank -t <in >want
  sort in | tpa-rank -t >got
  same want got
  sort -t '	' -k 14,14 in | tpa-rank -t >got
  same want got
}

@test "kernels that tpa-overlap has not seen are an error that says so" {
  record kernel idx=0 ts=1.000 dur=1.000 name=a >in
  run -1 --separate-stderr tpa-rank in
  [ "$stderr" = 'tpa-rank: in:1: kernel: hidden: not known; run tpa-overlap first: "-"' ]
}

@test "two kernels with one idx are an error that names the way out" {
  kernels <<<$'0 0 10 0 compute a\n1 20 10 0 compute a\n0 40 10 0 compute b' >in
  kernels <<<"0 0 10 0 compute c rank=1" >>in
  run -1 --separate-stderr tpa-rank in
  [ "$stderr" = "tpa-rank: two kernels of rank 0, pid 1 have idx 0; label the traces with tpa-extract -l" ]
  [ "$(fields action rank name <<<"$output" | xargs)" = "1 c" ]
  { trace 0; record meta rank=0 key=end value=2; } >in
  run -1 --separate-stderr tpa-rank in in
  [[ "$stderr" == "tpa-rank: in:1: kernel: rank: a second trace with this rank;"* ]]
}

@test "two windows of one group that differ are an error" {
  kernels <<<"0 0 10 0 compute a" >in
  for busy in 10.000 11.000; do
    record window start=0.000 end=10.000 busy=$busy overlap=0.000 idle=0.000 streams=1 kernels=1
  done >>in
  run -1 --separate-stderr tpa-rank in
  [[ "$stderr" == "tpa-rank: in:3: window: a second window of this rank, process and stage;"* ]]
}

@test "times that cannot be are errors" {
  while read -r column value message; do
    kernels <<<"0 0 10 0 compute a $column=$value" >in
    run -1 --separate-stderr tpa-rank in
    [ "$stderr" = "tpa-rank: in:1: kernel: $column: ${message//_/ }: \"$value\"" ]
  done <<'END'
dur -1.000 a_time_less_than_zero
hidden -0.001 a_time_less_than_zero
dur - not_known;_run_tpa-overlap_first
ts - not_a_time
idx - not_a_whole_number
END
  for idx in 0 1 2; do
    kernels <<<"$idx 0 10 0 compute a dur=4000000000000000.000"
  done >in
  run -1 --separate-stderr tpa-rank in
  [[ "$stderr" == "tpa-rank: in:3: kernel: dur: a time too large to add to those before it:"* ]]
}

@test "with -k, each number that is too large to add is left out" {
  for idx in 0 1 2 3 4; do
    kernels <<<"$idx 0 10 0 compute a dur=4000000000000000.000"
  done >in
  run -3 --separate-stderr tpa-rank -k -t in
  [ "$(grep -c 'too large to add' <<<"$stderr")" = 3 ]
  [ "$(fields total count total <<<"$output")" = $'2\t8000000000000000.000' ]
  kernels <<<"0 0 10 0 compute a" >in
  for count in 5000000000000000000 5000000000000000000 4000000000000000000; do
    record site kind=scope count=$count value=x name=a
  done >map
  run -3 --separate-stderr tpa-rank -k -m map in
  [ "$(grep -c 'a count out of range' <<<"$stderr")" = 1 ]
  [ "$(fields action scope <<<"$output")" = x ]
}

@test "-k drops a bad kernel and ranks the others" {
  kernels <<<$'0 0 10 0 compute a\n1 20 bad 0 compute b\n2 40 10 0 compute c' |
    sed '2s/0\.000/x/g' >in
  run -3 --separate-stderr tpa-rank -k in
  [ "$(fields action name <<<"$output" | xargs)" = "a c" ]
}

@test "options that make no sense are misuse" {
  for wrong in "-n -1" "-n x" "--min-share x" "--min-share -1" -z; do
    # shellcheck disable=SC2086 # two words
    run -2 tpa-rank $wrong </dev/null
  done
}

@test "three thousand names against three thousand others are nothing" {
  awk 'BEGIN {
    for (i = 0; i < 3000; i++) {
      name = sprintf("void at::native::elementwise_kernel<%d, at::native::op%d>", i % 7, i * 7919 % 3001)
      print "source\t0\tall\t1\t1\t-\t-\tvoid cutlass::Kernel_" i "<" name ">"
      printf "kernel\t0\t1\tall\t%d\t1\t7\t%d.000\t5.000\t-\t-\tkernel\tother\t0.000\t5.000\t0.000\t%s\t-\n", i, i * 10, name
    }
  }' >in
  (ulimit -t 20 && tpa-rank -t <in >out)
  [ "$(grep -c '^total' out)" = 3000 ]
}

@test "a million kernels take bounded memory" {
  kernels_to() {
    awk -v count="$1" 'BEGIN {
      for (i = 0; i < count; i++)
        printf "kernel\t0\t1\tall\t%d\t1\t7\t%d.000\t5.000\t-\t-\tkernel\tother\t0.000\t5.000\t0.000\tk%d\t-\n", i, i * 10, i % 100
    }'
  }
  limited() { (ulimit -v 170000 && "$@"); } # of 64 MB of kernels in aligned pages
  limited tpa-rank --version || skip "no address space can be spared (a sanitizer's build)"
  kernels_to 1000000 | limited tpa-rank >out
  [ "$(grep -c ^action out)" = 5 ]
}

# Kernels made up at random, with as many ties as possible, and what the reference
# script makes of them: tests/data/rank/README says how they came to be.
@test "what the reference script says of kernels made up at random" {
  for case in "$TESTS"/data/rank/*/; do
    echo "$case"
    check_case rank "$(basename "$case")"
  done
}
