#!/usr/bin/env bats
# tpa-fmt: tables, Markdown and JSON lines.  The other formats have files of
# their own.

load helper
load trace

set -o pipefail

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  tab=$'\t'
}

# action [COLUMN=VALUE...]
action() {
  record action stage=decode order=1 priority=P1 verdict=headroom \
    recommendation="try fusion" category=memory total=1234.567 share=12.345 \
    exclusive_ratio=0.9707 hidden_ratio=0.0293 dependency="serial risk low" \
    mapping_ratio=1.0000 launch_op=aten::copy_ scope="vllm/a.py(7): f" prev=none next=none \
    suggestion="This work is still exposed." name=k "$@"
}

total() {
  record total stage=decode order=1 category=memory count=3 total=10.000 max=5.000 \
    hidden=2.600 exclusive=7.400 hidden_compute=0.000 busy_share=12.345 sum_share=6.789 \
    launch_op=aten::copy_ scope="vllm/a.py(7): f" name=k "$@"
}

kernel() {
  record kernel idx=3 ts=1712345678123456.789 dur=1.500 name=k "$@"
}

# terminal WIDTH ARGUMENT...: tpa-fmt as a terminal of that width shows it
terminal() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  COLUMNS=$1 script -qec "tpa-fmt $(printf '%q ' "${@:2}")" /dev/null </dev/null | tr -d '\r'
}

# The width of the widest line.
widest() {
  LC_ALL=C.UTF-8 wc -L <"$1"
}

# --- tables ------------------------------------------------------------------------

@test "actions: what a person wants to know, then the suggestion" {
  action >in
  tpa-fmt <in >got
  cat >want <<'END'
what to try first: rank 0, pid 1, stage decode
prio  verdict   time ms  % of busy  excl/hid %  risk  advice      scope            kernel
P1    headroom    1.235      12.35    97.1/2.9  low   try fusion  vllm/a.py(7): f  k
    This work is still exposed.
END
  same want got
  tpa-fmt -f table in >got
  same want got
  tpa-fmt --format table - <in >got
  same want got
}

@test "actions: the risk in one word" {
  while IFS=: read -r signal risk; do
    action dependency="$signal" | tpa-fmt | grep -q "  $risk  *try fusion  "
  done <<'END'
serial risk low:low
prev-side serial risk:high
next-side serial risk:high
both-side serial risk:high
adjacency unclear:unclear
something else:something else
END
}

@test "totals: times, shares of what, launches, mean, longest, hidden, op, scope" {
  total >in
  tpa-fmt <in >got
  cat >want <<'END'
kernel times: rank 0, pid 1, stage decode
category  time ms  % of busy  % of sum  launches  mean us  longest us  hidden ms  op           scope            kernel
memory      0.010      12.35      6.79         3      3.3         5.0      0.003  aten::copy_  vllm/a.py(7): f  k
END
  same want got
}

@test "a section for each rank, process and stage" {
  { action; action name=l; action stage=extend; action rank=1; action rank=- pid=-; } >in
  tpa-fmt <in | grep -E '^what|^$' >got
  cat >want <<'END'
what to try first: rank 0, pid 1, stage decode

what to try first: rank 0, pid 1, stage extend

what to try first: rank 1, pid 1, stage decode

what to try first: stage decode
END
  same want got
  [ "$(tpa-fmt <in | grep -c '^prio')" = 4 ]
}

@test "every type of record has a table" {
  for type in meta kernel cpu_op python launch span cover window source site; do
    record "$type" | sed 's/-/7/' >in
    tpa-fmt <in >out
    [ "$(wc -l <out)" = 3 ] || { cat out; return 1; }
  done
  record window start=1.000 end=9.000 busy=1000.000 overlap=500.000 idle=2.000 streams=2 kernels=3 |
    tpa-fmt >got
  cat >want <<'END'
windows
rank  pid  stage  start us  busy ms  overlapped ms  idle ms  streams  kernels
0     1    all       1.000    1.000          0.500    0.002        2        3
END
  same want got
}

@test "columns are as wide as their widest cell, in characters" {
  record meta key=é value=a >in
  record meta key=日本 value=b >>in
  record meta key=$'e\xcc\x81xyz' value=c >>in
  tpa-fmt <in >got
  cat >want <<END
about the traces
rank  key   value
0     é     a
0     日本  b
0     e$(printf '\xcc\x81')xyz  c
END
  same want got
}

