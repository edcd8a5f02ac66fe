#!/usr/bin/env bats
# tpa-srcmap: from each kernel to its launch, its CPU op and its Python frames.

load helper

# stream <<< "TYPE COLUMN=VALUE..." makes the file in.
stream() {
  records >in
}

# sites [OPTION...]: what is counted, as "KIND COUNT VALUE", in order
sites() {
  tpa-srcmap -s "$@" in >out
  fields site kind count value <out | tr '\t' ' '
}

# chains: the same of the kind chain alone
chains() {
  sites "$@" | grep '^chain' | cut -d ' ' -f 2-
}

# gives WANTED-LINES COMMAND...
gives() {
  : >want
  [ -z "$1" ] || echo "$1" >want
  "${@:2}" >got
  same want got
}

# A thread of frames a(b(c)) with an op in the innermost, as most tests need.
usual_frames() {
  cat <<'END'
python ts=0.000 dur=100.000 name=a.py(1):a
python ts=10.000 dur=80.000 name=b.py(2):b
python ts=20.000 dur=60.000 name=c.py(3):c
END
}

# --- from a kernel to its op ---------------------------------------------------

@test "a kernel's External id names its CPU op, the frames around that are its chain" {
  {
    usual_frames
    echo "cpu_op ts=30.000 dur=5.000 ext=7 name=aten::mm"
    echo "kernel idx=0 ts=200.000 dur=1.000 ext=7 name=gemm"
  } | stream
  gives "0 all 1 1 aten::mm c.py(3):c gemm" eval \
    'tpa-srcmap -s in | fields source rank stage total mapped launch_op scope name | tr "\t" " "'
  gives "scope 1 c.py(3):c
chain 1 a.py(1):a -> b.py(2):b -> c.py(3):c
launch 1 aten::mm
op 1 aten::mm" sites
}

@test "of several ops with one External id the nearest in time counts" {
  stream <<'END'
python ts=0.000 dur=1000.000 name=a.py(1):a
cpu_op ts=10.000 dur=5.000 ext=7 name=far
cpu_op ts=90.000 dur=50.000 ext=7 name=near
cpu_op ts=200.000 dur=5.000 ext=7 name=later
kernel idx=0 ts=100.000 dur=1.000 ext=7 name=gemm
END
  gives "launch 1 near" eval 'sites | grep launch'
}

@test "of ops as near as each other the shorter counts, then the earlier, then the first" {
  stream <<'END'
python ts=0.000 dur=1000.000 name=a.py(1):a
cpu_op ts=90.000 dur=6.000 ext=1 name=longer
cpu_op ts=110.000 dur=5.000 ext=1 name=shorter
cpu_op ts=290.000 dur=5.000 ext=2 name=earlier
cpu_op ts=310.000 dur=5.000 ext=2 name=later
cpu_op ts=490.000 dur=5.000 ext=3 name=first
cpu_op ts=490.000 dur=5.000 ext=3 name=second
cpu_op ts=490.000 dur=6.000 ext=3 name=third
kernel idx=0 ts=100.000 dur=1.000 ext=1 name=a
kernel idx=1 ts=300.000 dur=1.000 ext=2 name=b
kernel idx=2 ts=500.000 dur=1.000 ext=3 name=c
END
  gives "launch 1 shorter
launch 1 earlier
launch 1 first" eval 'sites | grep launch'
}

@test "ops of two threads that nothing else tells apart: by the thread's name, whoever came first" {
  stream <<'END'
cpu_op pid=2 tid=1 ts=90.000 dur=5.000 ext=1 name=other
cpu_op pid=1 tid=1 ts=90.000 dur=5.000 ext=1 name=mine
kernel idx=0 ts=100.000 dur=1.000 ext=1 name=a
END
  gives "op 1 mine" sites
}

@test "an op of another thread has that thread's frames" {
  stream <<'END'
python tid=1 ts=0.000 dur=100.000 name=a.py(1):mine
python tid=2 ts=0.000 dur=100.000 name=a.py(1):other
cpu_op tid=2 ts=10.000 dur=5.000 ext=7 name=aten::mm
kernel tid=9 idx=0 ts=50.000 dur=1.000 ext=7 name=gemm
END
  gives "1 a.py(1):other" chains
}

# --- from a kernel to its launch (A1, A2, A3, A7) --------------------------------

@test "A1: any launch record with the correlation is the kernel's launch" {
  for name in cudaLaunchKernel hipExtModuleLaunchKernel cuLaunchKernelEx cudaMemcpyAsync; do
    {
      usual_frames
      echo "launch ts=30.000 dur=2.000 corr=5 name=$name"
      echo "kernel idx=0 ts=200.000 dur=1.000 corr=5 name=gemm"
    } | stream
    gives "launch 1 $name" eval 'sites | grep launch'
  done
}

@test "A2: a chain found by the launch is labelled with it, one found by time says so" {
  {
    usual_frames
    echo "launch ts=30.000 dur=2.000 corr=5 name=cudaLaunchKernel"
    echo "kernel idx=0 ts=200.000 dur=1.000 corr=5 name=launched"
    echo "kernel idx=1 ts=50.000 dur=1.000 name=alone"
  } | stream
  tpa-srcmap -s in >out
  gives $'time-window\talone\ncudaLaunchKernel\tlaunched' eval \
    'fields site kind value name <out | grep ^launch | cut -f 2,3 | sed "s/ fallback//"'
}

@test "A3: the frames of the launch's own thread count, others only if it has none" {
  stream <<'END'
python tid=1 ts=0.000 dur=40.000 name=a.py(1):mine
python tid=2 ts=0.000 dur=100.000 name=b.py(1):other
launch tid=1 ts=30.000 dur=2.000 corr=5 name=cudaLaunchKernel
launch tid=1 ts=60.000 dur=2.000 corr=6 name=cudaLaunchKernel
kernel idx=0 ts=200.000 dur=1.000 corr=5 name=here
kernel idx=1 ts=201.000 dur=1.000 corr=6 name=there
END
  gives "1 a.py(1):mine
1 b.py(1):other" chains
}

@test "A3: frames that only serve as a fallback are none for a launch" {
  stream <<'END'
python tid=1 ts=0.000 dur=100.000 name=torch/_ops.py(1):call
python tid=2 ts=0.000 dur=100.000 name=b.py(1):other
launch tid=1 ts=30.000 dur=2.000 corr=5 name=cudaLaunchKernel
kernel idx=0 ts=200.000 dur=1.000 corr=5 name=gemm
END
  gives "1 b.py(1):other" chains
}

@test "a launch is looked up just at its start, to the nanosecond, both ends counted" {
  stream <<'END'
python ts=10.000 dur=10.000 name=a.py(1):ends
python ts=20.001 dur=10.000 name=b.py(1):starts
launch ts=20.000 dur=2.000 corr=1 name=launch1
launch ts=20.001 dur=2.000 corr=2 name=launch2
kernel idx=0 ts=200.000 dur=1.000 corr=1 name=a
kernel idx=1 ts=201.000 dur=1.000 corr=2 name=b
END
  gives "1 a.py(1):ends
1 b.py(1):starts" chains
}

@test "of several launches with one correlation the nearest counts, then the shorter, then the earlier" {
  stream <<'END'
python ts=0.000 dur=1000.000 name=a.py(1):a
launch ts=10.000 dur=5.000 corr=1 name=far
launch ts=90.000 dur=6.000 corr=1 name=longer
launch ts=110.000 dur=5.000 corr=1 name=shorter
launch ts=310.000 dur=5.000 corr=2 name=later
launch ts=290.000 dur=5.000 corr=2 name=earlier
kernel idx=0 ts=100.000 dur=1.000 corr=1 name=a
kernel idx=1 ts=300.000 dur=1.000 corr=2 name=b
END
  gives "launch 1 shorter
launch 1 earlier" eval 'sites | grep launch'
}

