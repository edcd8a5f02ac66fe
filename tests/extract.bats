#!/usr/bin/env bats
# tpa-extract: which event becomes which record, and what each field of it is.

load helper
load trace

set -o pipefail

# --- events that count ---

@test "only complete events (ph X) count" {
  for ph in X B E i I M C s f N x; do
    ev "ph=$ph" "name=gemm_$ph"
  done | trace | extract
  is kernel name <<<gemm_X
  is meta key value < <(grep '^meta' out | cut -f 3,4)
  grep -q '^meta	-	events	11$' out
}

@test "an event without ph is none" {
  { ev ph= name=a; ev name=b; } | trace | extract
  is kernel name <<<b
}

@test "times are exact to the nanosecond, at the epoch too" {
  one ts=1712345678123456.789 dur=0.001
  is kernel ts dur <<<'1712345678123456.789	0.001'
}

@test "times are rounded half to even" {
  {
    ev ts=0.0005 dur=0.0015
    ev ts=0.0015 dur=0.0025
    ev ts=0.00250000000000000000000000001 dur=1.23456789012345678901234567890
    ev ts=-0.0015 dur=2.9995
  } | trace | extract
  is kernel ts dur <<'END'
0.000	0.002
0.002	0.002
0.003	1.235
-0.002	3.000
END
}

@test "times in every way to write a number" {
  {
    ev ts=1e3 dur=1E1
    ev ts=1.5e+2 dur=150e-2
    ev ts='"12.5"' dur='" 2 "'
    ev ts='"1e2"' dur='"+3"'
    ev ts=-5 dur=10
    ev ts=0 dur=0.1
    ev ts=100000000000000000000e-19 dur=1e0
  } | trace | extract
  is kernel ts dur <<'END'
1000.000	10.000
150.000	1.500
12.500	2.000
100.000	3.000
-5.000	10.000
0.000	0.100
10.000	1.000
END
}

@test "an event without usable times is skipped and counted, by reason" {
  {
    ev dur=0
    ev dur=0.0005
    ev dur=-1
    ev dur=
    ev ts=
    ev dur='"long"'
    ev dur=null
    ev ts=true
    ev dur='{}'
    ev dur=nan
    ev ts='"-Infinity"'
    ev dur=1e30
    ev ts=1e400
    ev name=good
  } | trace | extract
  is kernel name <<<good
  said 'stdin: 6 events skipped: ts or dur is missing or no number' \
    'stdin: 2 events skipped: ts or dur is not finite' \
    'stdin: 2 events skipped: ts or dur is out of range' \
    'stdin: 2 events skipped: dur is zero' \
    'stdin: 1 event skipped: dur is negative' \
    'stdin: 1 kernel has neither launch nor External id: the source map can only go by time'
  grep '^meta	-	skipped' out | cut -f 4 >got
  cat >want <<'END'
6 ts or dur is missing or no number
2 ts or dur is not finite
2 ts or dur is out of range
2 dur is zero
1 dur is negative
END
  same want got
}

@test "args that are no object are empty ones" {
  for args in null '[1,2]' 7 '"text"' '{}'; do
    echo "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":1,\"args\":$args}"
  done | trace | extract
  [ "$(fields kernel stream ext corr <out | sort -u)" = 'tid=7	-	-' ]
  [ "$(fields kernel idx <out | wc -l)" = 5 ]
}

@test "an event without args, name, cat, pid or tid" {
  {
    ev args=
    ev name=
    ev pid= tid=
    ev cat= name=gemm
    ev cat=cpu_op pid= tid= args= name=
  } | trace | extract --all
  is kernel pid tid stream kind name <<'END'
0	7	tid=7	kernel	k
0	7	7	kernel	-
-	-	7	kernel	k
0	7	7	-	gemm
END
  is cpu_op pid tid ext name <<<'-	-	-	-'
}

@test "white space in names is folded, in every type" {
  name=' \t a \n\r b\u000bc\u000c '
  {
    ev "name=$name"
    ev "name=$name" cat=cpu_op
    ev "name=$name Launch" cat=cuda_runtime args='"correlation":1'
    ev "name=$name" cat=user_annotation
    ev "name=/x/ $name.py(1): f" cat=python_function
  } | trace | extract
  is kernel name <<<'a b c'
  is cpu_op name <<<'a b c'
  is launch name <<<'a b c Launch'
  is span name <<<'a b c'
  is python name <<<'x/ a b c .py(1): f'
}

@test "no other white space is folded" {
  one 'name=a\u00a0\u2003b\u0085'
  is kernel name <<<$'a\xc2\xa0\xe2\x80\x83b\xc2\x85'
}

@test "escapes and control characters in a name" {
  one 'name=\"\\\/\b\u0001\u001b\u007f\u00e9\ud83d\ude00'
  is kernel name <<<'"\\/\x08\x01\x1b\x7fé😀'
}

@test "a name that is just a dash" {
  one name=-
  is kernel name <<<'\-'
}

@test "pid and tid are text, as written" {
  {
    ev pid='"Spans"' tid='"stream 7"' args=
    ev pid=00012 tid=1.50 args=
    ev pid='"a\tb"' tid='"-"' args=
  } | trace | extract --all
  is kernel pid tid stream <<'END'
Spans	stream 7	tid=stream 7
00012	1.50	tid=1.50
a\tb	\-	tid=-
END
}

# --- ids ---

# ids VALUE: what an External id written so is read as
ids() {
  one "args=\"External id\":$1"
  fields kernel ext <out
}

@test "an id is a 64-bit integer, or text that is one" {
  while read -r text want; do
    [ "$(ids "$text")" = "$want" ] || { echo "$text: $(ids "$text") instead of $want"; false; }
  done <<'END'
7 7
-7 -7
"7" 7
"+7" 7
7.0 7
7e0 7
70e-1 7
7.5 -
"7.0" -
"x" -
"" -
true -
null -
[7] -
{} -
nan -
9223372036854775807 9223372036854775807
-9223372036854775808 -9223372036854775808
9223372036854775808 -
1e30 -
123456789012345678901234567890 -
0 -
-0 -
0.0 -
"0" -
END
  [ "$(ids '" 7 "')" = 7 ]
  [ "$(ids '"7 7"')" = - ]
}

