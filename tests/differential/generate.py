"""Random small traces, made so that everything that can tie or clash does.

    make_trace(random.Random(7)) -> a dict, to be written as JSON

Times come from a short grid, ids from a handful, names from short lists; frames
nest and cross; ids are there, missing, zero, text or each other's.
"""

import json
from collections import defaultdict
from decimal import Decimal, InvalidOperation

KERNELS = [
    "gemm_a", "gemm_b", "void gemm_c<float>(float*, int)", "void  f<(int)3>(T (*)(int))",
    "ncclDevKernel_AllReduce_Sum_f32(ncclDevKernelArgsStorage<4096ul>)", "all_gather_k",
    "Memcpy DtoD (Device -> Device)", "Memset (Device)", "fill_kernel", "copy_0x7f00ab",
    "rmsnorm", "void at::native::vectorized_elementwise_kernel<4, add>(int, add)", "softmax",
    "flash_fwd_splitkv_combine", "unknown", "dispatch_x", "triton_red_fused__to_copy_add_0",
    "cutlass::Kernel2<cutlass_80_tensorop_s16816gemm>", "moe_kernel", "topk_gate",
    "k\u00e9rnel \u65e5\u672c", "long_" + "x" * 120, "tab\there  and  there ",
    "fused_moe_kernel", "flashinfer::BatchPrefillWithPagedKVCacheKernel", "rotary_embedding",
]
OPS = ["aten::mm", "aten::add", "aten::copy_", " aten::linear ", "autograd::engine", "record_param_comms",
       "cudaLaunchKernel", "n/a", "time-window fallback", "op " + "y" * 110, "nccl:all_reduce", ""]
FRAMES = [
    "/usr/lib/python/sglang/srt/a.py(7): f", "/x/vllm/model_executor/parameter.py(3): __call__",
    "app/model.py(7): forward", "app/layer.py(20): attn", "/app/layer.py(40): mlp", "x.py(1): f",
    "torch/nn/modules/module.py(1747): _call_impl", "threading.py(1): run", "nn.Module: Linear_0",
    "<built-in method mm of type object at 0x7f00>", "python/x", "logging/__init__.py(1): f",
    "/x/sgl_kernel/ops.py(2): gemm", "C:\\w\\vllm\\b.py(3): g", "utils.py(2): __call__",
    "/x/tensorrt-llm/c.py(1): h", "tokenspeed/d.py(5): i", "sglang/e.py(1): scheduler_profiler_mixin.py",
    "torch/_ops.py(5): __call__", "model_executor/cuda_graph_runner.py(5): replay", "<lambda>",
]
LAUNCHES = ["cudaLaunchKernel", "hipLaunchKernel", "cudaMemcpyAsync", "cudaGraphLaunch", "hipMemsetAsync",
            "cudaStreamSynchronize", "a::Launch", "cuLaunchKernelEx"]
ANNOTATIONS = ["decode step", "prefill", "generation_0", "execute_generation_1", "ProfilerStep#3", "## Call f",
               "Decode", "batch"]
KERNEL_KINDS = ["kernel"] * 12 + ["gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", " gpu_x ", "my kernels"]
RUNTIMES = ["cuda_runtime", "cuda_runtime", "cuda_driver", "hip_runtime", "Runtime", "CUDA_DRIVER", "runtime_x"]