@test "A7: the op that runs around the launch, with its own chain" {
  {
    usual_frames
    echo "cpu_op ts=15.000 dur=50.000 ext=3 name=aten::mm"
    echo "launch ts=30.000 dur=2.000 corr=5 name=cudaLaunchKernel"
    echo "kernel idx=0 ts=200.000 dur=1.000 ext=99 corr=5 name=gemm"
  } | stream
  gives "scope 1 b.py(2):b
chain 1 a.py(1):a -> b.py(2):b
launch 1 aten::mm
op 1 aten::mm" sites
}

@test "A7: of the ops around a launch the latest start counts, then the shortest, then the last" {
  stream <<'END'
python ts=0.000 dur=1000.000 name=a.py(1):a
cpu_op ts=10.000 dur=90.000 name=outer
cpu_op ts=20.000 dur=60.000 name=inner
cpu_op ts=25.000 dur=1.000 name=over
launch ts=30.000 dur=2.000 corr=1 name=launch
cpu_op ts=200.000 dur=20.000 name=long
cpu_op ts=200.000 dur=15.000 name=short
cpu_op ts=200.000 dur=20.000 name=long2
launch ts=210.000 dur=2.000 corr=2 name=launch
cpu_op ts=300.000 dur=20.000 name=first
cpu_op ts=300.000 dur=20.000 name=last
launch ts=310.000 dur=2.000 corr=3 name=launch
kernel idx=0 ts=500.000 dur=1.000 corr=1 name=a
kernel idx=1 ts=501.000 dur=1.000 corr=2 name=b
kernel idx=2 ts=502.000 dur=1.000 corr=3 name=c
END
  gives "op 1 inner
op 1 short
op 1 last" eval 'sites | grep ^op'
}

@test "A7: start and end of the op count, those of other threads do not" {
  stream <<'END'
cpu_op tid=1 ts=10.000 dur=10.000 name=op
cpu_op tid=2 ts=15.000 dur=100.000 name=other
launch tid=1 ts=10.000 dur=1.000 corr=1 name=launch1
launch tid=1 ts=20.000 dur=1.000 corr=2 name=launch2
launch tid=1 ts=20.001 dur=1.000 corr=3 name=launch3
launch tid=1 ts=9.999 dur=1.000 corr=4 name=launch4
kernel idx=0 ts=500.000 dur=1.000 corr=1 name=a
kernel idx=1 ts=501.000 dur=1.000 corr=2 name=b
kernel idx=2 ts=502.000 dur=1.000 corr=3 name=c
kernel idx=3 ts=503.000 dur=1.000 corr=4 name=d
END
  gives "op 1 op
op 1 op
op 1 launch3
op 1 launch4" sites
}

@test "A7: the External id comes before the op around the launch" {
  stream <<'END'
python ts=0.000 dur=1000.000 name=a.py(1):a
cpu_op ts=10.000 dur=50.000 ext=3 name=around
cpu_op ts=400.000 dur=50.000 ext=7 name=named
launch ts=30.000 dur=2.000 corr=5 name=cudaLaunchKernel
kernel idx=0 ts=200.000 dur=1.000 ext=7 corr=5 name=gemm
END
  gives "launch 1 named" eval 'sites | grep launch'
}

@test "an op without frames ends the search, whichever way it was found" {
  stream <<'END'
python tid=2 ts=0.000 dur=1000.000 name=a.py(1):a
cpu_op tid=1 ts=10.000 dur=50.000 ext=7 name=named
cpu_op tid=1 ts=90.000 dur=50.000 name=around
launch tid=1 ts=100.000 dur=2.000 corr=5 name=cudaLaunchKernel
kernel idx=0 ts=200.000 dur=1.000 ext=7 name=a
kernel idx=1 ts=201.000 dur=1.000 corr=5 name=b
END
  gives "op 1 named
op 1 around" sites
  gives $'1\t0\t-\t-\n1\t0\t-\t-' eval 'fields source total mapped launch_op scope <out'
}

@test "A6: the op, else the launch, is shown without frames, but is no launch site" {
  stream <<'END'
cpu_op ts=10.000 dur=50.000 ext=7 name=aten::mm
launch ts=100.000 dur=2.000 corr=5 name=cudaLaunchKernel
kernel idx=0 ts=200.000 dur=1.000 ext=7 name=gemm
kernel idx=1 ts=201.000 dur=1.000 corr=5 name=gemm
kernel idx=2 ts=202.000 dur=1.000 corr=5 name=gemm
kernel idx=3 ts=203.000 dur=1.000 name=gemm
END
  gives "op 2 cudaLaunchKernel
op 1 aten::mm" sites
  gives $'4\t0\t-\t-' eval 'fields source total mapped launch_op scope <out'
}

@test "A6: an op without a name is not shown" {
  {
    usual_frames
    echo "cpu_op ts=30.000 dur=5.000 ext=7 name=-"
    echo "kernel idx=0 ts=200.000 dur=1.000 ext=7 name=gemm"
  } | stream
  gives "scope 1 c.py(3):c
chain 1 a.py(1):a -> b.py(2):b -> c.py(3):c" sites
}

@test "A6: the op is counted once per kernel with frames too" {
  {
    usual_frames
    echo "cpu_op ts=30.000 dur=5.000 ext=7 name=aten::mm"
    echo "launch ts=50.000 dur=2.000 corr=5 name=cudaLaunchKernel"
    echo "kernel idx=0 ts=200.000 dur=1.000 ext=7 name=gemm"
    echo "kernel idx=1 ts=201.000 dur=1.000 corr=5 name=gemm"
  } | stream
  gives "op 1 aten::mm
op 1 cudaLaunchKernel" eval 'sites | grep ^op'
}

@test "A10: the ids 0 and - are none" {
  stream <<'END'
cpu_op ts=10.000 dur=50.000 ext=0 name=zero
cpu_op ts=10.000 dur=50.000 name=none
launch ts=100.000 dur=2.000 corr=0 name=launch
kernel idx=0 ts=200.000 dur=1.000 ext=0 corr=0 name=a
kernel idx=1 ts=201.000 dur=1.000 name=b
END
  gives "" sites
}

@test "ids use all 64 bits" {
  stream <<'END'
cpu_op ts=10.000 dur=5.000 ext=9223372036854775807 name=largest
cpu_op ts=20.000 dur=5.000 ext=-9223372036854775808 name=smallest
cpu_op ts=30.000 dur=5.000 ext=4294967297 name=large
cpu_op ts=40.000 dur=5.000 ext=1 name=one
kernel idx=0 ts=200.000 dur=1.000 ext=9223372036854775807 name=a
kernel idx=1 ts=201.000 dur=1.000 ext=-9223372036854775808 name=b
kernel idx=2 ts=202.000 dur=1.000 ext=4294967297 name=c
kernel idx=3 ts=203.000 dur=1.000 ext=1 name=d
END
  gives "op 1 largest
op 1 smallest
op 1 large
op 1 one" sites
}

@test "A13: an unsound External id, as extract leaves it out, leads to the launch and its op" {
  stream <<'END'
cpu_op ts=10.000 dur=5.000 ext=5 name=wrong
cpu_op ts=90.000 dur=50.000 ext=6 name=right
launch ts=100.000 dur=2.000 corr=5 name=cudaLaunchKernel
kernel idx=0 ts=200.000 dur=1.000 corr=5 name=gemm
END
  gives "op 1 right" sites
}