@test "a kernel takes the last External id seen with its correlation, from any event" {
  {
    ev cat=cuda_runtime name=launch args='"correlation":5,"External id":1'
    ev name=a args='"correlation":5'
    ev name=b args='"correlation":6'
    ev ph=i cat= args='"correlation":5,"External id":2'
    ev name=c args='"correlation":5,"External id":9'
    ev ph= cat= dur= args='"correlation":"5","External id":3.0'
    ev name=d args='"External id":4'
  } | trace | extract
  is kernel name ext corr <<'END'
a	3	5
b	-	6
c	9	5
d	4	-
END
}

@test "correlation 0 and External id 0 are none" {
  {
    ev cat=cuda_runtime name=hipLaunch args='"correlation":0,"External id":3'
    ev name=a args='"correlation":0'
    ev name=b args='"correlation":0,"External id":0'
    ev cat=cpu_op name=op args='"External id":0'
  } | trace | extract
  is kernel name ext corr <<'END'
a	-	-
b	-	-
END
  is cpu_op name ext <<<'op	-'
  is launch name </dev/null
}

@test "an External id that equals the event's own correlation is none" {
  {
    ev cat=cuda_runtime name=cudaLaunchKernel args='"correlation":5,"External id":5'
    ev name=a args='"correlation":5,"External id":"5"'
    ev name=b args='"correlation":6,"External id":7'
    ev cat=cpu_op name=op args='"External id":5'
  } | trace | extract
  is kernel name ext corr <<'END'
a	-	5
b	7	6
END
  is launch corr ext <<<'5	-'
  is cpu_op ext <<<5
}

@test "traces of 2021: old categories, whatever their case, and the id in lower case" {
  {
    ev cat=Operator name=aten::mm args='"External id":3'
    ev cat=RUNTIME name=cudaLaunchKernel args='"correlation":1,"external id":3'
    ev cat=Kernel name=a args='"stream":7,"correlation":1,"external id":3'
    ev cat=memcpy name=b
    ev cat=MemSet name=c
    ev cat=operators name=d args=
    ev cat=kernel name=e args='"External id":4,"external id":5'
    ev cat=kernel name=f args='"External id":null,"external id":5'
  } | trace | extract
  is kernel name kind ext <<'END'
a	kernel	3
b	gpu_memcpy	-
c	gpu_memset	-
e	kernel	4
f	kernel	-
END
  is cpu_op name ext <<<'aten::mm	3'
  is launch name corr ext <<<'cudaLaunchKernel	1	3'
}

# --- which event is what ---

@test "a kernel by its category" {
  for cat in kernel Kernel MyKernels gpu_memcpy GPU_Memset gpu_x ' gpu_y ' 'a  kernel'; do
    ev "cat=$cat" args= name=f
  done | trace | extract
  is kernel kind <<'END'
kernel
kernel
mykernels
gpu_memcpy
gpu_memset
gpu_x
gpu_y
a kernel
END
}

@test "no kernel by its category, whatever else it has" {
  for cat in python_function my_Python_Function cpu_op x_cpu_op_y Trace kernel_trace \
    gpu_user_annotation kernel_annotation Annotation cpu_op_kernel; do
    ev "cat=$cat" name=gemm
  done | trace | extract
  is kernel name </dev/null
}

@test "no kernel by its name" {
  for name in process_name thread_name process_sort_index thread_sort_index '## Call x' \
    '  ## call y'; do
    ev "name=$name"
  done | trace | extract
  is kernel name </dev/null
  for name in Process_name 'thread_name x' '##call x' 'x ## Call y'; do
    ev "name=$name"
  done | trace | extract
  [ "$(fields kernel name <out | wc -l)" = 4 ]
}

@test "of another category, a kernel by its stream and its name" {
  for name in 'void f' ampere_x sm80_x SM90_x my_AllReduce all_reduce reduce_scatter allgather \
    all_gather NCCL cross_device_reduce deepep a2a AllToAll mooncake broadcast dispatch combine \
    memcpy memset dma prefetch fill copy cublas cudnn cutlass triton gemm gemv matmul grouped_mm \
    flash attention fmha marlin fused_moe moe_kernel groupgemm mma wgmma conv bmm mm_kernel; do
    ev cat=thing "name=$name"
  done | trace | extract
  [ "$(fields kernel name <out | wc -l)" = 44 ]
  for name in void voidf f xvoid\ f sm90 x_ampere x_sm80_ relu norm; do
    ev cat=thing "name=$name"
  done | trace | extract
  is kernel name </dev/null
}

@test "that stream may be null, or cuda_stream, but has to be there" {
  {
    ev cat=thing name=gemm1 args='"stream":null'
    ev cat=thing name=gemm2 args='"cuda_stream":3'
    ev cat=thing name=gemm3 args='"sycl queue":3'
    ev cat=thing name=gemm4 args=
  } | trace | extract
  is kernel name <<<'gemm1
gemm2'
}

@test "that name may not be a Python frame's" {
  for name in 'copy.py(3): f' python/gemm nn.module:gemm 'NN.Module: gemm' 'COPY.PY(3)'; do
    ev cat=thing "name=$name"
  done | trace | extract
  is kernel name </dev/null
  ev cat=kernel 'name=copy.py(3): f' | trace | extract
  is kernel name <<<'copy.py(3): f'
}

@test "a launch by its category and its name" {
  {
    for cat in cuda_runtime CUDA_Driver xpu_runtime _runtime; do
      ev "cat=$cat" name=cudaLaunchKernel args='"correlation":1'
    done
    for name in hipMemcpyAsync cudaMemsetAsync hipMemfill urEnqueueKernel XLAUNCHX; do
      ev cat=cuda_runtime "name=$name" args='"correlation":1'
    done
  } | trace | extract
  [ "$(fields launch name <out | wc -l)" = 9 ]
  {
    for cat in runtime_x cuda_runtimes driver cpu_op cuda; do
      ev "cat=$cat" name=cudaLaunchKernel args='"correlation":1'
    done
    for name in cudaStreamSynchronize a::cudaLaunchKernel ''; do
      ev cat=cuda_runtime "name=$name" args='"correlation":1'
    done
    ev cat=cuda_runtime name=cudaLaunchKernel args='"External id":1'
  } | trace | extract
  is launch name </dev/null
}

