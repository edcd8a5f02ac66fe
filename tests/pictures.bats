# tpa-fmt's drawings, and what it writes for other programs.

load helper

# Three streams: gemm alone, then under an all-reduce, then two that hide each other.
scene() {
  records <<'END'
kernel idx=0 stream=7 ts=0.000 dur=100.000 category=compute name=gemm
kernel idx=1 stream=9 ts=60.000 dur=60.000 category=communication name=reduce
kernel idx=2 stream=7 ts=150.000 dur=50.000 category=elementwise name=add;<b>&"x"
END
}

# The scene with its figures, and where its kernels come from.
whole_scene() {
  scene | tpa-overlap
  record source total=1 mapped=1 launch_op=aten::mm scope='b.py(2): g' name=gemm
  record site kind=chain count=1 value='a.py(1): f -> b.py(2): g' name=gemm
  record site kind=chain count=2 value='a.py(1): f' name=gemm
}

@test "text: a letter a column, capitals where exposed" {
  whole_scene | tpa-fmt -f text >got
  cat >want <<'END'
0.000 us, and on for 200.000 us
stream 7  CCCCCCCCCCCCCCCCCCCCCcccccccccccccc.................EEEEEEEEEEEEEEEEEE
stream 9  .....................nnnnnnnnnnnnnnNNNNNNN............................

C compute, N communication, M memory, E elementwise, O other; small: hidden
END
  same want got
}

@test "text: around the longest kernel of each of the first actions" {
  { whole_scene; record action order=1 priority=P1 recommendation='try overlap' name=reduce; } |
    tpa-fmt -f text >got
  [ "$(sed -n 1p got)" = "P1 try overlap: reduce" ]
  [ "$(sed -n 2p got)" = "-30.001 us, and on for 240.002 us" ]
}

@test "text: --from and --to, and --around a kernel" {
  whole_scene | tpa-fmt -f text --from 100 --to 200 >got
  [ "$(sed -n 1p got)" = "100.000 us, and on for 100.000 us" ]
  whole_scene | tpa-fmt -f text --around 2 >got
  [ "$(sed -n 1p got)" = "75.000 us, and on for 200.000 us" ]
  run -2 --separate-stderr tpa-fmt -f text --from later
  [ "${stderr_lines[0]}" = 'tpa-fmt: --from wants a time in microseconds: "later"' ]
}

@test "text: no kernels, no drawing, and a note" {
  run -0 --separate-stderr tpa-fmt -f text </dev/null
  [ -z "$output" ]
  [ "$stderr" = "tpa-fmt: no kernels to draw" ]
}

@test "svg: a rectangle a kernel, red where it is exposed, names safe" {
  whole_scene | tpa-fmt -f svg >got
  [ "$(grep -c '<title>' got)" -eq 3 ]
  grep -q '<rect class="compute" x="0.000"' got
  # exposed: 0 to 60, 100 to 120, 150 to 200 of 200 us on 1200 pixels
  grep -q 'class="exposed" x="0.000" y="[0-9]*" width="360.000"' got
  grep -q 'class="exposed" x="600.000" y="[0-9]*" width="120.000"' got
  grep -q 'class="exposed" x="900.000" y="[0-9]*" width="300.000"' got
  grep -q 'add;&lt;b&gt;&amp;&quot;x&quot;' got
  run ! grep -q '<b>' got
  run ! grep -E 'https?://' <(sed 's|http://www.w3.org/2000/svg||' got)
}

@test "svg: kernels too small to be seen are drawn together" {
  for ((i = 0; i < 2000; i++)); do
    echo "kernel idx=$i stream=7 ts=$((i * 10)).000 dur=5.000 category=compute name=k"
  done | records | tpa-fmt -f svg --from 0 --to 20000000 >got
  [ "$(grep -c '<title>' got)" -lt 10 ]
  grep -q '2000 kernels, from k\|[0-9]* kernels, from k' got
}

@test "svg and html are well-formed" {
  command -v xmllint >/dev/null || skip "xmllint is not installed"
  whole_scene | tpa-fmt -f svg >got.svg
  xmllint --noout got.svg
  whole_scene | tpa-rank -a -t | tpa-fmt -f html >got.html
  xmllint --html --noout got.html 2>err || true
  run ! grep -v -E 'Tag (svg|rect|text|line|title) invalid' <(grep error err)
}