@test "A15: ids, launches and frames are joined within one rank" {
  stream <<'END'
python rank=TP00 ts=0.000 dur=100.000 name=a.py(1):zero
python rank=TP01 ts=0.000 dur=100.000 name=a.py(1):one
cpu_op rank=TP00 ts=10.000 dur=5.000 ext=7 name=op0
cpu_op rank=TP01 ts=10.000 dur=5.000 ext=7 name=op1
launch rank=TP00 ts=20.000 dur=5.000 corr=8 name=launch0
launch rank=TP01 ts=20.000 dur=5.000 corr=8 name=launch1
kernel rank=TP00 idx=0 ts=50.000 dur=1.000 ext=7 name=gemm
kernel rank=TP01 idx=0 ts=50.000 dur=1.000 ext=7 name=gemm
kernel rank=TP01 idx=1 ts=51.000 dur=1.000 corr=8 name=copy
kernel rank=TP02 idx=0 ts=51.000 dur=1.000 corr=8 name=copy
END
  tpa-srcmap -s in >out
  gives "TP00 op0 a.py(1):zero gemm
TP01 op1 a.py(1):one gemm
TP01 launch1 a.py(1):one copy
TP02 - - copy" eval 'fields source rank launch_op scope name <out | tr "\t" " "'
}

# --- frames (A4, A5, A11) --------------------------------------------------------

@test "A4: frames meet ops to the nanosecond, at times that a double does not hold" {
  stream <<'END'
python ts=1712345678123456.001 dur=0.998 name=a.py(1):before
python ts=1712345678123456.001 dur=0.999 name=b.py(1):touches
cpu_op ts=1712345678123457.000 dur=0.001 ext=1 name=op
python ts=1712345678123457.000 dur=5.000 name=c.py(1):starts
python ts=1712345678123457.001 dur=5.000 name=d.py(1):after
kernel idx=0 ts=1712345678123460.000 dur=1.000 ext=1 name=gemm
END
  gives "1 b.py(1):touches -> c.py(1):starts" chains
}

@test "A5: frames that start together nest by length, then in the order of the trace" {
  stream <<'END'
python ts=0.000 dur=10.000 name=c.py(1):child
python ts=0.000 dur=50.000 name=p.py(1):parent
python ts=0.000 dur=10.000 name=b.py(1):sibling
cpu_op ts=0.000 dur=5.000 ext=1 name=op
cpu_op ts=5.000 dur=5.000 ext=2 name=op
kernel idx=0 ts=100.000 dur=1.000 ext=1 name=a
kernel idx=1 ts=101.000 dur=1.000 ext=2 name=b
END
  gives "1 p.py(1):parent -> c.py(1):child -> b.py(1):sibling
1 p.py(1):parent -> c.py(1):child -> b.py(1):sibling" chains
}

@test "A11: a callee ends with its caller" {
  stream <<'END'
python ts=0.000 dur=100.000 name=a.py(1):caller
python ts=10.000 dur=900.000 name=b.py(1):never_closed
python ts=20.000 dur=990.000 name=c.py(1):nor_this
cpu_op ts=50.000 dur=5.000 ext=1 name=op
cpu_op ts=100.000 dur=5.000 ext=2 name=op
cpu_op ts=100.001 dur=5.000 ext=3 name=op
kernel idx=0 ts=100.000 dur=1.000 ext=1 name=a
kernel idx=1 ts=200.000 dur=1.000 ext=2 name=b
kernel idx=2 ts=300.000 dur=1.000 ext=3 name=c
END
  gives "1 a.py(1):caller -> b.py(1):never_closed -> c.py(1):nor_this
1 a.py(1):caller -> b.py(1):never_closed -> c.py(1):nor_this" chains
}

@test "A11: a frame is over at its end: one that starts there is not its callee" {
  stream <<'END'
python ts=0.000 dur=50.000 name=a.py(1):over
python ts=50.000 dur=100.000 name=b.py(1):next
cpu_op ts=80.000 dur=5.000 ext=1 name=op
kernel idx=0 ts=100.000 dur=1.000 ext=1 name=a
END
  gives "1 b.py(1):next" chains
}

@test "A11: frames that start together and are cut to one length come in the order of the trace" {
  stream <<'END'
python ts=0.000 dur=20.000 name=p.py(1):caller
python ts=10.000 dur=30.000 name=b.py(1):first
python ts=10.000 dur=90.000 name=a.py(1):second
cpu_op ts=15.000 dur=5.000 ext=1 name=op
kernel idx=0 ts=100.000 dur=1.000 ext=1 name=a
END
  gives "1 p.py(1):caller -> b.py(1):first -> a.py(1):second" chains
}

@test "A11: threads do not cut each other's frames" {
  stream <<'END'
python tid=1 ts=0.000 dur=50.000 name=a.py(1):one
python tid=2 ts=10.000 dur=100.000 name=b.py(1):two
cpu_op tid=2 ts=80.000 dur=5.000 ext=1 name=op
kernel idx=0 ts=100.000 dur=1.000 ext=1 name=a
END
  gives "1 b.py(1):two" chains
}

@test "frames of hours nest, are cut and are found as short ones are" {
  stream <<'END'
python ts=0.000 dur=9000000000.000 name=a.py(1):hours
python ts=10.000 dur=90000000000.000 name=b.py(1):cut
python ts=20.000 dur=5000000.000 name=c.py(1):seconds
python ts=5000030.000 dur=100000000000.000 name=d.py(1):cut_too
cpu_op ts=4000000.000 dur=5.000 ext=1 name=op
cpu_op ts=5000040.000 dur=5000000000.000 ext=2 name=op
cpu_op ts=9000000000.000 dur=5.000 ext=3 name=op
cpu_op ts=9000000000.001 dur=5.000 ext=4 name=op
kernel idx=0 ts=9000000001.000 dur=1.000 ext=1 name=a
kernel idx=1 ts=9000000002.000 dur=1.000 ext=2 name=b
kernel idx=2 ts=9000000003.000 dur=1.000 ext=3 name=c
kernel idx=3 ts=9000000004.000 dur=1.000 ext=4 name=d
END
  gives "1 a.py(1):hours -> b.py(1):cut -> c.py(1):seconds
1 a.py(1):hours -> b.py(1):cut -> d.py(1):cut_too
1 a.py(1):hours -> b.py(1):cut -> d.py(1):cut_too" chains
}

@test "a chain has the last six frames, its key the last four" {
  for i in 1 2 3 4 5 6 7 8; do
    echo "python ts=$i.000 dur=$((100 - i)).000 name=f$i.py(1):f"
  done >frames
  {
    cat frames
    echo "cpu_op ts=50.000 dur=5.000 ext=7 name=aten::mm"
    echo "kernel idx=0 ts=200.000 dur=1.000 ext=7 name=gemm"
  } | stream
  gives "1 f5.py(1):f -> f6.py(1):f -> f7.py(1):f -> f8.py(1):f" chains
  # the first two of eight are not looked at, however good
  sed -i 's/f2.py/python\/sglang\/f2.py/' in
  gives "scope 1 f8.py(1):f" eval 'sites | grep scope'
  sed -i 's/f3.py/python\/sglang\/f3.py/' in
  gives "scope 1 python/sglang/f3.py(1):f" eval 'sites | grep scope'
}

@test "plumbing serves when there is nothing better, anywhere in the stack" {
  stream <<'END'
python ts=0.000 dur=100.000 name=torch/_ops.py(1):outer
python ts=10.000 dur=80.000 name=a.py(1):mine
python ts=20.000 dur=60.000 name=torch/_ops.py(1):inner
python ts=200.000 dur=60.000 name=torch/_ops.py(2):x
python ts=210.000 dur=40.000 name=contextlib.py(2):y
cpu_op ts=5.000 dur=1.000 ext=1 name=op
cpu_op ts=30.000 dur=5.000 ext=2 name=op
cpu_op ts=220.000 dur=5.000 ext=3 name=op
kernel idx=0 ts=200.000 dur=1.000 ext=1 name=a
kernel idx=1 ts=201.000 dur=1.000 ext=2 name=b
kernel idx=2 ts=202.000 dur=1.000 ext=3 name=c
END
  gives "1 torch/_ops.py(1):outer
1 a.py(1):mine
1 torch/_ops.py(2):x -> contextlib.py(2):y" chains
}