@test "long sections come in blocks of a thousand rows, each with its titles" {
  awk 'BEGIN { for (i = 0; i < 2500; i++) print "meta\t0\tk" i "\tv" }' >in
  tpa-fmt <in >out
  [ "$(grep -c '^rank' out)" = 3 ]
  [ "$(grep -c '^0 ' out)" = 2500 ]
  [ "$(grep -c '^about' out)" = 1 ]
}

@test "elsewhere than on a terminal nothing is cut, whatever COLUMNS says" {
  name=$(printf 'x%.0s' {1..500})
  action name="$name" | COLUMNS=40 tpa-fmt >out
  grep -q "  $name\$" out
}

@test "what is not known is a dash, a dash is a dash" {
  total launch_op=- scope='\-' | tpa-fmt | tail -n 1 | grep -q '  -   -      k$'
}

# --- on a terminal -----------------------------------------------------------------

@test "on a terminal long names are cut: of a kernel the end, of a path the start" {
  needs_terminal
  name=abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz
  action name=$name scope="/$name" >in
  terminal 120 in >out
  [ "$(widest out)" = 120 ]
  grep -q 'try fusion  \.\.\.[a-z0-9]*xyz  abc[a-z0-9]*\.\.\.$' out
  terminal 300 in >out
  grep -q "  /$name  $name\$" out
}

@test "on a narrow terminal names have a line of their own" {
  needs_terminal
  name=abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz
  action name=$name >in
  terminal 80 in >out
  cat >want <<'END'
what to try first: rank 0, pid 1, stage decode
prio verdict  time ms % of busy excl/hid % risk advice
    scope           kernel
P1   headroom   1.235     12.35   97.1/2.9 low  try fusion
    vllm/a.py(7): f abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstu...
    This work is still exposed.
END
  same want out
}

@test "no line is ever wider than the terminal" {
  needs_terminal
  { for type in meta kernel cpu_op python launch span cover window source site; do
      record "$type"
    done
    action suggestion="$(printf 'word %.0s' {1..60})x$(printf 'y%.0s' {1..300})"
    action name="$(printf '日本%.0s' {1..200})" priority="$(printf 'P%.0s' {1..100})"
    total rank="$(printf 'r%.0s' {1..300})"
    printf 'mine'; printf '\tfield%.0s' {1..30}; echo; } >in
  for width in 20 33 40 60 80 100 132 200; do
    terminal $width in >out
    [ "$(widest out)" -le $width ]
  done
}

@test "a suggestion is broken between words" {
  needs_terminal
  action suggestion="one two three four five" >in
  terminal 20 in | tail -n 2 >out
  printf '    one two three\n    four five\n' >want
  same want out
}

@test "the width is COLUMNS, else the terminal's own" {
  needs_terminal
  name=$(printf 'x%.0s' {1..300})
  action name="$name" >in
  for columns in "COLUMNS=150" "COLUMNS=" "COLUMNS=wide" "-u COLUMNS"; do
    script -qec "stty cols 110; env $columns tpa-fmt in" /dev/null </dev/null | tr -d '\r' >out
    want=110
    [[ $columns == COLUMNS=150 ]] && want=150
    [ "$(widest out)" = "$want" ]
  done
}

# --- what must not reach a terminal ---------------------------------------------------

@test "control characters, bad UTF-8 and turned writing come out as text" {
  printf 'meta\t0\t\\x1b[31mred\\x07\ta\\tb\\nc\\\\d\\x7f\xc2\x9b\xe2\x80\xae\xff!\n' >in
  tpa-fmt <in | tail -n 1 >got
  # shellcheck disable=SC1003 # a backslash
  printf '0     \\x1b[31mred\\x07  a\\x09b\\x0ac\\d\\x7f\\x9b\\u202e\xef\xbf\xbd!\n' >want
  same want got
  for format in table md jsonl; do
    printf 'mine\x1b[2J\t\x1b[31m\n#\x1b\t\x1b]0;x\x07\nmine\t\x9b\n' | cat in - |
      tpa-fmt -f $format >out
    run -1 grep -aP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' out
    iconv -f utf-8 -t utf-8 out >/dev/null
  done
}

# --- Markdown ----------------------------------------------------------------------