@test "CPU ops, frames and annotations by their exact category" {
  for cat in cpu_op CPU_op ' cpu_op' python_function Python_function user_annotation \
    User_annotation gpu_user_annotation gpu_user_annotations; do
    ev "cat=$cat" 'name=a.py(1): f' args=
  done | trace | extract
  for type in cpu_op python span; do
    fields "$type" name <out | sed "s/^/$type /"
  done >got
  [ "$(sort got | uniq -c | awk '{ print $2, $1 }')" = 'cpu_op 1
python 1
span 2' ]
  is span side <<<'cpu
gpu'
}

# --- streams ---

@test "a stream is text as written, 0 is one, and only an absent one falls back" {
  {
    ev args='"stream":0,"cuda_stream":5'
    ev args='"stream":"","cuda_stream":5,"sycl queue":6'
    ev args='"stream":null,"sycl queue":6'
    ev args='"stream":94083541093376123456'
    ev args='"stream":"0x7f"'
    ev args='"stream":"a\tb"'
    ev args='"stream":true'
    ev args='"stream":1e3'
    ev args='"stream":"-"'
    ev args='"sycl queue":0'
    ev tid=8 args=
    ev tid=9 args='"stream":null'
    ev ph=M name=thread_name tid=9 args='"name":"stream 9 (gpu)"'
  } | trace | extract
  is kernel stream <<'END'
0
5
6
94083541093376123456
0x7f
a\tb
true
1e3
\-
0
tid=8
stream 9 (gpu)
END
}

@test "the last name of a thread counts; an empty one or one of another event does not" {
  {
    ev ph=M name=thread_name args='"name":"first"'
    ev args=
    ev ph=M name=thread_name args='"name":"sec\u006fnd\n"'
    ev ph=M name=thread_name args='"name":""'
    ev ph=M name=thread_names args='"name":"x"'
    ev ph=i name=thread_name args='"name":"x"'
    ev ph=M name=thread_name tid=70 args='"name":"x"'
    ev ph=M name=thread_name pid=1 args='"name":"x"'
    ev ph=M name=process_name args='"name":"x"'
    ev ph=M name=thread_name args='"names":"x"'
  } | trace | extract
  is kernel stream <<<'second\n'
}

# --- names ---

@test "a kernel's canonical name and what was cut off it" {
  {
    ev 'name=void  add<float>(float*,  int)'
    ev 'name=void f<(int)3>(T (*)(int))'
    ev 'name=gemm(int)'
    ev 'name=k_0x7fAB12 (0x1)'
    ev 'name=void f'
    ev 'name=void f)'
  } | trace | extract
  is kernel name params <<'END'
void add<float>	(float*, int)
void f<(int)3>	(T (*)(int))
gemm(int)	-
k_0xADDR (0xADDR)	-
void f	-
void f)	-
END
}

@test "a frame's path is cut at the first marker of the list that begins a component" {
  while IFS='|' read -r name want; do
    ev cat=python_function "name=$name" args=
    echo "$want" >>wanted
  done <<'END' | trace | extract
/usr/lib/python/sglang/a.py(1): f|python/sglang/a.py(1): f
/x/sgl_kernel/a.py(1): f|sgl_kernel/a.py(1): f
/x/vllm/vllm/a.py(1): f|vllm/vllm/a.py(1): f
/x/tokenspeed/a.py(1): f|tokenspeed/a.py(1): f
/x/python/tokenspeed/a.py(1): f|python/tokenspeed/a.py(1): f
/x/tensorrt_llm/a.py(1): f|tensorrt_llm/a.py(1): f
/x/tensorrt-llm//a.py(1): f|tensorrt_llm/a.py(1): f
/x/sglang/a.py(1): f|python/sglang/a.py(1): f
/x/sglang/vllm/a.py(1): f|vllm/a.py(1): f
/x/myvllm/a.py(1): f|x/myvllm/a.py(1): f
//app/a.py(1): f|app/a.py(1): f
/x/VLLM/a.py(1): f|vllm/a.py(1): f
C:\\w\\vllm\\a.py(1): f|vllm/a.py(1): f
C:\\w\\a.py(10): f|C:/w/a.py(10): f
app/a.py(x): f|app/a.py(x): f
/app/a.py(1) f at 0x7f00|/app/a.py(1) f at 0xADDR
END
  is python name <wanted
}

@test "only frames that a scope chain could show are written" {
  for name in '<built-in method f of x.py(1)>' '<built-in method g>' 'nn.Module: Linear_0' \
    'threading.py(1): run' lambda f '' 'app/a.so(1): f'; do
    ev cat=python_function "name=$name" args=
  done | trace | extract
  is python name </dev/null
  for name in 'logging/__init__.py(1): f' 'torch/nn/modules/module.py(1): f' 'python/x' \
    'vllm/x' 'sgl_kernel/x' 'a.py(1): <built-in method x>'; do
    ev cat=python_function "name=$name" args=
  done | trace | extract
  [ "$(fields python name <out | wc -l)" = 6 ]
}

# --- processes ---

@test "the process with the most kernel time is kept, of equals the first seen" {
  {
    ev pid=1 dur=5 name=a
    ev pid=2 dur=6 name=b
    ev pid=1 dur=1 name=c
    ev pid=3 dur=5.999 name=d
  } | trace | extract
  is kernel pid idx name <<'END'
1	0	a
1	1	c
END
  grep -P '^meta\t-\tprocess' out | cut -f 3- >got
  cat >want <<'END'
process	6.000 1
process_left_out	6.000 2
process_left_out	5.999 3
END
  same want got
  grep -qxF 'tpa-extract: stdin: 2 processes with kernels left out, "1" kept; --all keeps all, -p TEXT chooses' err
}

@test "TP00 is preferred, then TP-0, whatever their time" {
  {
    ev pid='"rank TP-0"' dur=2 name=a
    ev pid='"x TP00"' dur=1 name=b
    ev pid='"x TP00 y"' dur=2 name=c
    ev pid=5 dur=100 name=d
  } >events
  trace <events | extract
  is kernel name <<<c
  grep -v TP00 events | trace | extract
  is kernel name <<<a
  grep -v 'TP' events | trace | extract
  is kernel name <<<d
}