@test "plumbing gives way to a better frame that starts with the op" {
  stream <<'END'
python ts=0.000 dur=100.000 name=torch/_ops.py(1):outer
python ts=10.000 dur=80.000 name=a.py(1):mine
python ts=10.000 dur=70.000 name=torch/_ops.py(1):inner
cpu_op ts=10.000 dur=1.000 ext=1 name=op
kernel idx=0 ts=200.000 dur=1.000 ext=1 name=a
END
  gives "1 a.py(1):mine" chains
}

@test "frames that are worth nothing, and what does not last, are passed over" {
  stream <<'END'
python ts=0.000 dur=100.000 name=a.py(1):a
python ts=1.000 dur=10.000 name=nn.Module:Linear
python ts=2.000 dur=0.000 name=b.py(1):b
python ts=2.000 dur=-5.000 name=c.py(1):c
cpu_op ts=1.000 dur=0.000 ext=1 name=nothing
launch ts=2.000 dur=0.000 corr=1 name=nothing
cpu_op ts=2.000 dur=50.000 ext=2 name=op
kernel idx=0 ts=20.000 dur=1.000 ext=1 corr=1 name=a
kernel idx=1 ts=21.000 dur=1.000 ext=2 name=b
END
  gives "scope 1 a.py(1):a
chain 1 a.py(1):a
launch 1 time-window fallback
scope 1 a.py(1):a
chain 1 a.py(1):a
launch 1 op
op 1 op" sites
}

@test "the best scope is the one with the best score and place; low signals give way" {
  for case in "a.py(1):a b.py(1):b b.py(1):b" \
    "vllm/a.py(1):a b.py(1):b vllm/a.py(1):a" \
    "vllm/a.py(1):a sgl_kernel/b.py(1):b vllm/a.py(1):a" \
    "python/sglang/a.py(1):a vllm/b.py(1):b python/sglang/a.py(1):a" \
    "vllm/a.py(1):a tokenspeed/b.py(1):b vllm/a.py(1):a" \
    "a.py(1):a b.py(1):_call_impl a.py(1):a"; do
    read -r outer inner best <<<"$case"
    stream <<END
python ts=0.000 dur=100.000 name=$outer
python ts=10.000 dur=80.000 name=$inner
cpu_op ts=30.000 dur=5.000 ext=7 name=aten::mm
kernel idx=0 ts=200.000 dur=1.000 ext=7 name=gemm
END
    gives "scope 1 $best" eval 'sites | grep scope'
  done
}

# --- by time ---------------------------------------------------------------------

@test "by time, the frames of all threads count: by start, the longest first, then by name" {
  stream <<'END'
python tid=3 ts=10.000 dur=50.000 name=z.py(1):z
python tid=2 ts=10.000 dur=50.000 name=y.py(1):y
python tid=1 ts=10.000 dur=80.000 name=x.py(1):x
python tid=4 ts=5.000 dur=90.000 name=w.py(1):w
python tid=1 ts=40.000 dur=30.000 name=later.py(1):l
kernel idx=0 ts=20.000 dur=1.000 name=gemm
END
  gives "1 w.py(1):w -> x.py(1):x -> y.py(1):y -> z.py(1):z" chains
}

@test "by time, of frames with one name the first counts, even when it was another before" {
  stream <<'END'
python tid=1 ts=0.000 dur=30.000 name=a.py(1):same
python tid=2 ts=5.000 dur=90.000 name=b.py(1):b
python tid=3 ts=10.000 dur=90.000 name=a.py(1):same
python tid=4 ts=15.000 dur=90.000 name=a.py(1):same
kernel idx=0 ts=20.000 dur=1.000 name=k
kernel idx=1 ts=50.000 dur=1.000 name=l
END
  gives "1 a.py(1):same -> b.py(1):b
1 b.py(1):b -> a.py(1):same" chains
}

@test "by time, the last six names count, and frames that serve as a fallback do not" {
  for i in 1 2 3 4 5 6 7 8; do
    echo "python tid=$i ts=$i.000 dur=$((100 - i)).000 name=f$i.py(1):f"
  done >frames
  {
    cat frames
    echo "python tid=9 ts=9.000 dur=50.000 name=torch/_ops.py(1):x"
    echo "kernel idx=0 ts=20.000 dur=1.000 name=gemm"
  } | stream
  gives "1 f5.py(1):f -> f6.py(1):f -> f7.py(1):f -> f8.py(1):f" chains
  sed -i 's/f2.py/python\/sglang\/f2.py/' in
  gives "scope 1 f8.py(1):f" eval 'sites | grep scope'
  sed -i 's/f3.py/python\/sglang\/f3.py/' in
  gives "scope 1 python/sglang/f3.py(1):f" eval 'sites | grep scope'
}

@test "by time, 1 ns beyond either end counts, but not beyond the first and last time asked" {
  stream <<'END'
python tid=1 ts=10.000 dur=10.000 name=a.py(1):a
kernel idx=0 ts=9.999 dur=1.000 name=before
kernel idx=1 ts=20.001 dur=1.000 name=after
END
  gives "1 a.py(1):a
1 a.py(1):a" chains
  stream <<'END'
python tid=1 ts=10.000 dur=10.000 name=a.py(1):a
kernel idx=0 ts=9.998 dur=1.000 name=before
kernel idx=1 ts=20.002 dur=1.000 name=after
END
  gives "" sites
  # alone, a kernel is both the first and the last
  for ts in 9.999 20.001; do
    stream <<END
python tid=1 ts=10.000 dur=10.000 name=a.py(1):a
kernel idx=0 ts=$ts dur=1.000 name=alone
END
    gives "" sites
  done
}

@test "by time, kernels whose op is found by its launch are among those that are asked about" {
  stream <<'END'
python tid=1 ts=10.000 dur=10.000 name=a.py(1):a
cpu_op tid=2 ts=1.000 dur=1.000 name=op
launch tid=2 ts=1.000 dur=1.000 corr=1 name=launch
kernel idx=0 ts=30.000 dur=1.000 corr=1 name=last
kernel idx=1 ts=9.999 dur=1.000 name=before
END
  gives "scope 1 a.py(1):a
chain 1 a.py(1):a
launch 1 time-window fallback
op 1 op" sites
}

@test "by time, each stage has its own first and last" {
  stream <<'END'
python tid=1 ts=20.001 dur=10.000 name=a.py(1):a
kernel stage=decode idx=0 ts=10.000 dur=1.000 name=first
kernel stage=decode idx=1 ts=20.000 dur=1.000 name=between
kernel stage=decode idx=2 ts=90.000 dur=1.000 name=last
kernel stage=all idx=3 ts=10.000 dur=1.000 name=first
kernel stage=all idx=4 ts=20.000 dur=1.000 name=last
END
  gives "decode between" eval 'tpa-srcmap -s in | fields site stage name | uniq | tr "\t" " "'
}

@test "by time, frames count as long as they are after they were cut" {
  stream <<'END'
python tid=1 ts=0.000 dur=20.000 name=a.py(1):caller
python tid=1 ts=10.000 dur=900.000 name=b.py(1):callee
python tid=2 ts=10.000 dur=15.000 name=z.py(1):other
kernel idx=0 ts=15.000 dur=1.000 name=during
kernel idx=1 ts=50.000 dur=1.000 name=after
END
  gives "1 a.py(1):caller -> z.py(1):other -> b.py(1):callee" chains
}