@test "Markdown: a heading, a table, the suggestion last" {
  { action; action name='void f<int>(a|b)' stage=extend; } | tpa-fmt -f md >got
  cat >want <<'END'
### what to try first: rank 0, pid 1, stage decode

| prio | verdict | time ms | % of busy | excl/hid % | risk | advice | scope | kernel | suggestion |
| --- | --- | ---: | ---: | ---: | --- | --- | --- | --- | --- |
| P1 | headroom | 1.235 | 12.35 | 97.1/2.9 | low | try fusion | `vllm/a.py(7): f` | `k` | This work is still exposed. |

### what to try first: rank 0, pid 1, stage extend

| prio | verdict | time ms | % of busy | excl/hid % | risk | advice | scope | kernel | suggestion |
| --- | --- | ---: | ---: | ---: | --- | --- | --- | --- | --- |
| P1 | headroom | 1.235 | 12.35 | 97.1/2.9 | low | try fusion | `vllm/a.py(7): f` | `void f<int>(a\|b)` | This work is still exposed. |
END
  same want got
}

@test "Markdown: nothing in a name is taken for markup" {
  # shellcheck disable=SC2016 # backticks
  action name='a`b``c|`' suggestion='under <b>*x*_y_|[z](u)& (1.0 us)' stage='a|b*' |
    tpa-fmt -f md >out
  # shellcheck disable=SC2016 # backticks
  grep -qF '| ``` a`b``c\|` ``` | under \<b\>\*x\*\_y\_\|\[z\](u)\& (1.0 us) |' out
  grep -qF 'stage a\|b\*' out
}

@test "no format lets a name of a trace reach the terminal, or turn its writing" {
  bad='\u001b[31m\u009b2J\u007f\u202e\u2066\u2028\ufeff\u0007\"\\'
  {
    ev cat=python_function "name=a.py(1): f$bad" dur=90 args=
    ev cat=cpu_op "name=op$bad" dur=90 args='"External id":1'
    ev cat=cuda_runtime "name=cudaLaunchKernel$bad" ts=2 args='"External id":1,"correlation":5'
    ev "name=k$bad" "pid=\"p$bad\"" ts=3 dur=50 args="\"stream\":\"s$bad\",\"correlation\":5"
    ev "name=l$bad" "pid=\"p$bad\"" ts=4 dur=50 args="\"stream\":\"t$bad\",\"correlation\":5"
  } | trace "\"distributedInfo\":{\"rank\":\"r$bad\"}" | tpa-extract -q >t.tsv
  tpa-classify t.tsv | tpa-overlap | tpa-srcmap | tpa-rank -a -t >in
  for format in table md jsonl csv text svg html chrome folded; do
    tpa-fmt -f $format in 2>/dev/null >out
    [ "$(wc -l <out)" -ge 2 ]
    [ $format = text ] || grep -q 31m out # it has no room for names in full
    run -1 grep -aP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xef\xbb\xbf' out
    iconv -f utf-8 -t utf-8 out >/dev/null
  done
}

# --- JSON lines ----------------------------------------------------------------------

@test "JSON: an object a line, columns by name, numbers exact, unknown null" {
  kernel stream=7 corr=9007199254740993 name='a\\b"c\x1b\-' | sed "s/\$/${tab}class=x$tab-/" |
    tpa-fmt -f jsonl >got
  cat >want <<'END'
{"type":"kernel","rank":"0","pid":"1","stage":"all","idx":3,"tid":"1","stream":"7","ts":1712345678123456.789,"dur":1.500,"ext":null,"corr":9007199254740993,"kind":"kernel","category":null,"hidden":null,"exclusive":null,"hidden_compute":null,"name":"a\\b\"c\u001b\\-","params":null,"extensions":["class=x",null]}
END
  same want got
}

@test "JSON: times have three decimals however they were written" {
  kernel ts=1.5 dur=+1e3 | tpa-fmt -f jsonl -c ts,dur >got
  echo '{"ts":1.500,"dur":1000.000}' >want
  same want got
}

@test "JSON: ratios as they stand" {
  action share=-0.5 hidden_ratio=3 | tpa-fmt -f jsonl -c share,hidden_ratio,exclusive_ratio >got
  echo '{"share":-0.5,"hidden_ratio":3,"exclusive_ratio":0.9707}' >want
  same want got
}

@test "JSON: text is plain, and a dash that is text is one" {
  kernel name='\-' params='é\t日' | tpa-fmt -f jsonl -c name,params >got
  echo '{"name":"-","params":"é\t日"}' >want
  same want got
}

@test "JSON: what python reads is what the records hold" {
  command -v python3 || skip "no python3"
  chain "$TRACES/mi250-minitoy.json.gz" >in
  tpa-fmt -f jsonl in | python3 -c '
import json, sys
def show(value):
    return "-" if value is None else str(value)
for line in sys.stdin:
    record = json.loads(line, parse_float=str)
    print("\t".join(show(value) for value in record.values()))' >got
  grep -v '^#' in >want
  same want got
}