@test "-p keeps only processes with that text, and prefers none" {
  {
    ev pid='"TP00 a"' dur=1 name=a
    ev pid='"TP01 a"' dur=2 name=b
    ev pid='"TP02"' dur=3 name=c
  } >events
  for option in -p --pid; do
    trace <events | extract "$option" ' a'
    is kernel name <<<b
  done
  trace <events | extract -p TP
  is kernel name <<<c
  trace <events | extract -p nobody
  is kernel name </dev/null
  said 'stdin: no process with kernels has "nobody" in its pid; 3 left out'
}

@test "--all keeps every process, each counted from 0" {
  {
    ev pid=1 name=a
    ev pid=2 name=b
    ev pid=1 name=c
    ev pid=2 name=d
  } >events
  for option in -a --all; do
    trace <events | extract "$option"
    is kernel pid idx name <<'END'
1	0	a
2	0	b
1	1	c
2	1	d
END
  done
  ! grep -q 'left out' err
  trace <events | extract --all -p 2
  is kernel pid idx name <<'END'
2	0	b
2	1	d
END
}

@test "CPU records of all processes are written" {
  {
    ev pid=1 name=gemm
    ev pid=2 cat=cpu_op name=op
    ev pid=3 cat=cuda_runtime name=cudaLaunchKernel args='"correlation":1'
  } | trace | extract
  is cpu_op pid <<<2
  is launch pid <<<3
}

# --- ranks ---

@test "the rank's label is the trace's own, or -l, or -" {
  ev | trace | extract
  is kernel rank <<<-
  ev | trace '"distributedInfo":{"backend":"nccl","rank":3,"world_size":8}' | extract
  is kernel rank <<<3
  is meta rank < <(grep '^meta' out | cut -f 2)
  for option in -l --label; do
    ev | trace '"distributedInfo":{"rank":3}' | extract "$option" 'a	b'
    [ "$(cut -f 2 out | grep -v '^#' | sort -u | grep -v '^rank')" = 'a\tb' ]
  done
}

@test "a rank named behind the events of a short trace counts, and in silence" {
  {
    echo '{"traceEvents":['
    ev args='"stream":7,"External id":1'
    echo '],"distributedInfo":{"rank":5}}'
  } | extract
  is kernel rank <<<5
  said
}

@test "a rank named behind the events of a long trace is told of" {
  {
    echo '{"traceEvents":['
    for _ in $(seq 12000); do
      echo '{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":1,"dur":1,"args":{"x":"yyyyyyyyyyyyyyyyyy"}},'
    done
    ev args='"stream":7,"External id":1'
    echo '],"distributedInfo":{"rank":5}}'
  } >long.json
  extract long.json
  is kernel rank <<<-
  said 'long.json: the trace names its rank, "5", only behind its events; -l gives it a label'
  extract -l 5 long.json
  is kernel rank <<<5
  said
}

@test "several traces: a trace without a rank gets its place as label" {
  ev args='"External id":1' | trace >a.json
  ev args='"External id":1' | trace '"distributedInfo":{"rank":7}' >b.json
  extract a.json b.json a.json
  is kernel rank <<'END'
0
7
2
END
  said
  extract -l x a.json b.json a.json
  is kernel rank <<'END'
x
7
2
END
  extract -l x -l y -l z a.json b.json a.json
  is kernel rank <<'END'
x
y
z
END
}

@test "several traces of one label are an error that names -l" {
  ev args='"External id":1' | trace '"distributedInfo":{"rank":7}' >a.json
  ev args='"External id":1' | trace '"distributedInfo":{"rank":1}' >b.json
  ev args='"External id":1' | trace >c.json
  run -1 --separate-stderr tpa-extract a.json b.json a.json
  [ "$stderr" = 'tpa-extract: a.json: a second trace of rank "7": give each trace its own label with -l' ]
  printf '%s\n' "${lines[@]}" >out
  is kernel rank <<'END'
7
1
END
  run -1 --separate-stderr tpa-extract b.json c.json
  [ "$stderr" = 'tpa-extract: c.json: a second trace of rank "1": give each trace its own label with -l' ]
  run -1 --separate-stderr tpa-extract -l u -l u b.json c.json
  [ "$stderr" = 'tpa-extract: c.json: a second trace of rank "u": give each trace its own label with -l' ]
}

@test "more labels than traces are a mistake" {
  run -2 --separate-stderr tpa-extract -l a -l b x.json
  [ "${stderr_lines[0]}" = 'tpa-extract: --label: 2 labels for 1 trace' ]
}

