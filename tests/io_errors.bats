#!/usr/bin/env bats
# What can go wrong with input and output, and that it is said, once, with the
# right exit status, and that nothing good is lost.

load helper

filters=(classify overlap srcmap rank fmt)

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  for idx in 0 1 2; do
    record kernel "idx=$idx" "ts=$idx.000" dur=1.000 category=compute hidden=0.000 \
      exclusive=1.000 hidden_compute=0.000 "name=k$idx"
  done >kernels
  record python ts=1.000 dur=2.000 name=f >python
  cat kernels python >stream
}

# filter TOOL [ARGUMENT...]: passing on all it can
filter() {
  case $1 in
    rank) tpa-rank -a "${@:2}" ;;
    fmt) tpa-fmt -f jsonl "${@:2}" ;;
    *) "tpa-$1" "${@:2}" ;;
  esac
}

# fails STATUS MESSAGE COMMAND...: with that status and just that line on stderr
fails() {
  local status=0

  "${@:3}" >out 2>err || status=$?
  echo "$2" >want
  same want err
  if [ "$status" != "$1" ]; then
    echo "exit status $status instead of $1"
    return 1
  fi
}

@test "a full disk" {
  for tool in "${filters[@]}"; do
    full() { filter "$tool" stream >/dev/full; }
    fails 1 "tpa-$tool: stdout: cannot write: No space left on device" full
  done
  full() { tpa-extract -q "$TRACES/alexnet.json.gz" >/dev/full; }
  fails 1 "tpa-extract: stdout: cannot write: No space left on device" full
}

@test "a full disk, for help and version" {
  for tool in extract "${filters[@]}"; do
    for option in -h --version; do
      full() { "tpa-$tool" "$option" >/dev/full; }
      fails 1 "tpa-$tool: stdout: cannot write" full
    done
  done
}

@test "standard output is closed" {
  for tool in "${filters[@]}"; do
    closed() { filter "$tool" stream >&-; }
    fails 1 "tpa-$tool: stdout: cannot write: Bad file descriptor" closed
  done
  closed() { tpa-extract -q "$TRACES/alexnet.json.gz" >&-; }
  fails 1 "tpa-extract: stdout: cannot write: Bad file descriptor" closed
}

@test "standard input is closed" {
  for tool in extract "${filters[@]}"; do
    closed() { "tpa-$tool" <&-; }
    fails 1 "tpa-$tool: stdin: cannot read: Bad file descriptor" closed
  done
}

@test "a missing file" {
  for tool in extract "${filters[@]}"; do
    fails 1 "tpa-$tool: missing: cannot open: No such file or directory" "tpa-$tool" missing
  done
}

@test "a missing file after one that is there: what came before it is written" {
  for tool in classify srcmap; do
    fails 1 "tpa-$tool: missing: cannot open: No such file or directory" \
      "tpa-$tool" python missing
    same python out
  done
}

@test "a folder for a file" {
  for tool in extract "${filters[@]}"; do
    fails 1 "tpa-$tool: .: cannot read: Is a directory" "tpa-$tool" .
  done
}

@test "a reader that leaves early ends a stage quietly" {
  yes "$(cat python)" | head -n 300000 >long
  for tool in classify overlap srcmap rank; do
    set +e
    filter "$tool" long 2>err | head -n 1 >out
    statuses=("${PIPESTATUS[@]}")
    set -e
    [ "${statuses[0]}" = 141 ]
    same /dev/null err
    same python out
  done
  set +e
  tpa-extract "$TRACES/b200-eager.json.gz" 2>err | head -n 1 >out
  statuses=("${PIPESTATUS[@]}")
  set -e
  [ "${statuses[0]}" = 141 ]
  same /dev/null err
}

@test "a stream without an end is passed on as it comes" {
  for tool in classify overlap srcmap; do
    yes "$(cat python)" | "tpa-$tool" | head -n 1 >out
    same python out
  done
}