# --- chosen columns --------------------------------------------------------------------

@test "-c shows the columns named, in that order, as they are" {
  { action; total; kernel; } >in
  for option in -c --columns; do
    tpa-fmt $option name,total,launch_op,type in >got
    cat >want <<'END'
what to try first
name     total  launch_op    type
k     1234.567  aten::copy_  action

kernel times
name   total  launch_op    type
k     10.000  aten::copy_  total
END
    same want got
  done
  tpa-fmt -f md -c name,share in >got
  cat >want <<'END'
### what to try first

| name | share |
| --- | ---: |
| `k` | 12.345 |
END
  same want got
  tpa-fmt -f jsonl -c type,rank,name in >got
  cat >want <<'END'
{"type":"action","rank":"0","name":"k"}
{"type":"total","rank":"0","name":"k"}
{"type":"kernel","rank":"0","name":"k"}
END
  same want got
}

@test "-c leaves out the types that have not all the columns" {
  { action; total; record meta key=a value=b; echo "mine${tab}x"; } >in
  [ "$(tpa-fmt -f jsonl -c name,busy_share in)" = '{"name":"k","busy_share":12.345}' ]
}

@test "-c with a column that no type has is misuse" {
  run -2 --separate-stderr tpa-fmt -c name,nothing </dev/null
  [ "${stderr_lines[0]}" = 'tpa-fmt: --columns wants columns of one type of record: "name,nothing"' ]
  for list in '' , name, ,name key,dur; do
    run -2 tpa-fmt -c "$list" </dev/null
  done
}

@test "an unknown format is misuse that names them" {
  run -2 --separate-stderr tpa-fmt -f nothing </dev/null
  [[ "${stderr_lines[0]}" == 'tpa-fmt: --format wants table, md'*': "nothing"' ]]
}

# --- records of other tools, and bad ones -------------------------------------------------

@test "types that are not ours are shown, by the columns that a comment names" {
  printf '#tpa 1\n#mine\trank\tname\nmine\t0\ta\nmine\t10\t-\n\nyours\t1\t2\nyours\t1\n' >in
  tpa-fmt <in >got
  cat >want <<'END'
other records: mine
rank  name
0     a
10    -

other records: yours
2  3
1  2

other records: yours
2
1
END
  same want got
  tpa-fmt -f jsonl <in >got
  cat >want <<'END'
{"type":"mine","fields":["0","a"]}
{"type":"mine","fields":["10",null]}
{"type":"yours","fields":["1","2"]}
{"type":"yours","fields":["1"]}
END
  same want got
}

@test "a number that is none is an error, with its place; -k goes on" {
  { kernel; kernel idx=x; kernel idx=5; } >in
  for format in table md jsonl; do
    run -1 --separate-stderr tpa-fmt -f $format in
    [ "$stderr" = 'tpa-fmt: in:2: kernel: idx: not a whole number: "x"' ]
    run -3 --separate-stderr tpa-fmt -k -f $format -c idx in
    [ "$stderr" = 'tpa-fmt: in:2: kernel: idx: not a whole number: "x"' ]
    [[ "$output" == *3*5* ]]
  done
  while read -r column value message; do
    for format in table jsonl; do
      action "$column=$value" >in
      run -1 --separate-stderr tpa-fmt -f $format in
      [ "$stderr" = "tpa-fmt: in:1: action: $column: ${message//_/ }: \"$value\"" ]
    done
  done <<'END'
total soon not_a_time
share 1e3 not_a_decimal_number
share .5 not_a_decimal_number
share 5. not_a_decimal_number
share 05 not_a_decimal_number
share nan not_a_decimal_number
hidden_ratio x not_a_decimal_number
END
}

@test "several files are one stream, a missing one is an error" {
  action >one
  action name=l >two
  [ "$(tpa-fmt one two | grep -c '^what')" = 1 ]
  run -1 --separate-stderr tpa-fmt one missing
  [ "$stderr" = "tpa-fmt: missing: cannot open: No such file or directory" ]
  [[ "$output" == *try\ fusion* ]]
}

@test "no records give nothing" {
  for format in table md jsonl; do
    [ "$(tpa-fmt -f $format </dev/null | wc -c)" = 0 ]
    [ "$(printf '#tpa 1\n\n' | tpa-fmt -f $format | wc -c)" = 0 ]
  done
}
