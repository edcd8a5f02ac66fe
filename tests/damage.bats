#!/usr/bin/env bats
# tpa-extract on damaged traces: every whole event is kept, what was lost is said
# once a kind with its place, and the exit status tells.

load helper
load trace

set -o pipefail

# Kernels a, b and c, a line each, of ids that raise no note.
abc() {
  ev name=a ts=1 args='"External id":1'
  ev name=b ts=2 args='"External id":1'
  ev name=c ts=3 args='"External id":1'
}

# damaged STATUS [OPTION...] <TRACE: like extract, and ends with that status
damaged() {
  local status=0

  extract "${@:2}" || status=$?
  cat err
  [ "$status" = "$1" ] || { echo "exit status $status instead of $1"; return 1; }
}

# kept NAME...: these kernels are in "out"
kept() {
  printf '%s\n' "$@" >want
  fields kernel name <out >got
  same want got
}

# fill COUNT: as many lines with events that are nothing
fill() {
  awk -v "count=$1" 'BEGIN {
    for (srand(1); i < count; i++) printf "{\"ph\":\"M\",\"name\":\"%d\"}\n", 1e9 * rand()
  }'
}

# at TEXT FILE: the offset of the first byte of that text, as grep understands it
at() {
  grep -abo -m 1 -- "$1" "$2" | head -n 1 | cut -d : -f 1
}

# --- accepted in silence ---

# silent <TRACE: nothing is lost of a, b and c, and nothing said
silent() {
  damaged 0
  said
  kept a b c
}

@test "a bare array without its bracket" {
  { echo '['; abc | sed 's/$/,/'; } | silent
  { echo '['; abc | sed '$!s/$/,/'; } | silent
  { printf '['; abc | sed '$!s/$/,/' | tr -d '\n'; } | silent
}

@test "a comma before a closing bracket, and many of them" {
  { echo '{"traceEvents":['; abc | sed 's/$/,/'; echo '],}'; } | silent
  { echo '{,"traceEvents":[,,'; abc | sed 's/$/,,/'; echo ',],,}'; } | silent
  abc | sed 's/}}/,},}/' | trace | silent
  abc | trace '"x":[1,2,],"y":{"z":[],}' | silent
}

@test "nan and inf in every spelling" {
  for word in NaN nan NAN -nan +nan -NaN 'nan(ind)' '-nan(ind)' 'nan(0x8000)' inf Inf INF -inf +inf \
    Infinity infinity -Infinity INFINITY 1.#INF -1.#IND 1.#QNAN None True undefined; do
    {
      ev name=a args="\"External id\":1,\"x\":$word"
      ev name=b args="\"x\":[$word,$word],\"External id\":1,\"y\":{\"z\":$word}"
      ev name=c args="\"x\":$word,\"External id\":1" | sed "s/{/{\"x\":$word,/"
    } | trace "\"x\":$word" | silent
  done
}

@test "nan and inf are no usable number" {
  for word in NaN -nan 'nan(ind)' inf -Infinity INF; do
    {
      ev name=a "dur=$word"
      ev name=b "ts=$word"
      ev name=c args="\"External id\":$word,\"correlation\":$word,\"stream\":0"
    } | trace | damaged 0
    grep -qx 'tpa-extract: stdin: 2 events skipped: ts or dur is not finite' err
    is kernel ext corr name <<<'-	-	c'
  done
}

@test "control characters in text" {
  for code in 01 08 09 0a 0d 1b 1f 7f; do
    byte=$(printf "\\x$code")
    {
      ev "name=x$byte" args='"External id":1' | tr -d '\n'
      echo ','
      ev name=y args="\"a${byte}b\":\"$byte\",\"External id\":1"
    } | sed 's/^/,/' | { printf '{"a%s":"%s","traceEvents":[' "$byte" "$byte"; cat; echo ']}'; } | damaged 0
    said
    [ "$(fields kernel ext <out | sort -u)" = 1 ]
  done
}

@test "a NUL in text" {
  abc | trace | sed 's/"c"/"c\x00d"/' | damaged 0
  said
  kept a b 'c\x00d'
}