@test "no input at all" {
  for tool in "${filters[@]}"; do
    "tpa-$tool" </dev/null >out 2>err
    same /dev/null err
    same /dev/null out
  done
}

@test "a last line without its end is a line" {
  for tool in classify overlap srcmap; do
    printf '%s' "$(cat stream)" | "tpa-$tool" >got
    "tpa-$tool" <stream >want
    same want got
    grep -q '	k2	' got
  done
  printf '%s' "$(cat python)" | tpa-rank -a >got
  same python got
}

@test "too few columns" {
  cut -f 1-9 kernels >short
  for tool in "${filters[@]}"; do
    fails 1 "tpa-$tool: stdin:1: kernel: too few columns: \"$(head -n 1 short | sed 's/	/\\x09/g')\"" \
      filter "$tool" <short
  done
  for type in cpu_op python launch; do
    record "$type" ts=1.000 dur=1.000 name=f | cut -f 1-5 >short
    fails 1 "tpa-srcmap: stdin:1: $type: too few columns: \"$(sed 's/	/\\x09/g' short)\"" \
      tpa-srcmap <short
  done
}

@test "not a time" {
  record kernel idx=0 ts=1.000 dur=abc name=k >bad
  fails 1 'tpa-overlap: stdin:1: kernel: dur: not a time: "abc"' tpa-overlap <bad
  record kernel idx=0 ts=1.0.0 dur=1.000 name=k >bad
  fails 1 'tpa-overlap: bad:1: kernel: ts: not a time: "1.0.0"' tpa-overlap bad
  fails 1 'tpa-srcmap: bad:1: kernel: ts: not a time: "1.0.0"' tpa-srcmap bad
  record kernel idx=0 ts=1e30 dur=1.000 name=k >bad
  fails 1 'tpa-overlap: stdin:1: kernel: ts: a time out of range: "1e30"' tpa-overlap <bad
  record kernel idx=one ts=1.000 dur=1.000 name=k >bad
  fails 1 'tpa-overlap: stdin:1: kernel: idx: not a whole number: "one"' tpa-overlap <bad
  record python ts=now dur=1.000 name=f >bad
  fails 1 'tpa-srcmap: stdin:1: python: ts: not a time: "now"' tpa-srcmap <bad
  record cpu_op ts=1.000 dur= name=f >bad
  fails 1 'tpa-srcmap: stdin:1: cpu_op: dur: not a time: ""' tpa-srcmap <bad
  record launch ts=1.000 dur=1.000 corr=1.5 name=cudaLaunchKernel >bad
  fails 1 'tpa-srcmap: stdin:1: launch: corr: not a whole number: "1.5"' tpa-srcmap <bad
}

@test "a bad line: what came before it is not lost" {
  { cat python; cut -f 1-9 kernels; cat python; } >bad
  for tool in classify overlap srcmap rank; do
    run -1 --separate-stderr filter "$tool" bad
    [ "${lines[0]}" = "$(<python)" ]
    [ "${#stderr_lines[@]}" = 1 ]
  done
}

@test "-k drops bad lines, goes on, and exits with 3" {
  { head -n 1 kernels; head -n 1 kernels | cut -f 1-9; tail -n +2 kernels; cat python; } >bad
  for tool in "${filters[@]}"; do
    for option in -k --keep-going; do
      fails 3 "tpa-$tool: stdin:2: kernel: too few columns: \"$(sed -n '2s/	/\\x09/gp' bad)\"" \
        filter "$tool" "$option" <bad
      filter "$tool" <stream >want
      same want out
    done
  done
}

@test "-k: every bad line is reported" {
  { record kernel idx=0 ts=x dur=1.000 name=k; cat kernels; record kernel idx=3 ts=1.000 dur=y name=k; } >bad
  run -3 --separate-stderr tpa-overlap -k bad
  [ "${stderr_lines[0]}" = 'tpa-overlap: bad:1: kernel: ts: not a time: "x"' ]
  [ "${stderr_lines[1]}" = 'tpa-overlap: bad:5: kernel: dur: not a time: "y"' ]
  [ "${#stderr_lines[@]}" = 2 ]
}