# --- sampling and counting ---------------------------------------------------------

# kernels COUNT: kernel I has an op named I; gives the ops of the sampled ones
sampled() {
  awk -v count="$1" 'BEGIN {
    for (i = 0; i < count; i++) {
      printf "cpu_op ts=%d.000 dur=1.000 ext=%d name=%d\n", 10 * i, i + 1, i
      printf "kernel idx=%d ts=%d.000 dur=1.000 ext=%d name=gemm\n", i, 1000 + i, i + 1
    }
  }' | stream
  sites "${@:2}" | cut -d ' ' -f 3 | tr '\n' ' ' | sed 's/ $//'
}

@test "sixteen kernels of a name are all taken, of more sixteen spread evenly" {
  [ "$(sampled 16)" = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" ]
  [ "$(sampled 17)" = "0 1 2 3 4 5 6 7 9 10 11 12 13 14 15 16" ]
  [ "$(sampled 100)" = "0 7 13 20 26 33 40 46 53 59 66 73 79 86 92 99" ]
}

@test "-n SAMPLES: so many a name; halves go to the even position" {
  [ "$(sampled 7 -n 3)" = "0 3 6" ]
  [ "$(sampled 8 -n 3)" = "0 4 7" ]
  [ "$(sampled 6 -n 3)" = "0 2 5" ]
  [ "$(sampled 10 --samples 5)" = "0 2 4 7 9" ]
  [ "$(sampled 5 -n 2)" = "0 4" ]
  [ "$(sampled 5 -n 1)" = "0" ]
  [ "$(sampled 5 -n 5)" = "0 1 2 3 4" ]
}

@test "-n 0: all kernels" {
  [ "$(sampled 40 -n 0 | wc -w)" = 40 ]
  gives 40 fields source total <<<"$(tpa-srcmap -s -n 0 in)"
  gives 16 fields source total <<<"$(tpa-srcmap -s in)"
}

@test "positions are those of the name in its group, in the order of idx" {
  stream <<'END'
kernel idx=5 ts=1.000 dur=1.000 ext=5 name=a
kernel idx=0 ts=6.000 dur=1.000 ext=10 name=a
kernel idx=1 ts=5.000 dur=1.000 ext=1 name=b
kernel idx=2 ts=4.000 dur=1.000 ext=2 name=a
kernel stage=decode idx=3 ts=3.000 dur=1.000 ext=3 name=a
kernel idx=4 ts=2.000 dur=1.000 ext=4 name=a
cpu_op ts=0.000 dur=1.000 ext=10 name=op0
cpu_op ts=0.000 dur=1.000 ext=1 name=op1
cpu_op ts=0.000 dur=1.000 ext=2 name=op2
cpu_op ts=0.000 dur=1.000 ext=3 name=op3
cpu_op ts=0.000 dur=1.000 ext=4 name=op4
cpu_op ts=0.000 dur=1.000 ext=5 name=op5
END
  tpa-srcmap -s -n 2 in >out
  gives "decode op3 a
all op5 a
all op0 a
all op1 b" eval 'fields site stage value name <out | tr "\t" " "'
}

@test "samples count by start, then by idx: of equal counts the first stays first" {
  stream <<'END'
kernel idx=0 ts=30.000 dur=1.000 ext=1 name=late
kernel idx=1 ts=20.000 dur=1.000 ext=2 name=gemm
kernel idx=2 ts=10.000 dur=1.000 ext=3 name=gemm
kernel idx=3 ts=10.000 dur=1.000 ext=4 name=gemm
cpu_op ts=0.000 dur=1.000 ext=1 name=op1
cpu_op ts=0.000 dur=1.000 ext=2 name=op2
cpu_op ts=0.000 dur=1.000 ext=3 name=op3
cpu_op ts=0.000 dur=1.000 ext=4 name=op4
END
  tpa-srcmap -s in >out
  gives "op3 op4 op2 op1" eval 'fields site value <out | paste -sd " "'
  gives "gemm late" eval 'fields source name <out | paste -sd " "'
  # all of them come by idx
  tpa-srcmap -s -n 0 in >out
  gives "op1 op2 op3 op4" eval 'fields site value <out | paste -sd " "'
}

@test "sites come by kind, then by falling count; the largest is the source's" {
  stream <<'END'
python ts=0.000 dur=10.000 name=a.py(1):a
python ts=20.000 dur=10.000 name=b.py(1):b
cpu_op ts=1.000 dur=1.000 ext=1 name=opa
cpu_op ts=21.000 dur=1.000 ext=2 name=opb
kernel idx=0 ts=100.000 dur=1.000 ext=1 name=gemm
kernel idx=1 ts=101.000 dur=1.000 ext=2 name=gemm
kernel idx=2 ts=102.000 dur=1.000 ext=2 name=gemm
kernel idx=3 ts=103.000 dur=1.000 name=gemm
END
  gives "scope 2 b.py(1):b
scope 1 a.py(1):a
chain 2 b.py(1):b
chain 1 a.py(1):a
launch 2 opb
launch 1 opa
op 2 opb
op 1 opa" sites
  gives $'4\t3\topb\tb.py(1):b' eval 'fields source total mapped launch_op scope <out'
}

@test "stages come in their order, others by first sight" {
  stream <<'END'
kernel stage=zeta idx=0 ts=1.000 dur=1.000 name=k
kernel stage=all idx=1 ts=2.000 dur=1.000 name=k
kernel stage=decode idx=2 ts=3.000 dur=1.000 name=k
kernel stage=alpha idx=3 ts=4.000 dur=1.000 name=k
kernel stage=prefill idx=4 ts=5.000 dur=1.000 name=k
kernel stage=extend idx=5 ts=6.000 dur=1.000 name=k
END
  gives "prefill extend decode all zeta alpha" eval \
    'tpa-srcmap -s in | fields source stage | paste -sd " "'
}

@test "the processes of a rank add up by stage, the earliest first" {
  stream <<'END'
cpu_op ts=0.000 dur=1.000 ext=1 name=one
cpu_op ts=0.000 dur=1.000 ext=2 name=two
kernel pid=8 idx=0 ts=20.000 dur=1.000 ext=1 name=gemm
kernel pid=8 idx=1 ts=21.000 dur=1.000 ext=1 name=copy
kernel pid=9 idx=0 ts=10.000 dur=1.000 ext=2 name=gemm
kernel pid=9 stage=decode idx=1 ts=11.000 dur=1.000 ext=2 name=gemm
END
  tpa-srcmap -s in >out
  gives "decode 1 gemm
all 2 gemm
all 1 copy" eval 'fields source stage total name <out | tr "\t" " "'
  gives "two two one one" eval 'fields site value <out | paste -sd " "'
}

@test "sampling is by process" {
  for pid in 1 2; do
    for idx in $(seq 0 19); do
      echo "kernel pid=$pid idx=$idx ts=$idx.000 dur=1.000 name=gemm"
    done
  done | stream
  gives 32 eval 'tpa-srcmap -s in | fields source total'
}

@test "names are counted as they are shown: ops to 100 characters, folded" {
  long=$(printf 'é%.0s' $(seq 101))
  {
    record cpu_op ts=1.000 dur=1.000 ext=1 "name=$long"
    record cpu_op ts=1.000 dur=1.000 ext=2 "name=${long%é}"
    record cpu_op ts=1.000 dur=1.000 ext=3 'name=a\tb  c\x01'
    record kernel idx=0 ts=2.000 dur=1.000 ext=1 'name=k\\1'
    record kernel idx=1 ts=3.000 dur=1.000 ext=2 'name=k\\2'
    record kernel idx=2 ts=4.000 dur=1.000 ext=3 'name=\-'
  } >in
  tpa-srcmap -s in | fields site value name >got
  printf '%s\t%s\n' "$(printf 'é%.0s' $(seq 97))..." 'k\\1' "${long%é}" 'k\\2' \
    'a b c\x01' '\-' >want
  same want got
}

@test "names with escapes are compared as what they mean" {
  {
    record python tid=1 ts=0.000 dur=9.000 'name=a\\.py(1): 1'
    record python tid=2 ts=0.000 dur=9.000 'name=a[.py(1): 2'
    record python tid=3 ts=0.000 dur=9.000 'name=a].py(1): 3'
    record python tid=4 ts=0.000 dur=9.000 'name=a\x01.py(1): 4'
    record kernel idx=0 ts=2.000 dur=1.000 name=k
  } >in
  gives '1 a\x01.py(1): 4 -> a[.py(1): 2 -> a\\.py(1): 1 -> a].py(1): 3' chains
}

# --- the kernel map ----------------------------------------------------------------

# looks NAME STAGE: the best scope of a kernel without frames
looks() {
  record kernel idx=0 ts=1.000 dur=1.000 "name=$1" "stage=${2-all}" >in
  tpa-srcmap -s -m map.json in | fields source scope
}

@test "-m: a kernel without frames takes its places from the kernel map" {
  cat >map.json <<'END'
{"global": {"kernels": {"gemm": {
  "best_location": " vllm/a.py(7): f ",
  "sites": [
    {"location": "vllm/a.py(7): f", "launches": 12, "top_cpu_op": "aten::mm"},
    {"location": "x", "display_location": " vllm/b.py(9): g ", "launches": 3, "top_cpu_op": "aten::bmm"},
    {"location": "vllm/c.py(1): h", "launches": 0, "top_cpu_op": "aten::mv"},
    {"location": "unresolved", "launches": 40, "top_cpu_op": "aten::bmm"},
    {"display_location": "unresolved", "location": "x", "launches": 5},
    {"launches": 50}]}}}}
END
  stream <<'END'
cpu_op ts=0.000 dur=1.000 ext=1 name=op
kernel idx=0 ts=1.000 dur=1.000 ext=1 name=gemm
kernel idx=1 ts=2.000 dur=1.000 name=gemm
kernel idx=2 ts=3.000 dur=1.000 name=other
END
  gives "scope 26 vllm/a.py(7): f
scope 6 vllm/b.py(9): g
launch 86 aten::bmm
launch 24 aten::mm
launch 2 aten::mv
op 1 op" sites --map map.json
  gives $'2\t2\taten::bmm\tvllm/a.py(7): f\tgemm\n1\t0\t-\t-\tother' eval \
    'fields source total mapped launch_op scope name <out'
}

@test "-m: a kernel with frames does not look at the kernel map" {
  echo '{"global": {"kernels": {"gemm": {"best_location": "m.py(1): m"}}}}' >map.json
  {
    usual_frames
    echo "cpu_op ts=30.000 dur=5.000 ext=7 name=aten::mm"
    echo "kernel idx=0 ts=200.000 dur=1.000 ext=7 name=gemm"
  } | stream
  sites >want
  gives "$(<want)" sites -m map.json
}

@test "-m: an entry without a best location counts for nothing" {
  for best in '"unresolved"' '""' '"  "' null 0 false '[]' '{}'; do
    echo '{"global": {"kernels": {"gemm": {"best_location": '"$best"', "sites": [
      {"location": "a.py(1): f", "launches": 12, "top_cpu_op": "aten::mm"}]}}}}' >map.json
    stream <<<"kernel idx=0 ts=1.000 dur=1.000 name=gemm"
    gives "" sites -m map.json
  done
}

