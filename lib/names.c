#include "names.h"

#include "text.h"

struct literal {
	const char *text;
	size_t length;
};

#define LITERAL(string) {string, sizeof(string) - 1}
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static bool contains_any(const char *text, size_t length, const struct literal *parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_contains(text, length, parts[i].text, parts[i].length))
			return true;
	return false;
}

static bool starts_any(const char *text, size_t length, const struct literal *parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_starts(text, length, parts[i].text, parts[i].length))
			return true;
	return false;
}

static bool is_hex(char c)
{
	return ascii_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Folds, and writes every 0x... as 0xADDR: names that differ in an address are one. */
static void fold_addresses(struct buffer *out, const char *name, size_t length)
{
	size_t start = out->length, from, at;

	text_fold(out, name, length);
	if (out->length == start || !text_contains(out->data + start, out->length - start, "0x", 2))
		return;

	struct buffer folded = BUFFER_INIT;

	buffer_add(&folded, out->data + start, out->length - start);
	out->length = start;
	for (from = at = 0; at + 2 < folded.length; at++) {
		if (folded.data[at] != '0' || folded.data[at + 1] != 'x' || !is_hex(folded.data[at + 2]))
			continue;
		buffer_add(out, folded.data + from, at - from);
		buffer_add_string(out, "0xADDR");
		at += 2;
		while (at < folded.length && is_hex(folded.data[at]))
			at++;
		from = at--;
	}
	buffer_add(out, folded.data + from, folded.length - from);
	buffer_release(&folded);
}

/* Where the parameter list that ends the name begins, or the length. */
static size_t parameters(const char *name, size_t length)
{
	size_t depth = 0;

	if (!TEXT_STARTS(name, length, "void ") || name[length - 1] != ')')
		return length;
	for (size_t i = length; i-- > 0;) {
		if (name[i] == ')')
			depth++;
		else if (name[i] == '(' && --depth == 0)
			return i;
	}
	return length;
}

void name_kernel(struct buffer *canonical, struct buffer *params, const char *name, size_t length)
{
	size_t start = canonical->length, cut;
	const char *full;

	fold_addresses(canonical, name, length);
	if (canonical->length == start)
		return;
	full = canonical->data + start;
	length = canonical->length - start;
	cut = parameters(full, length);
	if (params)
		buffer_add(params, full + cut, length - cut);
	canonical->length = start + cut;
}

static const struct {
	struct literal marker, written;
} repositories[] = {
	{LITERAL("python/sglang/"), LITERAL("python/sglang/")},
	{LITERAL("sgl_kernel/"), LITERAL("sgl_kernel/")},
	{LITERAL("vllm/"), LITERAL("vllm/")},
	{LITERAL("python/tokenspeed/"), LITERAL("python/tokenspeed/")},
	{LITERAL("tokenspeed/"), LITERAL("tokenspeed/")},
	{LITERAL("tensorrt_llm/"), LITERAL("tensorrt_llm/")},
	{LITERAL("tensorrt-llm/"), LITERAL("tensorrt_llm/")},
	{LITERAL("sglang/"), LITERAL("python/sglang/")},
};

/* Where a marker begins a component of the lowered path, or -1. */
static ptrdiff_t find_component(const char *lowered, size_t length, struct literal marker)
{
	for (size_t at = 0; at + marker.length <= length; at++) {
		const char *found = memmem(lowered + at, length - at, marker.text, marker.length);

		if (!found)
			return -1;
		at = (size_t)(found - lowered);
		if (!at || lowered[at - 1] == '/')
			return (ptrdiff_t)at;
	}
	return -1;
}

/* normalize_repo_relative_path */
static void add_repository_path(struct buffer *out, const char *path, size_t length)
{
	struct buffer slashed = BUFFER_INIT, lowered = BUFFER_INIT;
	size_t from = 0;

	text_fold(&slashed, path, length);
	for (size_t i = 0; i < slashed.length; i++)
		if (slashed.data[i] == '\\')
			slashed.data[i] = '/';
	text_lower(&lowered, slashed.data, slashed.length);
	for (size_t i = 0; i < COUNT_OF(repositories); i++) {
		ptrdiff_t at = find_component(lowered.data, lowered.length, repositories[i].marker);

		if (at < 0)
			continue;
		buffer_add(out, repositories[i].written.text, repositories[i].written.length);
		from = (size_t)at + repositories[i].marker.length;
		break;
	}
	while (from < slashed.length && slashed.data[from] == '/')
		from++;
	buffer_add(out, slashed.data + from, slashed.length - from);
	buffer_release(&slashed);
	buffer_release(&lowered);
}

/*
 * The first "(LINE):" after at least one character: the length of what stands
 * before it, or 0; *after is where the colon's successor stands.
 */
static size_t line_mark(const char *name, size_t length, size_t *after)
{
	for (size_t open = 1; open < length; open++) {
		size_t digit = open + 1;

		if (name[open] != '(')
			continue;
		while (digit < length && ascii_is_digit(name[digit]))
			digit++;
		if (digit == open + 1 || digit + 2 >= length || name[digit] != ')' ||
		    name[digit + 1] != ':')
			continue;
		*after = digit + 2;
		return open;
	}
	return 0;
}

void name_python(struct buffer *canonical, const char *name, size_t length)
{
	struct buffer folded = BUFFER_INIT;
	size_t offset = 0, open, after;

	fold_addresses(&folded, name, length);
	while (folded.length &&
	       (open = line_mark(folded.data + offset, folded.length - offset, &after))) {
		open += offset;
		after += offset;
		if (folded.data[after] == ' ' && after + 1 < folded.length) {
			add_repository_path(canonical, folded.data, open);
			buffer_add(canonical, folded.data + open, folded.length - open);
			buffer_release(&folded);
			return;
		}
		offset = open;
	}
	buffer_add(canonical, folded.data, folded.length);
	buffer_release(&folded);
}

unsigned name_scope_worth(const char *name, size_t length)
{
	static const struct literal plumbing[] = {
		LITERAL("threading.py("),
		LITERAL("selectors.py("),
		LITERAL("contextlib.py("),
		LITERAL("queue.py("),
		LITERAL("logging/"),
		LITERAL("logging/__init__.py("),
		LITERAL("socket.py("),
		LITERAL("asyncio/"),
		LITERAL("concurrent/futures/"),
		LITERAL("tqdm/"),
		LITERAL("uvicorn/"),
		LITERAL("fastapi/"),
		LITERAL("starlette/"),
		LITERAL("http/"),
		LITERAL("torch/_ops.py("),
		LITERAL("torch/nn/modules/module.py("),
		LITERAL("torch/utils/_contextlib.py("),
		LITERAL("torch/autograd/"),
		LITERAL("torch/_tensor.py("),
		LITERAL("torch/distributed/"),
		LITERAL("torch/_dynamo/"),
		LITERAL("torch/_inductor/"),
	};
	static const struct literal code_bases[] = {
		LITERAL("python/sglang/"),     LITERAL("sglang/"),     LITERAL("vllm/"),
		LITERAL("python/tokenspeed/"), LITERAL("tokenspeed/"), LITERAL("tensorrt_llm/"),
		LITERAL("sgl_kernel/"),
	};
	unsigned worth = SCOPE_NONE;
	bool is_file;

	if (!length || TEXT_STARTS(name, length, "<built-in method") ||
	    TEXT_STARTS(name, length, "nn.Module:"))
		return SCOPE_NONE;
	is_file = TEXT_CONTAINS(name, length, ".py(");
	if (!starts_any(name, length, plumbing, COUNT_OF(plumbing)) &&
	    (is_file || starts_any(name, length, code_bases, COUNT_OF(code_bases))))
		worth |= SCOPE_MEANINGFUL;
	if (!TEXT_STARTS(name, length, "threading.py(") &&
	    (is_file || TEXT_STARTS(name, length, "python/")))
		worth |= SCOPE_FALLBACK;
	return worth;
}

bool name_scope_low_signal(const char *canonical, size_t length)
{
	static const struct literal tokens[] = {
		LITERAL("__torch_function__"),
		LITERAL("__torch_dispatch__"),
		LITERAL("__call__"),
		LITERAL("_call_impl"),
		LITERAL("_wrapped_call_impl"),
		LITERAL("model_executor/parameter.py("),
		LITERAL("model_executor/parameter.py:"),
		LITERAL("model_executor/cuda_graph_runner.py("),
		LITERAL("model_executor/cuda_graph_runner.py:"),
		LITERAL("compilation/cuda_graph.py("),
		LITERAL("compilation/cuda_graph.py:"),
		LITERAL("pyexecutor/cuda_graph_runner.py("),
		LITERAL("pyexecutor/cuda_graph_runner.py:"),
		LITERAL("pyexecutor/py_executor.py("),
		LITERAL("pyexecutor/py_executor.py:"),
		LITERAL("_torch/utils.py("),
		LITERAL("_torch/utils.py:"),
		LITERAL("torch/fx/graph_module.py("),
		LITERAL("torch/fx/graph_module.py:"),
	};
	struct buffer lowered = BUFFER_INIT;
	bool low;

	text_lower(&lowered, canonical, length);
	low = contains_any(lowered.data, lowered.length, tokens, COUNT_OF(tokens));
	buffer_release(&lowered);
	return low;
}

/* What a code base is worth: as the place of a launch, and as a match by alias. */
static const struct {
	struct literal prefix;
	int score, priority;
} code_base_worth[] = {
	{LITERAL("python/sglang/"), 50, 300},	  {LITERAL("sglang/"), 48, 290},
	{LITERAL("vllm/"), 46, 285},		  {LITERAL("python/tokenspeed/"), 45, 283},
	{LITERAL("tokenspeed/"), 45, 283},	  {LITERAL("tensorrt_llm/"), 44, 280},
	{LITERAL("sgl_kernel/"), 30, 260},
};

static int find_code_base(const char *name, size_t length)
{
	for (size_t i = 0; i < COUNT_OF(code_base_worth); i++)
		if (text_starts(name, length, code_base_worth[i].prefix.text,
				code_base_worth[i].prefix.length))
			return (int)i;
	return -1;
}

int name_scope_score(const char *name, size_t length)
{
	int base = find_code_base(name, length), score = 0;

	if (base >= 0)
		score = code_base_worth[base].score;
	else if (TEXT_CONTAINS(name, length, ".py("))
		score = 10;
	if (TEXT_CONTAINS(name, length, "utils.py") && TEXT_CONTAINS(name, length, "__call__"))
		score -= 15;
	if (TEXT_CONTAINS(name, length, "scheduler_profiler_mixin.py"))
		score -= 20;
	if (name_scope_low_signal(name, length))
		score -= 25;
	return score;
}

int name_scope_priority(const char *scope, size_t length)
{
	struct buffer name = BUFFER_INIT;
	int base, priority = 0;

	name_python(&name, scope, length);
	base = find_code_base(name.data, name.length);
	if (base >= 0)
		priority = code_base_worth[base].priority;
	else if (TEXT_CONTAINS(name.data, name.length, ".py("))
		priority = 120;
	if (priority && name_scope_low_signal(name.data, name.length))
		priority -= 80;
	buffer_release(&name);
	return priority;
}

struct scope_signature name_scope_signature(const char *scope, size_t length)
{
	size_t offset = 0, open, after;

	while (length && (open = line_mark(scope + offset, length - offset, &after))) {
		open += offset;
		after += offset;
		while (after + 1 < length && ascii_is_space(scope[after]))
			after++;
		if (after < length)
			return (struct scope_signature){open, after, length - after};
		offset = open;
	}
	return (struct scope_signature){length, length, 0};
}

bool name_scope_same_family(const char *a, size_t a_length, const char *b, size_t b_length)
{
	struct scope_signature left, right;

	if (TEXT_IS(a, a_length, "unmapped") || TEXT_IS(a, a_length, "n/a") ||
	    TEXT_IS(b, b_length, "unmapped") || TEXT_IS(b, b_length, "n/a"))
		return false;
	left = name_scope_signature(a, a_length);
	right = name_scope_signature(b, b_length);
	if (!left.path_length || !right.path_length)
		return false;
	if (!text_compare(a, left.path_length, b, right.path_length))
		return true;
	return left.function_length && right.function_length &&
	       !text_compare(a + left.function, left.function_length, b + right.function,
			     right.function_length);
}

bool name_is_launch(const char *name, size_t length)
{
	static const struct literal words[] = {
		LITERAL("launch"),  LITERAL("memcpy"),	LITERAL("memset"),
		LITERAL("memfill"), LITERAL("enqueue"),
	};
	struct buffer folded = BUFFER_INIT;
	bool is_launch;

	text_fold(&folded, name, length);
	for (size_t i = 0; i < folded.length; i++)
		folded.data[i] = ascii_lower(folded.data[i]);
	is_launch = !TEXT_CONTAINS(folded.data, folded.length, "::") &&
		    contains_any(folded.data, folded.length, words, COUNT_OF(words));
	buffer_release(&folded);
	return is_launch;
}