@test "a pid that begins with a tag is of that rank" {
  {
    ev pid='"[TP00] 1"' cat=cpu_op name=a args='"External id":1'
    ev pid='"[TP01] 1"' cat=cpu_op name=b args='"External id":1'
    ev pid='"[TP01] 9"' name=c
    ev pid='"[TP00] 8"' name=d
    ev pid='"[x\ty] 8"' name=e
    ev pid='"[] 8"' name=f
    ev pid='"[TP01 8"' name=g
    ev pid='"8 [TP01]"' name=h
  } | trace | extract --all
  is cpu_op rank name <<'END'
TP00	a
TP01	b
END
  is kernel rank pid name <<'END'
TP01	[TP01] 9	c
TP00	[TP00] 8	d
x\ty	[x\ty] 8	e
-	[] 8	f
-	[TP01 8	g
-	8 [TP01]	h
END
}

@test "ids are joined within one tag only" {
  {
    ev pid='"[A] 1"' cat=cuda_runtime name=cudaLaunchKernel args='"correlation":5,"External id":1'
    ev pid='"[B] 1"' cat=cuda_runtime name=cudaLaunchKernel args='"correlation":5,"External id":2'
    ev pid='1' cat=cuda_runtime name=cudaLaunchKernel args='"correlation":5,"External id":3'
    ev pid='"[A] 0"' name=a args='"correlation":5'
    ev pid='"[B] 0"' name=b args='"correlation":5'
    ev pid=0 name=c args='"correlation":5'
    ev pid='"[C] 0"' name=d args='"correlation":5'
  } | trace | extract --all
  is kernel name ext <<'END'
a	1
b	2
c	3
d	-
END
}

@test "stages are those of the same tag" {
  {
    ev pid='"[A] 1"' cat=user_annotation name=decode ts=0 dur=50
    ev pid='"[B] 1"' cat=user_annotation name=prefill ts=0 dur=50
    ev pid='"[A] 0"' name=a ts=5
    ev pid='"[B] 0"' name=b ts=5
    ev pid='"[C] 0"' name=c ts=5
  } | trace | extract --all
  is kernel name stage <<'END'
a	decode
b	extend
c	all
END
}

@test "each tag ends like a trace of its own" {
  {
    ev pid='"[A] 1"' cat=cpu_op name=a args=
    ev pid='"[B] 0"' name=b
    ev pid='"[A] 0"' name=c
  } | trace '"distributedInfo":{"rank":3}' | extract --all
  grep '^meta' out | cut -f 2- | grep -E '	(kernels|cpu_ops|process|end)	' >got
  cat >want <<'END'
A	cpu_ops	1
A	kernels	1
A	process	1.000 [A] 0
A	end	3
B	cpu_ops	0
B	kernels	1
B	process	1.000 [B] 0
B	end	3
END
  same want got
}

@test "tags of two traces may not clash either" {
  ev pid='"[A] 1"' args='"External id":1' | trace >a.json
  ev args='"External id":1' | trace '"distributedInfo":{"rank":"A"}' >b.json
  run -1 --separate-stderr tpa-extract a.json b.json
  [ "$stderr" = 'tpa-extract: b.json: a second trace of rank "A": give each trace its own label with -l' ]
  run -1 --separate-stderr tpa-extract b.json a.json
  [ "$stderr" = 'tpa-extract: a.json: a second trace of rank "A": give each trace its own label with -l' ]
}

# --- stages ---

@test "the stage of a whole file by its path" {
  ev | trace >plain
  while read -r path want; do
    mkdir -p "$(dirname "$path")"
    cp plain "$path"
    got=$(tpa-extract -q "$path" | fields kernel stage)
    [ "$got" = "$want" ] || { echo "$path: $got instead of $want"; false; }
  done <<'END'
x-extend.json extend
x_prefill.gz extend
a-PREFILL-1/x.json extend
x_Extend extend
b/extend/x.json extend
prefill extend
b/extended/x.json all
b/my.extend/x.json all
x-decode.json decode
c_decode/1/2/3/4/x.json decode
d_decode/1/2/3/4/5/x.json all
e/decode/x.json decode
decoder/x.json all
decode.json all
f-decode/x-extend.json extend
f/x.json all
f//decode//x.json decode
END
}

@test "-s gives all kernels a stage; all leaves each its own" {
  ev ts=5 | trace >x-decode.json
  for option in -s --stage; do
    extract "$option" prefill x-decode.json
    is kernel stage <<<prefill
  done
  {
    ev ts=5
    ev cat=user_annotation name=Generation_0 ts=0 dur=10
  } | trace >x-decode.json
  extract x-decode.json
  is kernel stage <<<decode
  extract -s all x-decode.json
  is kernel stage <<<extend
}

@test "a kernel's stage by the annotation with its External id" {
  {
    ev cat=user_annotation name=decode ts=900 dur=5 args='"External id":1'
    ev cat=gpu_user_annotation name=prefill ts=900 dur=1 args='"External id":1'
    ev cat=user_annotation name=decode ts=900 dur=5 args='"External id":2'
    ev cat=user_annotation name=prefill ts=900 dur=6 args='"External id":2'
    ev cat=user_annotation name=decode ts=900 dur=5 args='"External id":3'
    ev cat=user_annotation name=prefill ts=900 dur=5 args='"External id":3'
    ev name=a args='"External id":1'
    ev name=b args='"External id":2'
    ev name=c args='"External id":3'
    ev name=d args='"correlation":4'
    ev cat=cuda_runtime name=launch args='"correlation":4,"External id":2'
  } | trace | extract
  is kernel name stage <<'END'
a	extend
b	extend
c	decode
d	extend
END
}

@test "which annotation names what stage" {
  while IFS='|' read -r name want; do
    {
      ev cat=user_annotation "name=$name" ts=0 dur=10 args=
      ev ts=5
    } | trace | extract
    is kernel stage <<<"$want"
  done <<'END'
execute_GENERATION_1|decode
generation_0 and generation_1|decode
x generation_0|extend
Prefill|extend
Decode prefill|decode
extend|all
step|all
END
}

@test "only annotations tell a stage, of any case" {
  for cat in User_Annotation ' gpu_user_annotation '; do
    {
      ev "cat=$cat" name=decode ts=0 dur=10 args=
      ev ts=5
    } | trace | extract
    is kernel stage <<<decode
  done
  for cat in cpu_op user_annotations python_function; do
    {
      ev "cat=$cat" name=decode ts=0 dur=10 args=
      ev ts=5
    } | trace | extract
    is kernel stage <<<all
  done
}

# at TS...: the stages of kernels at these times, with the annotations in "marks"
at() {
  {
    cat marks
    for ts; do
      ev "ts=$ts"
    done
  } | trace | extract
  fields kernel stage <out | paste -s -d ' '
}

@test "a kernel's stage by time: probed 1 ns after its start, with 1 ns of slack" {
  ev cat=user_annotation name=decode ts=100000 dur=10 args= >marks
  [ "$(at 99999.999 100000 100010 79999.999 79999.998 120010 120010.001)" = \
    'decode decode decode decode all all all' ]
  [ "$(at 120009.999)" = decode ]
}

@test "a kernel's stage by time: GPU windows before CPU ones" {
  {
    ev cat=user_annotation name=decode ts=100 dur=100 args=
    ev cat=gpu_user_annotation name=prefill ts=150 dur=10 args=
  } >marks
  [ "$(at 120 155 300)" = 'decode extend decode' ]
}

@test "a kernel's stage by time: the first window that holds it wins" {
  {
    ev cat=user_annotation name=prefill ts=110 dur=100 args=
    ev cat=user_annotation name=decode ts=100 dur=100 args=
  } >marks
  [ "$(at 105 150 200 201)" = 'decode decode decode extend' ]
}

@test "a kernel's stage by time: windows of one stage are merged" {
  {
    ev cat=user_annotation name=decode ts=100 dur=10 args=
    ev cat=user_annotation name=decode ts=110.001 dur=10 args=
    ev cat=user_annotation name=prefill ts=120.003 dur=10 args=
  } >marks
  [ "$(at 110 120 120.001 120.002)" = 'decode decode decode extend' ]
  {
    ev cat=user_annotation name=decode ts=100 dur=10 args=
    ev cat=user_annotation name=decode ts=105 dur=1 args=
    ev cat=user_annotation name=prefill ts=114 dur=10 args=
  } >marks
  [ "$(at 110.999 112.001)" = 'decode extend' ]
}

@test "a kernel's stage by time: the nearest edge, earlier before later, GPU before CPU" {
  {
    ev cat=user_annotation name=decode ts=100 dur=10 args=
    ev cat=user_annotation name=prefill ts=120 dur=10 args=
  } >marks
  [ "$(at 114.998 114.999 115)" = 'decode decode extend' ]
  {
    ev cat=user_annotation name=decode ts=100 dur=10 args=
    ev cat=gpu_user_annotation name=prefill ts=120 dur=10 args=
  } >marks
  [ "$(at 114.998 114.999)" = 'decode extend' ]
}

@test "a kernel's stage by time: a window inside an earlier, longer one" {
  {
    ev cat=user_annotation name=decode ts=100 dur=100 args=
    ev cat=user_annotation name=prefill ts=120 dur=10 args=
    ev cat=user_annotation name=prefill ts=300 dur=10 args=
  } >marks
  [ "$(at 125 180 240 260)" = 'decode decode decode extend' ]
}

# --- health of the measurement ---

overrun() {
  ev ts=100 dur=1000 name=long args='"stream":3,"External id":1'
  ev ts=200 dur=50 name=a args='"stream":3,"External id":1'
  ev ts=300 dur=50 name=b args='"stream":3,"External id":1'
}

@test "a kernel that runs past the starts of two later ones of its stream is told of" {
  overrun | trace | extract
  is kernel name dur <<'END'
long	1000.000
a	50.000
b	50.000
END
  said 'stdin: 1 kernel runs past the starts of two or more later kernels of the stream, a corrupt duration; the worst, "long" on stream 3, by 900.000 us past 200.000; --clip ends it there'
}

@test "--clip ends it at the next start" {
  overrun | trace | extract --clip
  is kernel name ts dur <<'END'
long	100.000	100.000
a	200.000	50.000
b	300.000	50.000
END
}

@test "the worst of several overruns is named" {
  {
    overrun
    ev ts=10 dur=5000 name=longest args='"stream":4,"External id":1'
    ev ts=30 dur=1 name=c args='"stream":4,"External id":1'
    ev ts=20 dur=1 name=d args='"stream":4,"External id":1'
  } | trace | extract --clip
  is kernel name dur <<'END'
long	100.000
a	50.000
b	50.000
longest	10.000
c	1.000
d	1.000
END
  said 'stdin: 2 kernels run past the starts of two or more later kernels of the stream, a corrupt duration; the worst, "longest" on stream 4, by 4990.000 us past 20.000; --clip ends them there'
}

@test "what is no overrun: one later kernel, another stream, just touching, starting together" {
  {
    ev ts=100 dur=1000 name=a args='"stream":3,"External id":1'
    ev ts=200 dur=50 name=b args='"stream":3,"External id":1'
    ev ts=300 dur=50 name=c args='"stream":4,"External id":1'
    ev ts=1100 dur=50 name=d args='"stream":3,"External id":1'
    ev ts=100 dur=500 name=e args='"stream":3,"External id":1'
    ev ts=100 dur=500 name=f args='"stream":3,"External id":1'
  } | trace | extract --clip
  is kernel name dur <<'END'
a	1000.000
b	50.000
c	50.000
d	50.000
e	500.000
f	500.000
END
  said
}

@test "no GPU work is told of, and no error" {
  ev cat=cpu_op | trace | extract
  said 'stdin: no GPU work in this trace'
  echo '{"traceEvents":[]}' | extract
  said 'stdin: no GPU work in this trace'
  echo '[]' | extract
  said 'stdin: no GPU work in this trace'
}

@test "kernels with neither launch nor id are counted" {
  {
    ev name=a
    ev name=b args='"correlation":1'
    ev name=c args='"correlation":2'
    ev name=d args='"External id":5'
    ev name=e args='"correlation":3'
    ev cat=cuda_runtime name=cudaLaunchKernel args='"correlation":2'
    ev cat=cuda_runtime name=cudaStreamSynchronize args='"correlation":1'
    ev cat=cuda_runtime name=other args='"correlation":3,"External id":8'
  } | trace | extract
  said 'stdin: 2 kernels have neither launch nor External id: the source map can only go by time'
}

@test "-q silences notes, never errors" {
  for option in -q --quiet; do
    { overrun; ev dur=0; ev pid=9; } | trace | extract "$option"
    said
  done
  { overrun; echo '{"ph":"X","name":"x' | tr -d '\n'; } | tr '\n' ',' | sed 's/^/[/' >cut.json
  run -3 --separate-stderr tpa-extract -q cut.json
  [[ ${stderr_lines[0]} = 'tpa-extract: cut.json: the input ends early, inside event 4, '* ]]
  [ "${#stderr_lines[@]}" = 1 ]
}

# --- what is written ---

@test "kernels follow the CPU side in trace order; --sort writes them by start" {
  {
    ev name=a ts=5
    ev name=b ts=3 cat=cpu_op args=
    ev name=c ts=1
    ev name=d ts=5
    ev name=e ts=2 cat=cpu_op args=
    ev name=f ts=-1
  } | trace >t.json
  extract t.json
  [ "$(grep -v '^[#m]' out | awk -F '\t' '{ print $NF == "-" ? $(NF - 1) : $NF }' | paste -s -d '')" = beacdf ]
  extract --sort t.json
  is kernel idx name <<'END'
3	f
1	c
0	a
2	d
END
}

@test "-t writes only records of these types, and their columns" {
  {
    ev
    ev cat=cpu_op
    ev cat=user_annotation
    ev cat=python_function 'name=a.py(1): f'
    ev cat=cuda_runtime name=cudaLaunchKernel args='"correlation":1'
  } | trace >t.json
  tpa-extract -q t.json >all
  for types in kernel cpu_op,span meta python,launch,kernel meta,; do
    for option in -t --types; do
      tpa-extract -q "$option" "$types" t.json >got
      # the counts in meta are of another test
      grep -E "^#tpa|^#?(${types//,/|})	" all | grep -v '^meta' >want
      grep -v '^meta' got >rest
      same want rest
      [[ $(grep -c '^meta' got) != 0 ]] || [[ $types != *meta* ]]
    done
  done
}

@test "-t: counts in meta are those of the records written" {
  { ev; ev cat=cpu_op; } | trace >t.json
  tpa-extract -q -t meta,kernel t.json >out
  grep -q '^meta	-	kernels	1$' out
  grep -q '^meta	-	cpu_ops	0$' out
}

@test "-t: a type that is none, or another tool's" {
  for types in kernels cover kernel,x; do
    run -2 --separate-stderr tpa-extract -t "$types" </dev/null
    [[ ${stderr_lines[0]} = 'tpa-extract: --types: no type that tpa-extract writes: "'* ]]
  done
}

@test "what the meta records say" {
  {
    ev dur=2
    ev pid=9
    ev dur=0
    ev cat=cpu_op
    ev cat=user_annotation
    ev cat=python_function 'name=/a/vllm/a.py(1): f'
    ev cat=python_function 'name=/a/sglang/a.py(1): f'
    ev cat=cuda_runtime name=cudaLaunchKernel args='"correlation":1'
    ev ph=M
    echo '{}'
  } | trace '"baseTimeNanoseconds":1712345678000000000,"distributedInfo":{"rank":3,"world_size":8},"deviceProperties":[{"id":0,"name":"MI300"},{"id":1,"name":"MI300"},{"name":"H\u00e9"}]' >t.json
  extract t.json
  grep '^meta' out | cut -f 2- >got
  cat >want <<'END'
3	trace	t.json
3	events	10
3	cpu_ops	1
3	frames	2
3	launches	1
3	spans	1
3	kernels	1
3	skipped	1 dur is zero
3	process	2.000 0
3	process_left_out	1.000 9
3	base_time_ns	1712345678000000000
3	world_size	8
3	device	MI300
3	device	Hé
3	framework	sglang
3	framework	vllm
3	end	10
END
  same want got
  tail -n 1 out | grep -q '^meta	3	end	'
}

# --- input ---

@test "other keys may stand before, behind and around the events" {
  ev args='"External id":1' >event
  {
    echo '{"schemaVersion":1,"a":{"traceEvents":[{"ph":"X"}]},"b":[[],{"c":"]}\""}],"traceEvents":['
    cat event
    echo '],"d":null,"e":-1.5e3,"f":"traceEvents","g":{"traceEvents":[1]}}'
  } | extract
  is kernel name <<<k
  said
}

@test "a bare array" {
  ev args='"External id":1' | sed 's/^/[/; s/$/]/' | extract
  is kernel name <<<k
  said
}

@test "gzip is known by its first two bytes, whatever the name" {
  ev args='"External id":1' | trace >plain.gz
  gzip -c plain.gz >zipped.json
  extract plain.gz
  grep -v 'meta' out >want
  extract zipped.json
  grep -v 'meta' out >got
  same want got
  tpa-extract <zipped.json | grep -v meta >got
  same want got
}

@test "several gzip members are one stream, cut anywhere" {
  { ev name=a args='"External id":1'; ev name=b args='"External id":1'; } | trace >plain
  for at in 1 2 20 60 100; do
    {
      head -c "$at" plain | gzip -c
      printf '' | gzip -c
      tail -c "+$((at + 1))" plain | gzip -c -9
    } >two.gz
    extract two.gz
    is kernel name <<<'a
b'
    said
  done
}

@test "gzip headers with a name, a comment, extra fields and a check sum" {
  ev args='"External id":1' | trace | gzip -n -c >plain.gz
  {
    printf '\x1f\x8b\x08\x1e\0\0\0\0\0\x03\x04\0abcdname\0comment\0\x12\x34'
    tail -c +11 plain.gz
  } >full.gz
  extract full.gz
  is kernel name <<<k
  said
}

@test "one thread gives the same bytes as two" {
  for trace in "$TRACES"/*.json.gz; do
    tpa-extract -j 1 "$trace" >want 2>want.err
    tpa-extract -j 2 "$trace" >out 2>err
    cmp want out
    cmp want.err err
  done
}

@test "a byte order mark and white space around the trace" {
  { printf '\n\xef\xbb\xbf \t\r\n'; ev args='"External id":1' | trace; printf ' \n\n'; } | extract
  is kernel name <<<k
  said
}

@test "no space at all, and space everywhere" {
  printf '{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"External id":1}}]}' | extract
  is kernel pid tid ts dur ext name <<<'0	7	1.000	1.000	1	k'
  said
  printf ' {\t"traceEvents"\n:\r[ { "ph" : "X" , "cat" : "kernel" , "name" : "k" ,\n "pid" : 0 , "tid" : 7 , "ts" : 1 , "dur" : 1 , "args" : { "External id" : 1 } } , ] , } ' | extract
  is kernel pid tid ts dur ext name <<<'0	7	1.000	1.000	1	k'
  said
}

@test "the keys of an event in any order, and twice: the last one counts" {
  {
    echo '{"args":{"External id":1},"dur":2,"ts":3,"tid":4,"pid":5,"name":"a","cat":"kernel","ph":"X"}'
    echo '{"ph":"i","ph":"X","cat":"cpu_op","cat":"kernel","name":"x","name":"b","pid":1,"pid":5,"tid":1,"tid":4,"ts":1,"ts":3,"dur":0,"dur":2,"args":{"External id":1},"args":{"stream":9,"stream":8}}'
    echo '{"ph":"X","cat":"kernel","name":"c","pid":5,"tid":4,"ts":3,"dur":2,"args":{"External id":1,"stream":3},"args":null}'
    echo '{"n\u0061me":"d","p\u0068":"X","cat":"kernel","pid":5,"tid":4,"ts":3,"dur":2,"\u0061rgs":{"Ext\u0065rnal id":6}}'
  } | trace | extract
  is kernel pid tid ts dur stream ext name <<'END'
5	4	3.000	2.000	tid=4	1	a
5	4	3.000	2.000	8	-	b
5	4	3.000	2.000	tid=4	-	c
5	4	3.000	2.000	tid=4	6	d
END
}

@test "what an event says does not depend on those before it" {
  cat >events <<'END'
{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":2,"ts":1,"dur":2,"args":{"External id":7}}
{"ph":"X","cat":"cpu_op","name":"b","pid":1,"tid":2,"ts":1,"dur":2,"args":{"External id":"8"}}
{"ph":"X","cat":"cpu_op","name":"c","pid":1,"tid":2,"ts":1,"dur":2,"args":{"External id":[9]}}
{"ph":"X","cat":"cpu_op","name":"d","pid":1,"tid":2,"ts":1,"dur":2,"args":{"External id":{"External id":9}}}
{"ph":"X","cat":"cpu_op","name":"e","pid":1,"tid":2,"ts":1,"dur":2,"args":null}
{"ph":"X","cat":"cpu_op","name":"f","pid":1,"tid":2,"ts":1,"dur":2,"args":[{"External id":9}]}
{"ph":"X","cat":"cpu_op","name":"g","pid":1,"tid":2,"ts":1,"dur":2,"args":"External id"}
{"ph":"X","cat":"cpu_op","name":"h","pid":1,"tid":2,"ts":1,"dur":2,"args":{}}
{"ph":"X","cat":"cpu_op","name":"i","pid":1,"tid":2,"ts":1,"dur":2,"args":{},"args":{"External id":3}}
{"ph":"X","cat":"cpu_op","name":"j","pid":1,"tid":2,"ts":1,"dur":2,"args":{"External id":3},"args":{}}
{"ph":"X","cat":"cpu_op","name":"k","pid":1,"tid":2,"ts":1,"dur":2,"args":{"External id":3},"args":null}
{"ph":"X","cat":"cpu_op","name":"l","pid":1,"tid":2,"ts":1,"dur":2,"args":{"External id":3},"External id":4}
{"ph":"X","cat":"cpu_op","name":"m","pid":1,"tid":2,"ts":1,"dur":2,"args":{"External id":3,"External id":4}}
{"ph":"X","cat":"cpu_op","name":"n","pid":1,"tid":2,"ts":1,"dur":2,"args":{"x":"External id","External id" : 5}}
{"ph":"X","cat":"cpu_op","name":"o","pid":1,"tid":2,"ts":1,"dur":2,"args":{"External id":   6}}
{"ph":"X","cat":"cpu_op","name":"p","pid":1,"tid":2,"ts":1,"dur":2,"args":{"External \u0069d":11}}
{"ph":"X","cat":"cpu_op" ,"name":"q","pid":1,"tid":2,"ts":1,"dur":2}
{"ph":"X","cat":"cpu_op","name":"r","pid":1,"tid":2,"ts":1,"dur":2,}
{"ph":"X","cat":"cpu_op","cat":"python_function","name":"s.py(1): s","pid":1,"tid":2,"ts":1,"dur":2}
{"ph":"X","cat":"python_function","name":"t.py(1): t","pid":1,"tid":2,"ts":1,"dur":2,"cat":"cpu_op"}
{"ph":"X","cat":"cpu_o\u0070","name":"u","pid":1,"tid":2,"ts":1,"dur":2}
{"ph":"X","cat":null,"name":"v","pid":1,"tid":2,"ts":1,"dur":2}
{"ph":"","cat":"cpu_op","name":"w","pid":1,"tid":2,"ts":1,"dur":2}
{"ph":"X","cat":"","name":"x","pid":1,"tid":2,"ts":1,"dur":2,"args":{"stream":7}}
{"ph":"X","ph":"B","cat":"cpu_op","name":"y","pid":1,"tid":2,"ts":1,"dur":2}
{"ph":"X","cat":"cpu_op_and_more_of_it_than_a_shape_can_hold_____________________","name":"z","pid":1,"tid":2,"ts":1,"dur":2}
{"ph":"X","cat":"cpu_op","name":"A\"","pid":"1","tid":"2","ts":"1","dur":"2","args":{"External id":7}}
{"ph":"X","cat":"cpu_op","name":7,"pid":["]",1],"tid":{"}":2},"ts":1,"dur":2,"args":{"External id":7}}
{"ph":"X","cat":"cpu_op","name":"C","pid":1,"tid":2,"ts":1,"dur":2,"args":{"a":{"b":[1,{"args":{"External id":1}}]},"External id":7}}
END
  : >want
  while read -r line; do
    echo "$line" | trace | tpa-extract -q -t cpu_op,python,span | grep -v '^#' >>want || true
  done <events
  # of keys that stand twice the last counts, and args that are no object are empty
  same <(printf '%s\n' 7 8 - - - - - - 3 - - 3 4 5 6 11) <(cut -f 7 want | head -n 16)
  { cat events events && seq 1 600 | sed 's/.*/{"key &":&,"args":{"a":1,"b &":2}}/' && cat events; } |
    trace | tpa-extract -q -t cpu_op,python,span | grep -v '^#' >got
  same <(cat want want want) got
  tac events | trace | tpa-extract -q -t cpu_op,python,span | grep -v '^#' >got
  same <(tac want) got
  # in the ways that json.dump writes it, and indented so deep that no shape holds it
  for indent in "" "$(printf '\n%20s')" "$(printf '\n%90s')"; do
    sed "s/,\"/,$(printf '%s' "$indent" | sed -z 's/\n/\\n/g')\"/g" events | tr '\n' ' ' |
      sed 's/} *{/},{/g; s/.*/[&]/' | tpa-extract -q -t cpu_op,python,span | grep -v '^#' >got
    same want got
  done
}

@test "an empty input, and one of white space" {
  for text in '' ' ' '\n\t'; do
    # shellcheck disable=SC2059
    printf "$text" >empty
    run -1 --separate-stderr tpa-extract empty
    [ "$stderr" = 'tpa-extract: empty: empty: no trace' ]
  done
  gzip -c </dev/null >empty.gz
  run -1 --separate-stderr tpa-extract empty.gz
  [ "$stderr" = 'tpa-extract: empty.gz: empty: no trace' ]
}