@test "an invalid escape: the backslash is then itself" {
  {
    ev 'name=C:\users\work\new\x'
    ev 'name=a\u12\u12g4\U0041\0'
    ev name=x args='"\y":"\q","External id":1'
  } | trace | damaged 0
  is kernel name <<'END'
C:\\users\\work ew\\x
a\\u12\\u12g4\\U0041\\0
x
END
}

@test "bytes that are not UTF-8 become U+FFFD each" {
  {
    ev "name=$(printf 'a\xff\xfeb')"
    ev "name=$(printf '\xc3')"
    ev "name=$(printf '\xe2\x82x')"
    ev "name=$(printf '\xed\xa0\x80')"
    ev "name=$(printf '\xf4\x90\x80\x80')"
    ev "name=$(printf '\xc0\x80')"
    ev "name=$(printf '\xc3\xa9\xf0\x9f\x98\x80')"
    ev name=x args="\"stream\":\"$(printf 's\xff')\"" tid="\"$(printf 't\xff')\""
  } | trace | damaged 0
  iconv -f UTF-8 -t UTF-8 out >/dev/null
  r=$'\xef\xbf\xbd'
  is kernel tid stream name <<END
7	7	a$r${r}b
7	7	$r
7	7	${r}x
7	7	$r$r$r
7	7	$r$r$r$r
7	7	$r$r
7	7	é😀
t$r	s$r	x
END
}

@test "bytes that are not UTF-8 where no text should be" {
  for text in '7\xff' '\xff' '7\x7f' 1.5e3x; do
    abc | trace | sed "s/\"tid\":7/\"tid\":$text/" | damaged 0 || damaged_too=1
    iconv -f UTF-8 -t UTF-8 out >/dev/null
    ! grep -aq $'\x7f' out
  done
  abc | sed 's/"External id"/"stream":7\xff,&/' | trace | damaged 0
  iconv -f UTF-8 -t UTF-8 out >/dev/null
}

@test "surrogates: a pair is one character, a lone one U+FFFD" {
  {
    ev 'name=\ud83d\ude00'
    ev 'name=\uD83D\uDE00'
    ev 'name=\ud83d'
    ev 'name=\ude00x'
    ev 'name=\ud83d\ud83d\ude00'
    ev 'name=\ud83dx\ude00'
    ev 'name=\ud83d\n'
    ev 'name=\ud83d\u0041'
    ev 'name=\ud83d\ude0'
  } | trace | damaged 0
  r=$'\xef\xbf\xbd'
  is kernel name <<END
😀
😀
$r
${r}x
${r}😀
${r}x$r
$r
${r}A
$r\\\\ude0
END
}

@test "duplicate keys at the top: the last rank counts" {
  abc | trace '"distributedInfo":{"rank":1,"rank":2},"distributedInfo":{"rank":3,"rank":4}' | silent
  [ "$(fields kernel rank <out | sort -u)" = 4 ]
}

@test "events of no use: {}, numbers, text, null, arrays" {
  { echo '{}'; ev name=a args='"External id":1'; echo '[1,{"ph":"X"}]'; echo null; echo '{ }'
    ev name=b args='"External id":1'; echo '"x"'; echo 7; ev name=c args='"External id":1'; echo '{}'; } |
    trace | silent
}

@test "any depth of nesting in what is not needed" {
  deep() { head -c "$1" /dev/zero | tr '\0' "$2"; }
  for depth in 100 100000 1000000; do
    {
      printf '{"x":'
      deep "$depth" '['
      deep "$depth" ']'
      printf ',"traceEvents":['
      ev name=a args="\"External id\":1"
      printf ',{"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":2,"dur":1,"args":{"x":'
      deep "$depth" '['
      deep "$depth" ']'
      printf ',"External id":1},"y":'
      deep "$depth" '['
      deep "$depth" ']'
      printf '},'
      deep "$depth" '['
      deep "$depth" ']'
      printf ','
      ev name=c args="\"External id\":1"
      echo ']}'
    } | silent
  done
}