@test "html: the tables, the ledger, who hides whom, the timeline, and no network" {
  whole_scene | tpa-rank -a -t | tpa-fmt -f html >got
  for part in "What to try first" "Where the window goes" "Timeline" "Who hides whom" "Kernels"; do
    grep -q "<h2>$part</h2>" got || { echo "no $part"; return 1; }
  done
  # busy 170 of 200 us, 40 of them overlapped
  grep -q 'busy: at least one kernel runs</td><td class="number">170.000</td><td class="number">85.0' got
  grep -q 'two streams or more</td><td class="number">40.000</td><td class="number">20.0' got
  grep -q '<td class="code">gemm</td><td class="code">reduce</td><td class="number">40.000' got
  run ! grep -E '(src|href)=' got
}

@test "html: the records of one table may come between those of another" {
  whole_scene | tpa-rank -a -t >all
  tpa-fmt -f html all >want
  {
    grep -v -e ^total -e ^action all
    paste -d '\n' <(grep ^total all) <(grep ^action all) | grep .
  } >mixed
  run ! cmp -s all mixed
  tpa-fmt -f html mixed >got
  same want got
}

@test "html: a real trace's page shows in a browser, in light and in dark" {
  command -v chromium >/dev/null || skip "chromium is not installed"
  chain "$TRACES/sampled-rank-0.json.gz" | tpa-fmt -f html >page.html
  for scheme in light dark; do
    flags=(--headless --no-sandbox --disable-gpu --user-data-dir="$PWD/$scheme"
      --disable-background-networking --no-first-run --window-size=1280,1600)
    [ $scheme = light ] || flags+=(--blink-settings=preferredColorScheme=0)
    timeout 60 chromium "${flags[@]}" --screenshot="$PWD/$scheme.png" "file://$PWD/page.html" 2>err
    [ -s $scheme.png ] || { cat err; return 1; }
  done
  timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/dom" \
    --disable-background-networking --dump-dom "file://$PWD/page.html" >dom 2>err
  grep -q 'class="tpa"' dom
}

@test "chrome: tpa-extract reads the same kernels and CPU side back" {
  for name in sampled-rank-0 mi300-compile-triton dlrm-rank-1; do
    chain "$TRACES/$name.json.gz" >all
    tpa-fmt -f chrome all >back.json
    tpa-extract back.json 2>/dev/null >again
    for file in all again; do
      grep '^kernel' "$file" | cut -f 1-3,5-12,17,18 | sort >"$file.kernels"
      grep -E '^(cpu_op|python|launch|span)' "$file" | sort >"$file.cpu"
    done
    same all.kernels again.kernels
    same all.cpu again.cpu
  done
}

