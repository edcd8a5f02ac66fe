#!/usr/bin/env bats
# Machines that fail: no memory, short and interrupted reads and writes, full
# disks, readers that leave, files that shrink.  A tool says so and ends with 1,
# or copes and writes just what it always writes; what it wrote is whole records.
#
# By failing/fail.c in the place of some functions of the C library.  ALL=1 makes
# every single allocation fail, not a choice of them.

load helper
load trace

setup() {
  needs_own_memory
  cd "$BATS_TEST_TMPDIR" || return 1
  FAIL=$TEST_PROGRAMS/fail.so
  [[ -e $FAIL ]] || skip "fail.so is not built"
  {
    ev ph=M name=thread_name args='"name":"stream 7"'
    ev cat=user_annotation name=decode pid='"[T] 1"' ts=0 dur=50 args='"External id":9'
    ev cat=cpu_op name=aten::mm pid=1 ts=1 dur=5 args='"External id":3'
    ev cat=python_function 'name=a\u0041.py(1): f' pid=1 ts=0 dur=20 args=
    ev cat=cuda_runtime name=cudaLaunchKernel pid=1 ts=2 args='"External id":3,"correlation":4'
    ev 'name=void gemm<float>(float*)' ts=10 dur=20 args='"correlation":4'
    ev name=nccl_all ts=15 dur=20 args='"correlation":4,"stream":"x\ny"'
    ev name=add pid='"[T] 0"' ts=20 dur=5
  } | trace '"deviceProperties":[{"name":"a device"}],"distributedInfo":{"rank":1}' >t.json
  gzip -c t.json >t.gz
  tpa-extract -q --all t.json | tpa-classify | tpa-srcmap >mapped.tsv
  tpa-overlap mapped.tsv | tpa-rank -a -t >all.tsv
  tpa-srcmap -s all.tsv >map.tsv
  cat >map.json <<'END'
{"stages": {"all": {"kernels": {"add": {"best_location": "x.py:1",
  "sites": [{"location": "x.py:1", "launches": 3, "top_cpu_op": "aten::add"}]}}}},
 "global": {"kernels": {"nccl": {"best_location": "y.py:1"}}}}
END
}

# with VARIABLE=VALUE... COMMAND...: the command on a machine that fails so
with() {
  local variables=()

  while [[ $1 == FAIL_* ]]; do
    variables+=("$1")
    shift
  done
  env "${variables[@]}" LD_PRELOAD="$FAIL" "$@"
}

# What each tool does in these tests: a command a line.
commands() {
  cat <<'END'
tpa-extract --all -q t.gz
tpa-extract --all -q -j 1 t.gz
tpa-extract -q t.json
tpa-classify all.tsv
tpa-overlap mapped.tsv
tpa-srcmap all.tsv
tpa-srcmap -s -m map.json all.tsv
tpa-rank -a -t all.tsv
tpa-rank -m map.tsv all.tsv
tpa-fmt all.tsv
tpa-fmt -f md all.tsv
tpa-fmt -f jsonl all.tsv
END
}

# whole_beginning WANT GOT: GOT is the first lines of WANT, none cut
whole_beginning() {
  local size

  size=$(stat -c %s "$2")
  cmp -s -n "$size" "$1" "$2" && { [[ $size = 0 ]] || [[ -z $(tail -c 1 "$2") ]]; }
}

# no_memory N COMMAND...: its Nth allocation fails, or with N+ all from it on
no_memory() {
  local status=0

  with "FAIL_ALLOC=$1" "${@:2}" >got 2>err || status=$?
  # json-c (0.16) reads the key that it had no memory to copy
  [[ $status = 139 && $* = *map.json* ]] && return
  if [[ $status = 0 ]]; then
    same want got && [[ ! -s err ]]
  else
    [[ $status = 1 && $(wc -l <err) = 1 ]] &&
      grep -qE '^tpa-[a-z]*: (.*: )?(out of memory|cannot (read|open): Cannot allocate memory)' err &&
      whole_beginning want got
  fi || {
    echo "allocation $1 of ${*:2}: status $status, said: $(<err)"
    return 1
  }
}

@test "an allocation fails" {
  ! grep -q -e --coverage "${TPA_BIN%/bin}/flags" || skip "gcov itself wants memory"
  while read -ra command; do
    "${command[@]}" >want
    FAIL_COUNT=count with FAIL_ALLOC=0 "${command[@]}" >/dev/null
    count=$(<count)
    [ "$count" -gt 20 ]
    step=$((ALL ? 1 : count / 12 + 1))
    for ((n = 1; n <= count; n += step)); do
      no_memory "$n" "${command[@]}"
      no_memory "$n+" "${command[@]}"
    done
  done < <(commands)
}

@test "reads and writes that are short, interrupted and put off change nothing" {
  while read -ra command; do
    "${command[@]}" >want
    for how in short interrupt again short,interrupt,again; do
      with "FAIL_READ=$how" "FAIL_WRITE=$how" "${command[@]}" >got 2>err
      same want got
      same /dev/null err
    done
  done < <(commands)
}

