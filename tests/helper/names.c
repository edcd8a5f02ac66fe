#include "names.h"

#include "check.h"

static struct buffer canonical = BUFFER_INIT, params = BUFFER_INIT;

struct pair {
	const char *text, *want;
};

struct figure {
	const char *text;
	int64_t want;
};

struct triple {
	const char *text, *first, *second;
};

struct couple {
	const char *left, *right;
	bool same;
};

#define EACH(type, ...) \
	static const type rows[] = {__VA_ARGS__}; \
	for (const type *row = rows; row < rows + sizeof(rows) / sizeof(rows[0]); row++)

static void same(const char *text, const struct buffer *got, const char *want)
{
	if (got->length == strlen(want) && (!got->length || !memcmp(got->data, want, got->length)))
		return;
	printf("\"%s\" gives \"%.*s\", not \"%s\"\n", text, (int)got->length, got->data, want);
	check_failures++;
}

static void kernel(void)
{
	EACH(struct triple, {"void add<float>(float*,  int)", "void add<float>", "(float*, int)"},
	    {"  void  f ( int ) ", "void f ", "( int )"},
	    {"void f(int (*)(int), (anonymous namespace)::T)", "void f",
	     "(int (*)(int), (anonymous namespace)::T)"},
	    {"void (anonymous namespace)::f(int)", "void (anonymous namespace)::f", "(int)"},
	    {"void f(int) const", "void f(int) const", ""},
	    {"int f(int)", "int f(int)", ""},
	    {"Memcpy DtoD (Device -> Device)", "Memcpy DtoD (Device -> Device)", ""},
	    {"void f)", "void f)", ""},
	    {"void f(int))", "void f(int))", ""},
	    {"void (x)", "void ", "(x)"},
	    {"Void f(int)", "Void f(int)", ""},
	    {"void", "void", ""},
	    {"f 0x7fA1 0X7f 0xg a0x1f", "f 0xADDR 0X7f 0xg a0xADDR", ""},
	    {"0x", "0x", ""},
	    {"0x10x2", "0xADDRx2", ""},
	    {"00x1 0x0x1", "00xADDR 0xADDRx1", ""},
	    {"void k(0x7f00)", "void k", "(0xADDR)"},
	    {"", "", ""}, {" ", "", ""}) {
		buffer_clear(&canonical);
		buffer_clear(&params);
		name_kernel(&canonical, &params, row->text, strlen(row->text));
		same(row->text, &canonical, row->first);
		same(row->text, &params, row->second);
	}
	/* appended to what is there, and the parameters are not asked for */
	buffer_clear(&canonical);
	buffer_add_string(&canonical, "(");
	name_kernel(&canonical, NULL, "void f(int)", 11);
	same("void f(int)", &canonical, "(void f");
}

static void is_python(const struct pair *row)
{
	buffer_clear(&canonical);
	name_python(&canonical, row->text, strlen(row->text));
	same(row->text, &canonical, row->want);
}

static void python_markers(void)
{
	EACH(struct pair, {"/a/python/sglang/srt/x.py(7): f", "python/sglang/srt/x.py(7): f"},
	     {"/a/sgl_kernel/x.py(7): f", "sgl_kernel/x.py(7): f"},
	     {"/usr/lib/site-packages/vllm/a.py(7): f", "vllm/a.py(7): f"},
	     {"/a/python/tokenspeed/x.py(7): f", "python/tokenspeed/x.py(7): f"},
	     {"/a/tokenspeed/x.py(7): f", "tokenspeed/x.py(7): f"},
	     {"/a/tensorrt_llm/x.py(7): f", "tensorrt_llm/x.py(7): f"},
	     {"/a/TensorRT-LLM/x.py(7): f", "tensorrt_llm/x.py(7): f"},
	     {"/a/site-packages/sglang/x.py(7): f", "python/sglang/x.py(7): f"},
	     {"sglang/x.py(7): f", "python/sglang/x.py(7): f"},
	     {"vllm/x.py(7): f", "vllm/x.py(7): f"})
		is_python(row);
}

static void python_paths(void)
{
	EACH(struct pair,
	     /* the first marker of the list wins, wherever in the path */
	     {"/vllm/b/python/sglang/x.py(7): f", "python/sglang/x.py(7): f"},
	     {"/tensorrt-llm/tokenspeed/x.py(7): f", "tokenspeed/x.py(7): f"},
	     /* its first occurrence is cut at */
	     {"/vllm/b/vllm/x.py(7): f", "vllm/b/vllm/x.py(7): f"},
	     /* it begins a component */
	     {"/my-vllm/x.py(7): f", "my-vllm/x.py(7): f"},
	     {"/my-vllm/vllm/x.py(7): f", "vllm/x.py(7): f"},
	     {"/a/python/my-sglang/x.py(7): f", "a/python/my-sglang/x.py(7): f"},
	     {"C:\\work\\vllm\\a.py(7): f", "vllm/a.py(7): f"},
	     {"/a/VLLM/X.py(7): F", "vllm/X.py(7): F"}, {"/a/vllm///x.py(7): f", "vllm/x.py(7): f"},
	     {"///opt/x.py(7): f", "opt/x.py(7): f"}, {"train.py(82): step", "train.py(82): step"})
		is_python(row);
}