@test "chrome: valid JSON, the figures in args, a lane and a counter of what is exposed" {
  whole_scene | tpa-fmt -f chrome >got
  command -v jq >/dev/null || skip "jq is not installed"
  [ "$(jq '[.traceEvents[] | select(.cat == "kernel")] | length' got)" -eq 3 ]
  [ "$(jq -r '.traceEvents[] | select(.name == "gemm" and .cat == "kernel") |
       .args["hidden us"], .args.category' got | paste -sd ' ')" = "40.000 compute" ] ||
    [ "$(jq -r '.traceEvents[] | select(.name == "gemm" and .cat == "kernel") |
       .args["hidden us"]' got)" = 40 ]
  [ "$(jq '[.traceEvents[] | select(.tid == "exposed") | .dur] | add' got)" = 130 ]
  [ "$(jq -c '[.traceEvents[] | select(.ph == "C") | [.ts, .args.exposed, .args.hidden]]' got)" = \
    "[[0,1,0],[60,0,2],[100,1,0],[120,0,0],[150,1,0],[200,0,0]]" ]
}

@test "chrome: ranks after the first are told by their pids, annotations by their side" {
  command -v jq >/dev/null || skip "jq is not installed"
  {
    record meta rank=0 key=base_time_ns value=1700000000000000000
    record kernel rank=0 pid=5 idx=0 ts=1.000 dur=1.000 name=k
    record kernel rank=3 pid=5 idx=0 ts=1.000 dur=1.000 name=k
    record kernel rank=3 pid='[T1] 5' idx=1 ts=3.000 dur=1.000 name=k
    record span rank=3 pid=8 ts=1.000 dur=4.000 side=cpu name=step
    record span rank=0 pid=8 ts=1.000 dur=4.000 side=gpu name=decode
    record launch rank=0 pid=8 ts=1.000 dur=1.000 corr=7 name=cudaLaunchKernel
  } | tpa-fmt -f chrome >got
  jq -r '.traceEvents[] | select(.cat and .cat != "tpa") | [.cat, .pid, .name] | join(" ")' got | sort >shown
  sort >want <<'END'
kernel 5 k
kernel [3] 5 k
kernel [T1] 5 k
user_annotation [3] 8 step
gpu_user_annotation 8 decode
cuda_runtime 8 cudaLaunchKernel
END
  same want shown
  grep -q '"baseTimeNanoseconds": 1700000000000000000' got
}

@test "chrome: a record without a time is a fault, with -k it is left out" {
  for type in python launch span cpu_op; do
    record $type ts=now dur=1.000 name=f >bad
    run -1 --separate-stderr tpa-fmt -f chrome bad
    [ "$stderr" = "tpa-fmt: bad:1: $type: ts: not a time: \"now\"" ]
    record cpu_op ts=1.000 dur=1.000 name=good | cat bad - | { tpa-fmt -k -f chrome 2>/dev/null || true; } >got
    grep -q good got
    ! grep -q '"f"' got
  done
}

@test "folded: a kernel's time is divided among its chains, to the nanosecond" {
  whole_scene | tpa-fmt -f folded >got
  cat >want <<'END'
a.py(1): f;b.py(2): g;gemm 33333
a.py(1): f;gemm 66667
unmapped;reduce 60000
unmapped;add:<b>&"x" 50000
END
  same want got
  whole_scene | tpa-fmt -f folded --weight hidden >got
  [ "$(awk '{ sum += $NF } END { print sum }' got)" -eq 80000 ]
  whole_scene | tpa-fmt -f folded --weight exclusive >got
  [ "$(awk '{ sum += $NF } END { print sum }' got)" -eq 130000 ]
  run -1 --separate-stderr tpa-fmt -f folded --weight hidden <(scene)
  [[ $stderr == *"hidden: no figure to weigh by; run tpa-overlap first"* ]]
}

@test "folded: what is not UTF-8 in a frame is U+FFFD" {
  {
    record kernel idx=0 ts=1.000 dur=2.000 name=gemm
    record source total=1 mapped=1 name=gemm
    record site kind=chain count=1 value=$'a\xff -> b\xf0' name=gemm
  } >in
  run -0 tpa-fmt -f folded in
  [ "$output" = $'a\xef\xbf\xbd;b\xef\xbf\xbd;gemm 2000' ]
}

@test "folded: of chains that were not counted the last one has the whole time" {
  { record kernel dur=10.000 name=k
    for chain in a b; do record site kind=chain count=0 value=$chain name=k; done; } >in
  run -0 tpa-fmt -f folded in
  [ "$output" = "b;k 10000" ]
}

@test "folded: the sum over a real trace is the time of its kernels" {
  chain "$TRACES/mi300-resnet-checkpoint.json.gz" >all
  tpa-fmt -f folded all >got
  [ "$(awk '{ sum += $NF } END { print sum }' got)" -eq \
    "$(grep '^kernel' all | cut -f 9 | tr -d . | awk '{ sum += $1 } END { print sum }')" ]
  run ! grep -v -E ' [0-9]+$' got
}

@test "csv: a header, one type of record, quotes where they are needed" {
  whole_scene | grep -E '^kernel' | tpa-fmt -f csv -c name,hidden >got
  printf 'name,hidden\ngemm,40.000\nreduce,40.000\n"add;<b>&""x""",0.000\n' >want
  same want got
  whole_scene >all
  run -0 --separate-stderr tpa-fmt -f csv all
  [ "${lines[0]}" = "type,rank,pid,stage,idx,tid,stream,ts,dur,ext,corr,kind,category,hidden,exclusive,hidden_compute,name,params" ]
  [ "${#lines[@]}" -eq 4 ]
  [ "$stderr" = "tpa-fmt: 6 records of other types are left out; grep the type that you want first" ]
}