@test "a control character of the input does not reach the terminal" {
  record kernel idx=0 "ts=$(printf '\033[31m')" dur=1.000 name=k >bad
  fails 1 'tpa-overlap: stdin:1: kernel: ts: not a time: "\x1b[31m"' tpa-overlap <bad
}

@test "nor what turns writing or is no UTF-8, of the input or of a file's name" {
  bad=$'a\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xef\xbb\xbf\xc2\x9b\x9b\xc0\x9b\xe0\x80\x9b\xf5\xff\xe2\x80é日😀'
  shown='a\u202e\u2066\u061c\ufeff\x9b\x9b\xc0\x9b\xe0\x80\x9b\xf5\xff\xe2\x80é日😀'
  record kernel idx=0 "ts=$bad" dur=1.000 name=k >bad
  fails 1 "tpa-overlap: stdin:1: kernel: ts: not a time: \"$shown\"" tpa-overlap <bad
  for tool in extract "${filters[@]}"; do
    fails 1 "tpa-$tool: $shown: cannot open: No such file or directory" "tpa-$tool" "$bad"
  done
}

@test "a line of more than 16 MiB" {
  { head -n 1 kernels; printf 'kernel\t'; head -c 16777216 /dev/zero | tr '\0' x; echo; tail -n +2 stream; } >bad
  for tool in "${filters[@]}"; do
    fails 1 "tpa-$tool: bad:2: a line of more than 16 MiB" filter "$tool" bad
    fails 3 "tpa-$tool: bad:2: a line of more than 16 MiB" filter "$tool" -k bad
    filter "$tool" <stream >want
    same want out
  done
}

@test "a line of 16 MiB passes, of a type known or not" {
  { printf 'mine\t'; head -c 16777211 /dev/zero | tr '\0' x; echo; } >long
  {
    printf '%s\t' "$(head -n 1 kernels | cut -f 1-16)"
    head -c 16777000 /dev/zero | tr '\0' y
    printf '\t-\n'
  } >>long
  for tool in classify overlap srcmap; do
    "tpa-$tool" <long >out
    head -n 1 out | cmp - <(head -n 1 long)
    [ "$(grep '^kernel' out | cut -f 17 | tr -d '\n' | wc -c)" = 16777000 ]
  done
}

@test "a later version of the format is refused" {
  for tool in "${filters[@]}"; do
    for version in 2 10 99999999999999999999; do
      { echo "#tpa $version"; cat stream; } >later
      fails 1 "tpa-$tool: later:1: a record format that this version does not read: \"#tpa $version\"" \
        filter "$tool" later
      fails 1 "tpa-$tool: later:1: a record format that this version does not read: \"#tpa $version\"" \
        filter "$tool" -k later
    done
    { echo '#tpa 1'; echo '#tpa x'; echo '#tpa'; cat python; } | filter "$tool" >out
  done
}

@test "a map that is missing or none" {
  fails 1 "tpa-rank: missing: cannot open: No such file or directory" tpa-rank -m missing stream
  echo '{' >broken.json
  run -1 --separate-stderr tpa-srcmap -m broken.json stream
  [[ ${stderr_lines[0]} = 'tpa-srcmap: broken.json: '* ]]
  run -1 --separate-stderr tpa-srcmap -m missing.json stream
  [[ ${stderr_lines[0]} = 'tpa-srcmap: missing.json: '* ]]
}

@test "rules that are missing" {
  run -1 --separate-stderr tpa-classify -r ./missing.rules stream
  [[ $stderr = 'tpa-classify: ./missing.rules: '* ]]
  [ "${#stderr_lines[@]}" = 1 ]
  [ -z "$output" ]
}