static void python_others(void)
{
	EACH(struct pair, {"<built-in method to of Tensor object at 0x7f12>",
			   "<built-in method to of Tensor object at 0xADDR>"},
	     {"nn.Module:  Linear_0", "nn.Module: Linear_0"},
	     /* only PATH(LINE): FUNCTION has a path */
	     {"/a/vllm/x.py: f", "/a/vllm/x.py: f"}, {"/a/vllm/x.py(): f", "/a/vllm/x.py(): f"},
	     {"/a/vllm/x.py(7):f", "/a/vllm/x.py(7):f"}, {"/a/vllm/x.py(7): ", "/a/vllm/x.py(7):"},
	     {"(7): f", "(7): f"},
	     /* the first mark with a function behind it ends the path */
	     {"/a(1):b(2): f(3): g", "a(1):b(2): f(3): g"}, {"", ""})
		is_python(row);
}

static void worth(void)
{
	enum { BOTH = SCOPE_MEANINGFUL | SCOPE_FALLBACK };

	EACH(struct figure, {"vllm/a.py(7): f", BOTH}, {"train.py(1): step", BOTH},
	    {"python/sglang/x", BOTH}, {"python/tokenspeed/x", BOTH},
	    {"sglang/x", SCOPE_MEANINGFUL}, {"vllm/x", SCOPE_MEANINGFUL},
	    {"tokenspeed/x", SCOPE_MEANINGFUL}, {"tensorrt_llm/x", SCOPE_MEANINGFUL},
	    {"sgl_kernel/x", SCOPE_MEANINGFUL}, {"python/x", SCOPE_FALLBACK},
	    {"", SCOPE_NONE}, {"<built-in method f.py(1): g>", SCOPE_NONE},
	    {"nn.Module: x.py(", SCOPE_NONE}, {"aten::add", SCOPE_NONE}, {"x.pyc(1): f", SCOPE_NONE},
	    {"threading.py(9): run", SCOPE_NONE})
		CHECK_INT(name_scope_worth(row->text, strlen(row->text)), row->want);
}

static void plumbing(void)
{
	EACH(struct pair, {"selectors.py(1): f", ""}, {"contextlib.py(1): f", ""},
	     {"queue.py(1): f", ""}, {"logging/x.py(1): f", ""}, {"logging/__init__.py(1): f", ""},
	     {"socket.py(1): f", ""}, {"asyncio/x.py(1): f", ""},
	     {"concurrent/futures/x.py(1): f", ""}, {"tqdm/x.py(1): f", ""},
	     {"uvicorn/x.py(1): f", ""}, {"fastapi/x.py(1): f", ""}, {"starlette/x.py(1): f", ""},
	     {"http/x.py(1): f", ""}, {"torch/_ops.py(1): f", ""},
	     {"torch/nn/modules/module.py(1): f", ""}, {"torch/utils/_contextlib.py(1): f", ""},
	     {"torch/autograd/x.py(1): f", ""}, {"torch/_tensor.py(1): f", ""},
	     {"torch/distributed/x.py(1): f", ""}, {"torch/_dynamo/x.py(1): f", ""},
	     {"torch/_inductor/x.py(1): f", ""}) {
		CHECK_INT(name_scope_worth(row->text, strlen(row->text)), SCOPE_FALLBACK);
	}
	/* a prefix of the whole path, not of a part of it */
	CHECK_INT(name_scope_worth("a/queue.py(1): f", 16), SCOPE_MEANINGFUL | SCOPE_FALLBACK);
	CHECK_INT(name_scope_worth("torch/nn/functional.py(1): f", 28),
		  SCOPE_MEANINGFUL | SCOPE_FALLBACK);
}

static void low_signal(void)
{
	EACH(struct pair, {"a.py(1): __torch_function__", ""}, {"a.py(1): __torch_dispatch__", ""},
	     {"a.py(1): __call__", ""}, {"a.py(1): __CALL__", ""}, {"a.py(1): _call_impl", ""},
	     {"a.py(1): _wrapped_call_impl", ""}, {"vllm/model_executor/parameter.py(1): f", ""},
	     {"vllm/model_executor/parameter.py:1", ""},
	     {"python/sglang/srt/model_executor/cuda_graph_runner.py(1): f", ""},
	     {"model_executor/cuda_graph_runner.py:1", ""},
	     {"vllm/compilation/cuda_graph.py(1): f", ""}, {"compilation/cuda_graph.py:1", ""},
	     {"tensorrt_llm/_torch/pyexecutor/cuda_graph_runner.py(1): f", ""},
	     {"pyexecutor/cuda_graph_runner.py:1", ""},
	     {"tensorrt_llm/_torch/pyexecutor/py_executor.py(1): f", ""},
	     {"pyexecutor/py_executor.py:1", ""}, {"tensorrt_llm/_torch/utils.py(1): f", ""},
	     {"_torch/utils.py:1", ""}, {"torch/fx/graph_module.py(1): f", ""},
	     {"torch/fx/graph_module.py:1", ""})
		if (!name_scope_low_signal(row->text, strlen(row->text))) {
			printf("not of low signal: %s\n", row->text);
			check_failures++;
		}
	CHECK(!name_scope_low_signal("vllm/model_executor/models/gpt_oss.py(1): forward", 49));
	CHECK(!name_scope_low_signal("", 0));
}