@test "-m: a stage first, extend and prefill for each other, then global" {
  cat >map.json <<'END'
{"stages": {
   "decode": {"kernels": {"k": {"best_location": "decode"}, "e": {}}},
   "prefill": {"kernels": {"k": {"best_location": "prefill"}, "e": {"best_location": "e"}}}},
 "global": {"kernels": {"k": {"best_location": "global"}, "e": {"best_location": "everywhere"}}}}
END
  gives decode looks k decode
  gives prefill looks k prefill
  gives prefill looks k extend
  gives global looks k all
  gives global looks k tail
  # an empty entry is none
  gives everywhere looks e decode
  sed -i 's/prefill/extend/g' map.json
  gives extend looks k prefill
  gives extend looks k extend
  sed -i 's/"k": {"best_location": "extend"}, //; s/"e": {"best_location": "e"}/"e": {}/' map.json
  gives global looks k prefill
}

@test "-m: the very name, else the one that shares the most with it" {
  cat >map.json <<'END'
{"global": {"kernels": {
  "Gemm": {"best_location": "folded"},
  "gemm": {"best_location": "exact"},
  "gemm_kernel_large": {"best_location": "longer"},
  "ge": {"best_location": "shorter"},
  "part": {"best_location": "part"},
  "xx_whole_xx": {"best_location": "around"},
  "": {"best_location": "nothing"},
  "éé": {"best_location": "two characters"},
  "ééq": {"best_location": "three characters"},
  "tie1_a": {"best_location": "first"},
  "tie1_b": {"best_location": "second"}}}}
END
  gives exact looks gemm
  gives folded looks GEMM
  gives longer looks gemm_kernel
  gives longer looks GEMM_KERNEL_LARGE_AND_MORE
  gives shorter looks gelu
  gives part looks a_PART_b
  gives around looks whole
  gives first looks tie1
  gives "three characters" looks ééqz
  gives - looks nowhere
}

@test "-m: beginning the other counts for more than being part of it" {
  cat >map.json <<'END'
{"global": {"kernels": {
  "b_long_name": {"best_location": "part, 11 / 2"},
  "a_b_lo": {"best_location": "beginning, 6"}}}}
END
  gives "beginning, 6" looks a_b_long_name
  sed -i 's/a_b_lo/a_b_l/' map.json
  gives "part, 11 / 2" looks a_b_long_name
}

@test "-m: launches may be text or a decimal; what is no number counts for none" {
  for case in '"7" 8' '" 7 " 8' '7.9 8' '-3 1' '"x" 1' 'null 1' 'true 2' '[9] 1' \
    '99999999999999999999 1000000001'; do
    echo '{"global": {"kernels": {"gemm": {"best_location": "a", "sites": [
      {"location": "a", "launches": '"${case% *}"'}, null, 7, "x", []]}}}}' >map.json
    stream <<<"kernel idx=0 ts=1.000 dur=1.000 name=gemm"
    gives "scope ${case##* } a" sites -m map.json
  done
}

@test "-m: names and places with escapes" {
  cat >map.json <<'END'
{"stages": {"a\tb": {"kernels": {"k\\\n": {"best_location": "x\\y\u0001"}}}}}
END
  # shellcheck disable=SC1003
  gives 'x\\y\x01' looks 'k\\\n' 'a\tb'
}

@test "-m: what is not UTF-8 in a kernel map does not get into the records" {
  printf '{"global": {"kernels": {"g\xff": {"best_location": "a\xe2\x82.py(1): f"}}}}' >map.json
  record kernel idx=0 ts=1.000 dur=1.000 name=$'g\xef\xbf\xbd' >in
  run -0 tpa-srcmap -s -m map.json in
  [[ $output == *$'\ta\xef\xbf\xbd.py(1): f\tg\xef\xbf\xbd'* ]]
}