@test "numbers of any size where none is needed, and where one is" {
  digits=$(head -c 100000 /dev/zero | tr '\0' 7)
  {
    ev name=a args="\"x\":$digits,\"External id\":1"
    ev name=b args="\"x\":0.$digits,\"y\":1e$digits,\"External id\":1"
    ev name=c args='"External id":1' "dur=1.$digits"
  } | trace "\"x\":-$digits" | silent
  is kernel dur <<'END'
1.000
1.000
1.778
END
  {
    ev name=a args='"External id":1'
    ev name=b args="\"External id\":$digits,\"correlation\":$digits"
    ev name=c "ts=$digits"
    ev name=d "dur=1e-$digits"
    ev name=e "ts=1e$digits"
  } | trace | damaged 0
  is kernel ext corr name <<'END'
1	-	a
-	-	b
END
}

@test "text and numbers of megabytes around the events" {
  # past all that is looked at in one piece, with an escape at whatever place it is cut
  for unit in 'xxxxxxx\"' '\\' '\\\"' 'é'; do
    big() { yes "$unit" | head -n 600000 | tr -d '\n'; }
    set +o pipefail
    { printf '{"x":"'; big; printf '","traceEvents":['; abc | sed '$!s/$/,/'; printf '],"y":"'; big; printf '"}'; } >t.json
    set -o pipefail
    silent <t.json
  done
  digits=$(head -c 3000000 /dev/zero | tr '\0' 7)
  { printf '{"x":%s,"traceEvents":[' "$digits"; abc | sed '$!s/$/,/'; printf '],"y":[%s]}' "$digits"; } | damaged 0
  kept a b c
}

@test "what is no event between events, of a megabyte" {
  long=$(head -c 300000 /dev/zero | tr '\0' x)
  { ev name=a args='"External id":1'; printf '"%s"\n[1,["%s"]]\n' "$long" "$long"
    ev name=b args='"External id":1'; ev name=c args='"External id":1'; } | trace | damaged 0 || true
  kept a b c
}

@test "names of a megabyte" {
  long=$(head -c 1000000 /dev/zero | tr '\0' x)
  {
    printf '[{"ph":"X","cat":"kernel","name":"%s","pid":0,"tid":7,"ts":1,"dur":1,"args":{"External id":1}},' "$long"
    printf '{"ph":"X","cat":"cpu_op","name":"%s","pid":"%s","tid":7,"ts":1,"dur":1,"%s":"%s"}]' "$long" "$long" "$long" "$long"
  } | damaged 0
  said
  [ "$(fields kernel name <out)" = "$long" ]
  [ "$(fields cpu_op pid name <out)" = "$long	$long" ]
}

@test "keys around the events that cannot matter, whatever they hold" {
  abc | trace '"distributedInfo":null,"deviceProperties":7,"baseTimeNanoseconds":"x"' | silent
  abc | trace '"distributedInfo":[1],"deviceProperties":{"name":"x"},"baseTimeNanoseconds":nan' | silent
  abc | trace '"deviceProperties":[null,7,{},{"name":null},{"name":""},[{"name":"y"}]]' | silent
  ! grep -q '	device	' out
}

@test "the rank is found in a header that is damaged in other places" {
  for value in nan -inf '"C:\users"' "\"$(printf 'a\xffb\x01')\"" '[[[[1,],]]]' 'nan(ind)'; do
    abc | trace "\"distributedInfo\":{\"backend\":$value,\"rank\":3,\"x\":$value}" | silent
    [ "$(fields kernel rank <out | sort -u)" = 3 ]
  done
  abc | trace "\"distributedInfo\":{\"x\":$(printf '[%.0s' {1..2000})$(printf ']%.0s' {1..2000}),\"rank\":3}" | silent
  [ "$(fields kernel rank <out | sort -u)" = 3 ]
  abc | trace '"deviceProperties":[{"name":"A\q","maxGrid":inf},{"name":"B"}]' | silent
  grep '	device	' out | cut -f 4 >got
  printf '%s\n' 'A\\q' B >want
  same want got
}