static void score(void)
{
	EACH(struct figure, {"python/sglang/a.py(1): f", 50}, {"sglang/a.py(1): f", 48}, {"vllm/a.py(1): f", 46},
	    {"python/tokenspeed/a.py(1): f", 45}, {"tokenspeed/a.py(1): f", 45},
	    {"tensorrt_llm/a.py(1): f", 44}, {"sgl_kernel/a.py(1): f", 30}, {"a.py(1): f", 10},
	    {"aten::add", 0}, {"a/utils.py(1): __call__", 10 - 15 - 25}, {"a/utils.py(1): f", 10},
	    {"python/sglang/scheduler_profiler_mixin.py(1): f", 50 - 20},
	    {"vllm/compilation/cuda_graph.py(1): __call__", 46 - 25},
	    {"torch/nn/modules/module.py(1): _call_impl", 10 - 25})
		CHECK_INT(name_scope_score(row->text, strlen(row->text)), row->want);
}

static void priority(void)
{
	EACH(struct figure, {"python/sglang/a.py(1): f", 300}, {"sglang/a", 290}, {"vllm/a.py(1): f", 285},
	    {"python/tokenspeed/a.py(1): f", 283}, {"tokenspeed/a.py(1): f", 283},
	    {"tensorrt_llm/a.py(1): f", 280}, {"sgl_kernel/a.py(1): f", 260}, {"a.py(1): f", 120},
	    {"/x/sglang/a.py(1): f", 300}, {"a.py(1): __call__", 120 - 80},
	    {"vllm/compilation/cuda_graph.py(1): f", 285 - 80}, {"aten::add", 0}, {"unmapped", 0},
	    {"x __call__", 0}, {"", 0})
		CHECK_INT(name_scope_priority(row->text, strlen(row->text)), row->want);
}

static void signature(void)
{
	EACH(struct triple, {"vllm/a.py(7): f", "vllm/a.py", "f"}, {"a.py(7):f g", "a.py", "f g"},
	    {"a.py(7):   f", "a.py", "f"}, {"a.py(7):", "a.py(7):", ""}, {"a.py(7): ", "a.py", " "},
	    {"a.py(x): f", "a.py(x): f", ""}, {"(7): f", "(7): f", ""},
	    {"a(1): b(2): c", "a", "b(2): c"}, {"n", "n", ""}) {
		struct scope_signature got = name_scope_signature(row->text, strlen(row->text));

		check_bytes(__FILE__, __LINE__, row->text, got.path_length, row->first,
			    strlen(row->first));
		check_bytes(__FILE__, __LINE__, row->text + got.function, got.function_length,
			    row->second, strlen(row->second));
	}
}

static void family(void)
{
	EACH(struct couple, {"a.py(1): f", "a.py(2): g", true}, {"a.py(1): f", "b.py(9): f", true},
	    {"a.py(1): f", "b.py(1): g", false}, {"unmapped", "unmapped", false},
	    {"n/a", "n/a", false}, {"", "", false}, {"n/a", "a.py(1): f", false},
	    {"x", "x", true}, {"x", "y", false}, {"a.py", "a.py(1): f", true})
		CHECK_INT(name_scope_same_family(row->left, strlen(row->left), row->right,
						 strlen(row->right)), row->same);
}

static void launch(void)
{
	EACH(struct figure, {"cudaLaunchKernel", true}, {"hipMemcpyAsync", true}, {"cudaMemsetAsync", true},
	    {"hipExtModuleLaunchKernel", true}, {"cuLaunchKernelEx", true}, {"zeMemFill", true},
	    {"urEnqueueKernelLaunch", true}, {"urENQUEUE", true}, {"cudaGraphLaunch", true},
	    {"cudaStreamSynchronize", false}, {"cudaMalloc", false}, {"aten::launch", false},
	    {"at::memcpy", false}, {"", false})
		CHECK_INT(name_is_launch(row->text, strlen(row->text)), row->want);
}

CHECK_MAIN({"kernel", kernel}, {"python_markers", python_markers}, {"python_paths", python_paths},
	   {"python_others", python_others}, {"worth", worth}, {"plumbing", plumbing},
	   {"low_signal", low_signal}, {"score", score}, {"priority", priority},
	   {"signature", signature}, {"family", family}, {"launch", launch})