@test "-m: what is no kernel map is refused" {
  stream <<<"kernel idx=0 ts=1.000 dur=1.000 name=gemm"
  for case in '{"traceEvents": []}|it has neither "stages" nor "global"' \
    '[]|it has neither "stages" nor "global"' \
    '{"stages": 3}|it has neither "stages" nor "global"' \
    '{"stages": {|the JSON is cut short' \
    '|the JSON is cut short'; do
    printf '%s' "${case%%|*}" >map.json
    run -1 --separate-stderr tpa-srcmap -m map.json in
    [ -z "$output" ]
    [ "$stderr" = "tpa-srcmap: map.json: not a kernel map: ${case#*|}" ]
  done
  echo '{"stages": nonsense}' >map.json
  run -1 --separate-stderr tpa-srcmap -m map.json in
  [[ $stderr == "tpa-srcmap: map.json: not a kernel map: "* ]]
  run -1 --separate-stderr tpa-srcmap -m missing.json in
  [ "$stderr" = "tpa-srcmap: missing.json: cannot open: No such file or directory" ]
  run -1 --separate-stderr tpa-srcmap -m . in
  [ "$stderr" = "tpa-srcmap: .: cannot read: Is a directory" ]
}

@test "-m: a map of odd shapes does no harm" {
  stream <<<"kernel idx=0 ts=1.000 dur=1.000 name=gemm"
  for map in '{"stages": {}}' '{"global": null, "stages": {"all": null}}' \
    '{"stages": {"all": {"kernels": []}}}' '{"global": {"kernels": {"gemm": null}}}' \
    '{"global": {"kernels": {"gemm": "x"}}}' \
    '{"global": {"kernels": {"gemm": {"best_location": {"a": 1}}}}}' \
    '{"global": {"kernels": {"gemm": {"sites": "x"}}}}'; do
    echo "$map" >map.json
    gives "" sites -m map.json
  done
}

# --- the stream ------------------------------------------------------------------

@test "all that comes in is passed on, byte for byte and in its place" {
  {
    printf '#tpa 1\n#kernel\trank\n'
    record meta key=events value=3
    record python ts=0.000 dur=100.000 'name=a.py(1): f'
    printf 'foreign\ta\tb\n\nno tab\n'
    record cpu_op ts=30.000 dur=5.000 ext=7 name=aten::mm
    record span ts=30.000 dur=5.000 name=decode
    printf '%s\textension\t2\n' "$(record kernel idx=0 ts=200.000 dur=1.000 ext=7 name=gemm)"
    record launch ts=30.000 dur=5.000 corr=5 name=x
    record source total=3 name=gemm
    record site kind=op count=3 name=gemm
    record meta key=end value=3
  } >in
  tpa-srcmap in >out
  head -n "$(wc -l <in)" out >got
  same in got
  tail -n +"$(($(wc -l <in) + 1))" out | cut -f 1,3,4 >got
  printf '%s\n' $'meta\tsources\t1' $'meta\tsites\t4' $'source\tall\t1' \
    $'site\tall\tscope' $'site\tall\tchain' $'site\tall\tlaunch' $'site\tall\top' >want
  same want got
}

@test "-s writes source and site records alone: as a grep for them would" {
  for trace in mi300-resnet-checkpoint sampled-rank-0; do
    tpa-extract -q "$TRACES/$trace.json.gz" >in
    tpa-srcmap in | grep -E '^(source|site)	' >want
    tpa-srcmap -s in >got
    same want got
    tpa-srcmap --source-only in >got
    same want got
    # one map after another adds up
    tpa-srcmap in | tpa-srcmap -s >got
    [ "$(wc -l <got)" = "$((2 * $(wc -l <want)))" ]
  done
}

# The meta records that make a rank's end count.
announced() {
  local rank=$1 key

  record meta "rank=$rank" key=events value=9
  for key in kernels cpu_ops frames launches; do
    shift
    record meta "rank=$rank" "key=$key" "value=$1"
  done
}

whole_rank() {
  record python "rank=$1" ts=0.000 dur=100.000 'name=a.py(1): f'
  record cpu_op "rank=$1" ts=30.000 dur=5.000 ext=7 "name=op$1"
  record launch "rank=$1" ts=30.000 dur=5.000 corr=5 name=x
  record kernel "rank=$1" idx=0 ts=200.000 dur=1.000 ext=7 name=gemm
  announced "$1" 1 1 1 1
  record meta "rank=$1" key=end value=9
}

@test "a rank is finished at its end, before the end record, and announced" {
  { whole_rank a; whole_rank b; } >in
  tpa-srcmap in >out
  cut -f 1-3 out | grep -nE '^(meta	.	(sources|sites|end)|source|site)' | cut -d : -f 2 |
    uniq | tr '\t' ' ' >got
  cat >want <<'END'
meta a sources
meta a sites
source a all
site a all
meta a end
meta b sources
meta b sites
source b all
site b all
meta b end
END
  same want got
  gives "$(grep -c '^source	a' out)" eval 'grep "^meta	a	sources" out | cut -f 4'
  gives "$(grep -c '^site	a' out)" eval 'grep "^meta	a	sites" out | cut -f 4'
}

@test "what is written at a rank's end is written then, not at the end of input" {
  mkfifo pipe
  tpa-srcmap <pipe >out &
  exec 4>pipe
  whole_rank a >&4
  # more than the output's buffer holds
  yes "$(record span ts=1.000 dur=1.000 name=x)" | head -n 20000 >&4
  for _ in $(seq 100); do
    grep -q '^source	a' out && break
    sleep 0.1
  done
  grep -q '^source	a' out
  exec 4>&-
  wait
}

@test "an end that is not the end of all its records is not taken for it" {
  whole_rank a >whole
  tpa-srcmap -s whole >want
  # sorted, with records of one type missing, and with the announcements missing
  sort whole >in
  tpa-srcmap -s in >got
  same want got
  { grep '^meta' whole; grep -v '^meta' whole; } >in
  tpa-srcmap -s in >got
  same want got
  grep -v '	cpu_ops	' whole | grep '^meta' >some
  { cat some; grep -v '^meta' whole; } >in
  tpa-srcmap -s in >got
  same want got
  grep -v '^meta' whole >in
  tpa-srcmap -s in >got
  same want got
}

@test "a rank without kernels: nothing found, and that is said at its end" {
  {
    record cpu_op ts=30.000 dur=5.000 ext=7 name=op
    announced 0 0 1 0 0
    record meta key=end value=9
  } >in
  tpa-srcmap in >out
  gives $'sources\t0\nsites\t0\nend\t9' eval 'tail -n 3 out | fields meta key value'
  gives "" tpa-srcmap -s in
  # without an end there is nothing to say
  grep -v '	end	' in >endless
  tpa-srcmap endless >got
  same endless got
}

# But for CPU records that have all their times in common: which came first in the
# trace is nowhere to be read in a sorted stream.
@test "a trace that went through sort gives the same figures" {
  for trace in b200-eager mi300-resnet-checkpoint h100-bert-small \
    sglang-deepseek-r1-b300-TP-0-DECODE.trace; do
    tpa-extract -q "$TRACES/$trace.json.gz" >in
    tpa-srcmap -s in | sort >want
    for order in sort 'sort -r' tac; do
      eval "$order in" >shuffled
      tpa-srcmap -s shuffled | sort >got
      same want got
    done
  done
}

@test "each rank is forgotten when it is finished" {
  ranks() {
    awk -v ranks=30 -v frames=40000 -v end="$1" 'BEGIN {
      OFS = "\t"
      for (r = 0; r < ranks; r++) {
        for (i = 0; i < frames; i++)
          print "python", r, 1, 1, i ".000", "0.500", "a.py(" r "" i % 10000 "): f"
        print "cpu_op", r, 1, 1, "1.100", "0.100", 1, "op"
        print "kernel", r, 1, "all", 0, 1, 7, "9.000", "1.000", 1, "-", "kernel", "-", "-", "-", "-", "gemm", "-"
        print "meta", r, "events", 1
        print "meta", r, "kernels", 1
        print "meta", r, "cpu_ops", 1
        print "meta", r, "frames", frames
        print "meta", r, "launches", 0
        if (end) print "meta", r, "end", 1
      }
    }'
  }
  limited() { (ulimit -v 20000 && "$@"); }
  limited tpa-srcmap --version || skip "no address space can be spared (a sanitizer's build)"
  ranks 1 >in
  limited tpa-srcmap -s in >got
  [ "$(grep -c ^source got)" = 30 ]
  # the same without ends takes more than that
  ranks 0 >in
  run -1 limited tpa-srcmap -s in
}