def length_in_ns(value):
    try:
        return round(Decimal(str(value).strip()) * 1000)
    except InvalidOperation:
        return None


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.base = rng.choice([0, 0, 1000, 1712345678000000])
        self.span = rng.choice([6, 20, 20, 60, 40000, 100000])
        self.fine = rng.random() < 0.5
        self.pids = rng.sample([0, 1, "2", "x TP-0", "TP00", 30], rng.randint(1, 3))
        self.cpu_pids = rng.sample([100, 101, "102"], rng.randint(1, 2))
        self.tids = rng.sample([1, 2, 3, "t 4"], rng.randint(1, 3))
        self.streams = rng.sample([0, 1, 7, 9, 11, 13, "s"], rng.randint(1, 5))
        self.names = rng.sample(KERNELS, rng.randint(1, 8))
        self.frames = rng.sample(FRAMES, rng.randint(1, 12))
        self.ids = rng.choice([3, 6, 30])
        self.sound = rng.random() < 0.5
        self.op_threads = {}

    def time(self):
        value = self.rng.randint(0, self.span)
        if self.fine and self.rng.random() < 0.4:
            return f"{self.base + value}.{self.rng.choice(['5', '001', '002', '0005', '999', '250'])}"
        return str(self.base + value)

    def length(self, longest):
        rng = self.rng
        value = rng.choice([1, 1, 2, 3, 5, rng.randint(1, longest), rng.randint(1, longest)])
        if self.fine and rng.random() < 0.3:
            return f"{value}.{rng.choice(['5', '001', '0015', '0025', '999'])}"
        return str(value)

    def id(self):
        rng = self.rng
        value = rng.randint(0, self.ids)
        if self.sound or rng.random() < 0.8:
            return value
        return rng.choice([None, str(value), float(value), 1.5, "x", -value, f" {value} ", True, [value]])

    def event(self, cat, name, pid, tid, longest, args):
        rng = self.rng
        event = {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid,
                 "ts": Number(self.time()), "dur": Number(self.length(longest))}
        if args or rng.random() < 0.5:
            event["args"] = args
        if self.sound:
            return event
        odd = rng.random()
        if odd < 0.02:
            event["dur"] = rng.choice([0, -1, Number("0.0004"), "x", None, "2.5", " 3 "])
        elif odd < 0.03:
            small = [Number("1e1")] if self.base == 0 else []
            event["ts"] = rng.choice([None, "x", str(event["ts"]), True] + small)
        elif odd < 0.04:
            event["ph"] = rng.choice(["B", "i", "x", ""])
        elif odd < 0.05:
            event["args"] = rng.choice([None, [], 7, "x"])
        elif odd < 0.06:
            event.pop(rng.choice(["cat", "ph", "dur", "ts"]))
        return event

    def kernel(self):
        rng = self.rng
        args, name, cat = {}, rng.choice(self.names), rng.choice(KERNEL_KINDS)
        if rng.random() < 0.9:
            args["stream"] = rng.choice(self.streams)
        elif rng.random() < 0.5:
            args[rng.choice(["cuda_stream", "sycl queue", "stream"])] = rng.choice([0, 5, None, ""])
        if rng.random() < 0.8:
            args["correlation"] = self.id()
        if rng.random() < 0.4:
            args[rng.choice(["External id"] * 9 + ["external id"])] = self.id()
        if rng.random() < 0.04:
            cat = rng.choice(["thing", "Trace", "gpu_user_annotation", "cpu_op"])
            args.pop("External id", None)
        return self.event(cat, name, rng.choice(self.pids), rng.choice([7, 7, 9, "stream 7"]),
                          max(1, min(self.span, rng.choice([4, 10, self.span]))), args)

    def op(self):
        args = {"External id": self.id()} if self.rng.random() < 0.9 else {}
        event = self.event(self.rng.choice(["cpu_op"] * 9 + ["Operator", "cpu_Op"]), self.rng.choice(OPS),
                           self.rng.choice(self.cpu_pids), self.rng.choice(self.tids), self.span, args)
        # between ops of one id, of one length and on two threads the reference script does not choose
        thread = str(event["pid"]), str(event["tid"])
        key = str(args.get("External id")).strip().replace(".0", ""), length_in_ns(event.get("dur"))
        if self.op_threads.setdefault(key, thread) != thread:
            event["pid"], event["tid"] = self.op_threads[key]
        return event

    def launch(self):
        args = {"correlation": self.id()} if self.rng.random() < 0.95 else {}
        if self.rng.random() < 0.5:
            args["External id"] = self.id()
        return self.event(self.rng.choice(RUNTIMES), self.rng.choice(LAUNCHES),
                          self.rng.choice(self.cpu_pids), self.rng.choice(self.tids), 5, args)

    def frame(self):
        return self.event("python_function", self.rng.choice(self.frames), self.rng.choice(self.cpu_pids),
                          self.rng.choice(self.tids), self.span, {})

    def annotation(self):
        rng = self.rng
        args = {"External id": self.id()} if rng.random() < 0.6 else {}
        cat = rng.choice(["user_annotation"] * 3 + ["gpu_user_annotation"] * 3 + ["User_Annotation"])
        return self.event(cat, rng.choice(ANNOTATIONS), rng.choice(self.cpu_pids + self.pids),
                          rng.choice(self.tids), max(2, self.span // 2), args)

    def other(self):
        rng = self.rng
        return rng.choice([
            {}, {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python"}},
            {"ph": "i", "name": "note", "args": {"correlation": self.id(), "External id": self.id()}},
            {"ph": "M", "name": "thread_name", "pid": rng.choice(self.pids), "tid": rng.choice([7, 9]),
             "args": {"name": rng.choice(["stream 7", "gpu", "", "a  b"])}},
            {"ph": "f", "id": 3, "pid": 1, "tid": 1, "ts": 5, "cat": "ac2g", "name": "ac2g"},
        ])

    def trace(self):
        rng = self.rng
        most = rng.choice([0, 5, 12, 40, 90])
        events = [self.kernel() for _ in range(rng.randint(0, most))]
        events += [self.op() for _ in range(rng.randint(0, rng.choice([0, 10, 25])))]
        events += [self.launch() for _ in range(rng.randint(0, rng.choice([0, 10, 25])))]
        events += [self.frame() for _ in range(rng.randint(0, rng.choice([0, 10, 40])))]
        events += [self.annotation() for _ in range(rng.randint(0, rng.choice([0, 0, 2, 6])))]
        if not self.sound:
            events += [self.other() for _ in range(rng.randint(0, 4))]
        order = rng.random()
        if order < 0.6:
            rng.shuffle(events)
        elif order < 0.9:
            events.sort(key=lambda e: (str(e.get("cat")), float(str(e.get("ts", 0)) or 0)
                                       if str(e.get("ts", "0")).replace(".", "").isdigit() else 0))
        trace = {"schemaVersion": 1, "traceEvents": events}
        if rng.random() < 0.2:
            trace["distributedInfo"] = {"rank": rng.randint(0, 3), "world_size": 4}
        return trace


class DistinctMaker(Maker):
    """Traces in which nothing ties: all starts, ends and lengths differ, an id is that of one
    event of a kind, and no name has more kernels than are sampled."""

    def __init__(self, rng):
        super().__init__(rng)
        self.sound = True
        self.span = 3000
        self.names = [name for name in KERNELS for _ in range(16)]
        rng.shuffle(self.names)
        self.starts = rng.sample(range(self.span), 999)
        self.fractions = rng.sample(range(1, 1000), 999)
        self.free = defaultdict(lambda: rng.sample(range(1, 200), 199))

    def time(self):
        return str(self.base + self.starts.pop())

    def length(self, longest):
        return f"{self.rng.randint(1, longest)}.{self.fractions.pop():03d}"

    def event(self, cat, name, pid, tid, longest, args):
        kind = "op" if cat in ("cpu_op", "Operator") else cat in RUNTIMES
        if cat in KERNEL_KINDS:
            kind, name, longest = "kernel", self.names.pop(), self.span // 4
        if "correlation" in args:
            args["correlation"] = self.free[kind].pop()
        if "External id" in args:
            args["External id"] = 1000 + (args.get("correlation") or self.free[kind].pop())
        return super().event(cat, name, pid, tid, longest, args)


class Number:
    """A number that is written as it was made up."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text


def make_trace(rng):
    return Maker(rng).trace()


def make_distinct_trace(rng):
    return DistinctMaker(rng).trace()


def make_kernel_map(rng):
    """A kernel map, as tpa-srcmap -m reads it."""
    def entry():
        sites = [{"location": rng.choice(FRAMES + ["", "unmapped", "a.py:3", "unresolved"]),
                  "launches": rng.choice([0, 1, 2, 5, 2.5, "3", None]),
                  "top_cpu_op": rng.choice(OPS + [None])} for _ in range(rng.randint(0, 3))]
        made = {"sites": sites}
        if rng.random() < 0.7:
            made["best_location"] = rng.choice(FRAMES + ["", None])
        if rng.random() < 0.3:
            made["best_cpu_op"] = rng.choice(OPS)
        return made

    def kernels():
        names = [" ".join(n.split()).split("(")[0] for n in rng.sample(KERNELS, rng.randint(0, 8))]
        names = [n for n in names if n.isascii()]
        return {"kernels": {n if rng.random() < 0.6 else n[: rng.randint(1, len(n))].upper(): entry()
                            for n in names}}

    stages = {s: kernels() for s in rng.sample(["extend", "prefill", "decode", "all"], rng.randint(0, 3))}
    return {"stages": stages, "global": kernels()}


def to_json(value):
    """JSON text in the ways in which profilers write it."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{to_json(k)}:{to_json(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",\n".join(map(to_json, value)) + "]"
    return json.dumps(value, ensure_ascii=len(str(value)) % 2 == 0)