# --- accepted with a loss ---

# lost MESSAGE: a, b and c are there, and that was lost
lost() {
  damaged 3
  said "$1"
  kept a b c
}

# between A B <TEXT: kernels a, b and c with that text between b and c
between() {
  abc | sed '$d' | sed 's/$/,/'
  cat
  abc | tail -n 1
}

@test "an event that cannot be read: reading goes on at the next" {
  while IFS= read -r event; do
    { echo '{"traceEvents":['; echo "$event," | between; echo ']}'; } >t.json
    offset=$(awk 'NR < 4 { sum += length($0) + 1 } END { print sum }' t.json)
    lost "stdin: 1 event cannot be read, the first at byte $offset" <t.json || { echo "$event"; false; }
  done <<'END'
{"ph":"X","cat":"kernel","name":"say "x" y","pid":0,"tid":7,"ts":2,"dur":1}
{"ph":"X","cat":"kernel","name":"{"device": "cpu", "dtype": "float32"}(12): run","ts":2,"dur":1}
{"ph":"X","cat":"kernel","name":"x","pid":0,"tid":7,"ts":2,"dur":1,"args":{"x":[1,2}}
{"ph":"X","cat":"kernel","name":"x","pid":0,"tid":7,"ts":2,"dur":,"args":{}}
{"ph":"X","cat":"kernel","name":"x","pid":0,"tid":7,"ts":2,"dur":1
{"ph":"X","cat":"kernel","name":"x","pid":0,"tid":7,"ts":2,"dur":1,"args":{"y":1}
{"ph":"X","cat":"kernel","name":"x","pid":0,"tid":7,"ts":2,"dur":1,"args":{"y":{"z":1}
{"ph":"X","cat":"kernel","name":"x","pid":0,"tid":7,"ts":2,"dur":1,"args":{"y":{"z":{"u":1}
{"ph":"X","cat":"kernel","name":"x
{"ph":"X","cat":"kernel","name":x}
{"ph":"X" "cat":"kernel"}
{"ph" "X","cat":"kernel"}
{ph:"X","cat":"kernel"}
{'ph':'X','cat':'kernel'}
{"ph":"X","cat":"kernel"]
{"ph":"X","cat":"kernel","args":{]}
{"ph":"X","cat":"kernel","args":{"a":1]}
{"ph":"X",,"cat":"kernel"}
{"ph":"X","cat":"kernel","name":"x"},}
{"ph":"X","cat":{"kernel","name":"x"}
{"ph":"X","cat":"ker
END
}

@test "several events that cannot be read are one line" {
  bad='{"ph":"X","name":"a "b" c"}'
  {
    echo '{"traceEvents":['
    echo "$bad,"
    abc | sed "s/\$/,\n$bad,/"
    echo "$bad"
    echo ']}'
  } | lost 'stdin: 5 events cannot be read, the first at byte 17'
}

@test "the last event cannot be read, though the trace is whole" {
  { echo '{"traceEvents":['; abc | sed 's/$/,/'; echo '{"ph":"X","name":"a "b" c"}'; echo ']}'; } >t.json
  lost "stdin: 1 event cannot be read, the first at byte $(at '{"ph":"X","name"' t.json)" <t.json
}

@test "something between two events" {
  for text in x 'xx yy' '"' ']' '[' '}' '},' '\' '7 7' '[[,' '],' "$(printf '\x01')"; do
    { echo '{"traceEvents":['; echo "$text" | between; echo ']}'; } >t.json
    damaged 3 <t.json || { echo "$text"; false; }
    kept a b c || { echo "$text"; false; }
  done
}

@test "a comma between two events is missing" {
  { echo '{"traceEvents":['; abc; echo ']}'; } >t.json
  lost "stdin: something that is neither comma nor event stands between events (2 times, first at byte $(at '{"ph":"X","cat":"kernel","name":"b' t.json))" <t.json
}

@test "lines lost in the middle of an event: the halves are lost, no more" {
  {
    echo '{"traceEvents":['
    abc | sed '$d; s/$/,/'
    printf '{"ph":"X","cat":"kernel","name":"x","pid":0,"ti'
    printf 'aten::mm","pid":0,"tid":7,"ts":2,"dur":1,"args":{"External id":5}},\n'
    abc | tail -n 1
    echo ']}'
  } | lost 'stdin: 1 event cannot be read, the first at byte 205'
}

@test "a block of zeros in the middle" {
  abc | trace >t.json
  middle=$(at '{"ph":"X","cat":"kernel","name":"b' t.json)
  {
    head -c "$middle" t.json
    head -c 4096 /dev/zero
    tail -c "+$((middle + 1))" t.json
  } >z.json
  damaged 3 <z.json
  kept a b c
  {
    head -c "$((middle + 10))" t.json
    head -c 100000 /dev/zero
    tail -c "+$((middle + 11))" t.json
  } >z.json
  damaged 3 <z.json
  kept a c
}

@test "cut anywhere, all whole events are there" {
  abc | trace '"distributedInfo":{"rank":3}' >t.json
  size=$(stat -c %s t.json)
  ends=$(grep -abo '}}' t.json | cut -d : -f 1)
  first=$(at '\[' t.json)
  for ((cut = first + 1; cut < size - 2; cut += 3)); do
    status=0
    head -c "$cut" t.json | tpa-extract -q -t kernel,meta >out 2>err || status=$?
    whole=0
    for end in $ends; do
      ((end + 2 <= cut && end > first)) && whole=$((whole + 1))
    done
    mapfile -t lines <out
    mapfile -t messages <err
    kernels=0
    for line in "${lines[@]}"; do
      [[ $line != kernel* ]] || kernels=$((kernels + 1))
    done
    [[ $kernels = "$whole" && $status = 3 && ${#messages[@]} = 1 ]] || { echo "$cut: $status $(cat out err)"; false; }
    [[ ${lines[-1]} = 'meta	3	end	'* ]]
  done
}

@test "cut inside an event" {
  abc | trace >t.json
  head -c 250 t.json | damaged 3
  said "stdin: the input ends early, inside event 3, which begins at byte 205"
  kept a b
  { echo '['; abc | sed 's/$/,/'; } >t.json
  head -c 230 t.json | damaged 3
  said "stdin: the input ends early, inside event 3, which begins at byte 190"
  kept a b
}

@test "cut inside the object, between or behind the events" {
  for text in '' ' ' ',' '],' '],"x":1' '],"x":[1,' '],"x' '],"x":"y'; do
    { echo '{"traceEvents":['; abc | sed '$!s/$/,/' | head -c -1; printf '%s' "$text"; } >t.json
    damaged 3 <t.json || { echo "$text"; false; }
    kept a b c
    grep -q '^tpa-extract: stdin: \(the input ends inside the object that holds the events\|what stands around the events cannot be read\) (1 time, first at byte [0-9]*)$' err
    [ "$(wc -l <err)" = 1 ]
  done
}

@test "damage before the events" {
  for text in '"x":1 2,' '"x":y,' 'x:1,' '"x" 1,' '"x":[1}],' "'x':1," '"say "x" y":1,' ']'; do
    { printf '{%s"traceEvents":[\n' "$text"; abc | sed '$!s/$/,/'; echo ']}'; } >t.json
    damaged 3 <t.json || { echo "$text"; false; }
    kept a b c
    grep -q '^tpa-extract: stdin: what stands around the events cannot be read (1 time, first at byte [0-9]*)$' err
  done
}

@test "damage behind the events" {
  for text in 'x' '"x":y' '"x" 1' '7'; do
    { echo '{"traceEvents":['; abc | sed '$!s/$/,/'; echo "],$text}"; } >t.json
    damaged 3 <t.json || { echo "$text"; false; }
    kept a b c
    grep -q '^tpa-extract: stdin: what stands around the events cannot be read (1 time, first at byte [0-9]*)$' err
  done
}

@test "something behind the trace" {
  { abc | trace | tr -d '\n'; echo x; } >t.json
  lost "stdin: what follows the end of the trace is not read (1 time, first at byte $(at 'x$' t.json))" <t.json
  { abc; abc; } | trace >t.json
  { abc | trace; cat t.json; } | damaged 3
  kept a b c
  { echo '['; abc | sed '$!s/$/,/'; echo ']]'; } | damaged 3
  kept a b c
  { abc | trace; head -c 100 /dev/zero; } | silent
}

@test "traceEvents twice in a short trace: the last one counts" {
  { echo '{"traceEvents":['; ev name=x; echo '],"traceEvents":['; abc | sed '$!s/$/,/'; echo ']}'; } | silent
  { echo '{"traceEvents":7,"traceEvents":['; abc | sed '$!s/$/,/'; echo ']}'; } | silent
  { echo '{"traceEvents":{"traceEvents":[]},"traceEvents":['; abc | sed '$!s/$/,/'; echo ']}'; } | silent
}

@test "a text that begins like an array is no later traceEvents" {
  { echo '{"traceEvents":['; abc | sed '$!s/$/,/'; echo '],"traceEvents":"["}'; } | silent
  { echo '{"traceEvents":['; abc | sed '$!s/$/,/'; echo '],"distributedInfo":"{}","traceEvents":7}'; } | silent
}

@test "traceEvents twice in a long trace: the events of both, and a word" {
  {
    echo '{"traceEvents":['
    awk 'BEGIN { for (i = 0; i < 15000; i++) printf "{\"ph\":\"M\",\"name\":\"%64d\"},\n", i }'
    ev name=a args='"External id":1'
    echo '],"traceEvents":['
    abc | tail -n 2 | sed '$!s/$/,/'
    echo ']}'
  } >t.json
  lost "stdin: traceEvents stands more than once; the events of all are here (1 time, first at byte $(($(at '\],"traceEvents' t.json) + 16)))" <t.json
}

@test "a gzip stream cut short" {
  { abc; fill 2000; } | trace | gzip -c >t.gz
  head -c -2000 t.gz >cut.gz
  damaged 3 <cut.gz
  kept a b c
  grep -qE '^tpa-extract: stdin: the gzip stream is cut short after [0-9]+ bytes of trace$' err
  grep -qE '^tpa-extract: stdin: the input ends early, inside event [0-9]+, which begins at byte [0-9]+$|inside the object' err
  for cut in 8 4 1; do
    head -c "-$cut" t.gz >cut.gz
    damaged 3 <cut.gz
    kept a b c
    said "stdin: the gzip stream is cut short after $(gzip -dc t.gz | wc -c) bytes of trace"
  done
}

@test "a gzip stream cut inside its header" {
  abc | trace | gzip -c >t.gz
  for cut in 2 3 9 10; do
    head -c "$cut" t.gz >cut.gz
    run -1 --separate-stderr tpa-extract cut.gz
    [[ $stderr = *'cut.gz: '* ]]
    [ "$(printf '%s\n' "${lines[@]}" | grep -vc '^#')" = 0 ]
  done
  { cat t.gz; head -c 5 t.gz; } | damaged 3
  kept a b c
  said "stdin: the gzip stream is cut short after $(gzip -dc t.gz | wc -c) bytes of trace"
}

@test "a gzip check sum or length that is wrong" {
  abc | trace | gzip -c >t.gz
  size=$(gzip -dc t.gz | wc -c)
  { head -c -8 t.gz; printf 'xxxx'; tail -c 4 t.gz; } | lost "stdin: a gzip check sum is wrong, first in the part that ends at byte $size of the trace"
  { head -c -4 t.gz; printf 'xxxx'; } | lost "stdin: a gzip check sum is wrong, first in the part that ends at byte $size of the trace"
}

@test "a gzip check sum that is wrong in one of several members" {
  abc | trace >t.json
  {
    head -c 50 t.json | gzip -c
    tail -c +51 t.json | head -c 50 | gzip -c | { head -c -8; printf 'xxxxyyyy'; }
    tail -c +101 t.json | gzip -c
  } >t.gz
  # shellcheck disable=SC2094
  {
    head -c 50 t.json | gzip -c >1
    tail -c +51 t.json | head -c 50 | gzip -c >2
    tail -c +101 t.json | gzip -c >3
    { cat 1; head -c -8 2; printf 'xxxxyyyy'; cat 3; } >t.gz
  }
  lost "stdin: a gzip check sum is wrong, first in the part that ends at byte 100 of the trace" <t.gz
}

@test "a gzip stream that is corrupt in the middle" {
  { abc; fill 3000; } | trace >t.json
  gzip -c t.json >t.gz
  size=$(stat -c %s t.gz)
  {
    head -c "$((size / 2))" t.gz
    head -c 500 /dev/zero | tr '\0' '\377'
    tail -c "+$((size / 2 + 501))" t.gz
  } >bad.gz
  damaged 3 <bad.gz
  kept a b c
  [ "$(grep -c 'the gzip stream is corrupt after\|a gzip check sum is wrong' err)" = 1 ]
}

@test "what follows a gzip stream: zeros are padding, anything else is told of" {
  abc | trace | gzip -c >t.gz
  { cat t.gz; head -c 1000 /dev/zero; } | silent
  { cat t.gz; echo 'no gzip'; } | damaged 0
  said 'stdin: what follows the gzip stream is no gzip, and is ignored'
  kept a b c
}

@test "damage behind the end of the trace, in a long gzip stream" {
  {
    abc | trace
    head -c 3000000 /dev/zero | tr '\0' x
  } | gzip -c | { head -c -8; printf 'xxxxyyyy'; } >t.gz
  for jobs in 1 2 1 2; do
    damaged 3 -j "$jobs" <t.gz
    kept a b c
    [ "$(wc -l <err)" = 2 ]
    grep -q 'a gzip check sum is wrong' err
    grep -q 'what follows the end of the trace is not read' err
  done
}

# --- refused ---

@test "what is no trace" {
  # shellcheck disable=SC2016
  while IFS='|' read -r text message; do
    run -1 --separate-stderr tpa-extract <<<"$text"
    [ "$stderr" = "tpa-extract: stdin: $message" ] || { echo "$text: $stderr"; false; }
    [ "$(printf '%s\n' "${lines[@]}" | grep -vc '^#')" = 0 ]
  done <<'END'
{}|no trace: neither an object with traceEvents nor an array of events
{"a":1}|no trace: neither an object with traceEvents nor an array of events
{"a":{"traceEvents":[]}}|no trace: neither an object with traceEvents nor an array of events
7|no trace: neither an object with traceEvents nor an array of events
"traceEvents"|no trace: neither an object with traceEvents nor an array of events
hello|no trace: neither an object with traceEvents nor an array of events
{|no trace: neither an object with traceEvents nor an array of events
{"traceEvents"|no trace: neither an object with traceEvents nor an array of events
{"traceEvents":|no trace: neither an object with traceEvents nor an array of events
{"traceEvents":null}|no trace: traceEvents is no array
{"traceEvents":{}}|no trace: traceEvents is no array
{"traceEvents":{"traceEvents":[]}}|no trace: traceEvents is no array
{"traceEvents":"[]"}|no trace: traceEvents is no array
{"traceevents":[]}|no trace: neither an object with traceEvents nor an array of events
END
}

@test "other files: a picture, a program, UTF-16, a database" {
  printf '\x89PNG\r\n\x1a\n' >a
  head -c 1000 "$(command -v bash)" >b
  printf '\xff\xfe{\0"\0t\0' >c
  printf 'SQLite format 3\0' >d
  head -c 100000 /dev/zero >e
  for file in a b c d e; do
    run -1 --separate-stderr tpa-extract "$file"
    [ "$stderr" = "tpa-extract: $file: no trace: neither an object with traceEvents nor an array of events" ]
  done
}

@test "gzip of what is no trace" {
  echo hello | gzip -c >t.gz
  run -1 --separate-stderr tpa-extract t.gz
  [ "$stderr" = 'tpa-extract: t.gz: no trace: neither an object with traceEvents nor an array of events' ]
}

@test "one trace of several is no trace: what came before it is there" {
  abc | trace >a.json
  echo '{}' >b.json
  run -1 --separate-stderr tpa-extract a.json b.json a.json
  printf '%s\n' "${lines[@]}" >out
  kept a b c
  grep -q '^meta	0	end	3$' out
}

@test "one trace of several is damaged: all are read, and the status is 3" {
  abc | trace >a.json
  head -c 150 a.json >b.json
  run -3 --separate-stderr tpa-extract b.json a.json
  printf '%s\n' "${lines[@]}" >out
  kept a a b c
}

# --- resistance ---

@test "no escape sequence of a trace reaches the terminal" {
  {
    ev ts=1 dur=100 'name=\u001b[31mred\u009b' pid='"\u001b]0;x\u0007\u009b1m"'
    ev ts=2
    ev ts=3
    ev ts=4 pid='"\u001b"'
  } | trace '"distributedInfo":{"rank":"\u001b[2J"}' | extract
  [ "$(grep -c 'left out' err)" = 1 ]
  ! grep -aq $'\x1b' err out
  ! grep -aq $'\xc2\x9b' err
}

@test "text of the command line that is no UTF-8 or has tabs" {
  abc | trace >$'t\xff\t.json'
  tpa-extract -l $'a\xff\tb' -s $'s\xff\n' $'t\xff\t.json' >out
  iconv -f UTF-8 -t UTF-8 out >/dev/null
  r=$'\xef\xbf\xbd'
  [ "$(fields kernel rank stage <out | sort -u)" = "a$r\\tb	s$r\\n" ]
  grep -q "^meta	a$r\\\\tb	trace	t$r\\\\t.json\$" out
}

@test "an event that would be a record of more than 16 MiB is lost, and told of" {
  {
    echo '['
    abc | sed 's/$/,/'
    for cat in kernel cpu_op; do
      printf '{"ph":"X","cat":"%s","pid":0,"tid":7,"ts":4,"dur":1,"args":{"External id":1},"name":"' "$cat"
      head -c 17000000 /dev/zero | tr '\0' x
      echo '"},'
    done
    echo ']'
  } | lost 'stdin: 2 records would be longer than 16 MiB, and are left out'
  is cpu_op name </dev/null
  grep -q '^meta	-	kernels	3$' out
  grep -q '^meta	-	cpu_ops	0$' out
}

@test "an event too large for the window is lost alone" {
  {
    echo '['
    abc | sed '$d; s/$/,/'
    printf '{"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":4,"dur":1,"name":"x","args":{"x":"'
    head -c 70000000 /dev/zero | tr '\0' x
    echo '"}},'
    abc | tail -n 1
    echo ']'
  } | lost 'stdin: 1 event cannot be read, the first at byte 190'
}

@test "damage after damage costs no square" {
  [[ ${TPA_CHECKER-} != valgrind ]] || skip "valgrind takes more time than is allowed here"
  # each of these would scan to the end of the file
  awk 'BEGIN {
    print "["
    for (i = 0; i < 20000; i++) {
      print "{\"ph\":\"X\",\"name\":\"x\",\"args\":{\"a\":{\"b\":{\"c\":1},"
      print "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"good\",\"pid\":0,\"tid\":7,\"ts\":4,\"dur\":1},"
    }
  }' >t.json
  (ulimit -t 20 && damaged 3 <t.json)
  [ "$(grep -c '^cpu_op' out)" = 20000 ]
  head -c 20000000 /dev/zero | tr '\0' '{' | sed 's/^/[/' >t.json
  (ulimit -t 20 && damaged 3 <t.json)
  head -c 20000000 /dev/zero | tr '\0' '"' | sed 's/^/[/' >t.json
  (ulimit -t 20 && damaged 3 <t.json)
  for text in '{"ph":"X","a":"' '{"a":[' '{"ph":"X","x":{'; do
    awk -v "text=$text" 'BEGIN { print "["; for (i = 0; i < 1500000; i++) print text }' >t.json
    (ulimit -t 20 && damaged 3 <t.json)
  done
}