# --- time and memory -----------------------------------------------------------------

@test "many kernels in a deep stack cost no more than either" {
  awk 'BEGIN {
    OFS = "\t"
    n = 30000
    for (i = 0; i < n; i++)
      print "python", 0, 1, 1, i ".000", (3 * n - 2 * i) ".000", "torch/_ops.py(" i % 10 "): f"
    for (i = 0; i < n; i++)
      print "cpu_op", 0, 1, 1, (n + i) ".500", "0.100", i + 1, "op" i % 10
    for (i = 0; i < n; i++)
      print "kernel", 0, 1, "all", i, 1, 7, (n + i) ".600", "1.000", i + 1, "-", "kernel", "-", "-", "-", "-", "k" i, "-"
  }' >in
  timeout 20 tpa-srcmap -s in >out
  [ "$(grep -c '^source' out)" = 30000 ]
}

@test "many kernels among many threads in one function cost no more than either" {
  awk 'BEGIN {
    OFS = "\t"
    n = 30000
    for (i = 0; i < n; i++) {
      print "python", 0, 1, i, i ".000", (3 * n) ".000", "a.py(1): worker"
      print "python", 0, 1, i, n ".000", (3 * n) ".000", "a.py(1): worker"
    }
    for (i = 0; i < n; i++)
      print "kernel", 0, 1, "all", i, 1, 7, (n + i) ".600", "1.000", "-", "-", "kernel", "-", "-", "-", "-", "k" i, "-"
  }' >in
  timeout 20 tpa-srcmap -s in >out
  [ "$(grep -c '^source' out)" = 30000 ]
}

@test "many ops and kernels with one id cost no more than either" {
  awk 'BEGIN {
    OFS = "\t"
    n = 30000
    for (i = 0; i < n; i++) {
      print "cpu_op", 0, 1, 1, i ".000", (3 * n) ".000", 1, "op"
      print "launch", 0, 1, 1, i ".000", "0.100", 1, "-", "cudaLaunchKernel"
    }
    for (i = 0; i < n; i++)
      print "kernel", 0, 1, "all", i, 1, 7, i ".600", "1.000", i % 2 ? 1 : "-", 1, "kernel", "-", "-", "-", "-", "k" i, "-"
  }' >in
  timeout 20 tpa-srcmap -s in >out
  [ "$(grep -c '^source' out)" = 30000 ]
}

# --- what can go wrong ---------------------------------------------------------------

@test "a column that does not hold what it should" {
  good=$(record kernel idx=0 ts=1.000 dur=1.000 name=gemm)
  while IFS='|' read -r type column value reason; do
    case $type in
      kernel) usual=(idx=1 ts=1.000 dur=1.000 name=k) ;;
      launch) usual=(ts=1.000 dur=1.000 corr=1 name=x) ;;
      *) usual=(ts=1.000 dur=1.000 name=a.py) ;;
    esac
    { echo "$good"; record "$type" "${usual[@]}" "$column=$value"; } >in
    run -1 --separate-stderr tpa-srcmap in
    [ "$stderr" = "tpa-srcmap: in:2: $type: $column: $reason: \"$value\"" ]
    [ "${lines[0]}" = "$good" ]
    run -3 --separate-stderr tpa-srcmap -k in
    [ "$stderr" = "tpa-srcmap: in:2: $type: $column: $reason: \"$value\"" ]
    tpa-srcmap -k in 2>err | grep -q '^source' || false
  done <<'END'
kernel|idx|x|not a whole number
kernel|idx|-|not a whole number
kernel|ts|x|not a time
kernel|ext|1.5|not a whole number
kernel|corr|x|not a whole number
cpu_op|ts|x|not a time
cpu_op|dur|-|not a time
cpu_op|ext|9223372036854775808|not a whole number
python|ts||not a time
python|dur|9223372036854775.000|a time out of range
launch|ts|x|not a time
launch|dur|x|not a time
launch|corr|x|not a whole number
END
}

@test "two kernels of a rank with one pid and idx" {
  stream <<'END'
kernel idx=0 ts=1.000 dur=1.000 name=a
kernel idx=1 ts=2.000 dur=1.000 name=b
kernel pid=2 idx=1 ts=3.000 dur=1.000 name=c
kernel rank=1 idx=1 ts=4.000 dur=1.000 name=d
END
  tpa-srcmap -s in | fields source name >got
  printf '%s\n' a b c d >want
  same want got
  record kernel stage=decode idx=1 ts=5.000 dur=1.000 name=e >>in
  run -1 --separate-stderr tpa-srcmap in
  [ "$stderr" = "tpa-srcmap: rank 0: two kernels with one pid and idx; give each trace its label with tpa-extract -l" ]
  [ "${#lines[@]}" = 5 ]
  run -3 --separate-stderr tpa-srcmap -k -s in
  gives "$(printf '%s\n' a b c d)" fields source name <<<"$output"
}

@test "a second trace with a label that has ended" {
  { whole_rank a; whole_rank a; } >in
  run -1 --separate-stderr tpa-srcmap -s in
  [ "$stderr" = 'tpa-srcmap: in:11: python: rank: a second trace with this rank; give each its label with tpa-extract -l: "a"' ]
  whole_rank a >one
  tpa-srcmap -s one >want
  printf '%s\n' "$output" >got
  same want got
}

@test "what was complete is written though a later line is bad" {
  { whole_rank a; record kernel rank=b idx=x ts=1.000 dur=1.000 name=k; } >in
  run -1 --separate-stderr tpa-srcmap -s in
  whole_rank a >one
  tpa-srcmap -s one >want
  printf '%s\n' "$output" >got
  same want got
}

@test "-n wants a number" {
  for value in x -1 1.5 1000001 ''; do
    run -2 --separate-stderr tpa-srcmap -n "$value"
    [ "${stderr_lines[0]}" = "tpa-srcmap: --samples wants a whole number from 0 to 1000000: \"$value\"" ]
  done
}

@test "a full disk is noticed though only sources are written" {
  record kernel idx=0 ts=1.000 dur=1.000 name=k >in
  status=0
  tpa-srcmap -s in >/dev/full 2>err || status=$?
  [ "$status" = 1 ]
  echo "tpa-srcmap: stdout: cannot write: No space left on device" >want
  same want err
}

@test "the largest times that a record may have" {
  stream <<'END'
python ts=-4611686018427387.902 dur=4611686018427387.902 name=a.py(1):a
python ts=4611686018427387.902 dur=4611686018427387.902 name=b.py(1):b
cpu_op ts=4611686018427387.902 dur=4611686018427387.902 ext=1 name=op
cpu_op ts=-4611686018427387.902 dur=4611686018427387.902 ext=1 name=far
kernel idx=0 ts=4611686018427387.902 dur=1.000 ext=1 name=gemm
kernel idx=1 ts=4611686018427387.902 dur=1.000 name=late
kernel idx=2 ts=-4611686018427387.902 dur=1.000 name=early
END
  gives "1 a.py(1):a
1 b.py(1):b
1 b.py(1):b" chains
}

@test "empty input gives empty output" {
  gives "" tpa-srcmap -s </dev/null
  run -0 --separate-stderr tpa-srcmap </dev/null
  [ -z "$output$stderr" ]
}