@test "a damaged trace is read alike, wherever a read ends" {
  for found in "$TESTS"/fuzz/found/trace/*; do
    tpa-extract --all "$found" >want 2>want.err || true
    with FAIL_READ=short tpa-extract --all "$found" >got 2>got.err || true
    same want got
    same want.err got.err
  done
}

@test "the same from a pipe" {
  while read -ra command; do
    file=${command[-1]}
    "${command[@]::${#command[@]}-1}" <"$file" >want
    with FAIL_READ=short,interrupt,again "${command[@]::${#command[@]}-1}" < <(cat "$file") >got
    same want got
  done < <(commands)
}

@test "pipes that do not block" {
  tpa-extract -q "$TRACES/h100-bert-small.json.gz" >want.extract
  tpa-classify want.extract >want.classify
  { sleep 0.3; cat "$TRACES/h100-bert-small.json.gz"; } |
    "$TEST_PROGRAMS/nonblock" tpa-extract -q | { sleep 0.3; cat; } | grep -v '	trace	' >got
  grep -v '	trace	' want.extract >want
  same want got
  { head -n 100 want.extract; sleep 0.3; tail -n +101 want.extract; } |
    "$TEST_PROGRAMS/nonblock" tpa-classify | { sleep 0.3; cat; } >got
  same want.classify got
}

@test "a disk that is full, wherever: status 1, and that is said" {
  while read -ra command; do
    "${command[@]}" >want
    size=$(stat -c %s want)
    for room in 0 1 100 $((size / 2)) $((size - 1)); do
      run -1 --separate-stderr with "FAIL_WRITE_FULL=$room" "${command[@]}"
      [ "$stderr" = "${command[0]}: stdout: cannot write: No space left on device" ]
    done
    with "FAIL_WRITE_FULL=$size" "${command[@]}" >got
    same want got
  done < <(commands)
}

@test "a reader that leaves where SIGPIPE is ignored: status 1, and that is said" {
  while read -ra command; do
    (
      trap '' PIPE
      status=0
      "${command[@]}" 2>err || status=$?
      echo "$status" >status
    ) | true
    # whether the reader was gone by then is a matter of luck
    if [ "$(<status)" != 0 ]; then
      [ "$(<status)" = 1 ]
      [ "$(<err)" = "${command[0]}: stdout: cannot write: Broken pipe" ]
    fi
  done < <(commands)
}

@test "reading fails: status 1, and what came before it is there" {
  passed() { "$@" tpa-srcmap mapped.tsv 2>/dev/null | grep -vE '^(source|site)	|	(sources|sites)	'; }
  passed env >want
  for at in 0 1 500 1500; do
    run -1 --separate-stderr with "FAIL_READ_ERROR=$at" tpa-srcmap mapped.tsv
    [ "$stderr" = 'tpa-srcmap: mapped.tsv: cannot read: Input/output error' ]
    passed with "FAIL_READ_ERROR=$at" >got || true
    whole_beginning want got
  done
  for at in 0 1 300 700; do
    run -1 with "FAIL_READ_ERROR=$at" tpa-extract -q t.json
    [[ $output = *'tpa-extract: t.json: cannot read: Input/output error'* ]]
  done
  for jobs in 1 2; do
    for at in 0 1 30 200; do
      run -1 with "FAIL_READ_ERROR=$at" tpa-extract -q -j "$jobs" t.gz
      [[ $output = *'tpa-extract: t.gz: cannot read: Input/output error'* ]]
    done
  done
}

@test "a file that shrinks while it is read: a trace that is cut" {
  size=$(stat -c %s t.json)
  for at in 200 500 $((size - 4)); do
    run -3 --separate-stderr with "FAIL_READ_END=$at" tpa-extract -q t.json
    [ "${#stderr_lines[@]}" = 1 ]
  done
  passed() { "$@" tpa-srcmap mapped.tsv 2>/dev/null | grep -vE '^(source|site)	|	(sources|sites)	'; }
  passed env >want
  run -1 --separate-stderr with FAIL_READ_END=1000 tpa-srcmap mapped.tsv
  passed with FAIL_READ_END=1000 >got || true
  [ -s got ]
  whole_beginning want got
}

@test "no second thread: everything in the first" {
  tpa-extract -q t.gz >want
  with FAIL_THREAD=1 tpa-extract -q -j 2 t.gz >got
  same want got
}

@test "a bomb of gzip costs time but not memory" {
  # 200 MB in 200 KB, of blanks, of one name, of damage
  for text in ' ' x '{'; do
    {
      printf '[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"External id":1}},'
      head -c 200000000 /dev/zero | tr '\0' "$text"
    } | gzip -1 -c >bomb.gz
    for jobs in 1 2; do
      (ulimit -v 300000 && tpa-extract -q -j "$jobs" bomb.gz >out 2>err) || [ $? = 3 ]
      [ "$(fields kernel name <out)" = k ]
    done
  done
}
