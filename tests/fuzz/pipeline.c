/*
 * pipeline: all stages, one after the other; each must take what the one before
 * wrote, and the records are checked after each.
 *
 * What begins with a bracket is a trace.  Of all else a small sound one is made,
 * and worked out in two orders: no two events start together or last equally long,
 * no name has more kernels than are sampled, and an id means one thing, so neither
 * the order of the events in the file nor that of the stages may change a figure.
 */
#include "harness.h"

#include "diag.h"
#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX  64
#define EVENT_BYTES 6
#define SAMPLED	    16

static const char *const kernel_names[] = {
    "gemm", "ncclDevKernel_AllReduce", "void add<int>(int)", "Memcpy DtoD", "rmsnorm",
    "x",    "triton_poi_fused",	       "copy_kernel"};
static const char *const frame_names[] = {
    "a.py(1): f", "vllm/b.py(2): g",  "/x/sglang/c.py(3): h", "torch/_ops.py(4): __call__",
    "lambda",	  "d.py(5): __call__"};
static const char *const op_names[] = {"aten::mm", "aten::add", "x::y", "aten::copy_"};

struct maker {
	struct buffer text;
	unsigned kernels[sizeof(kernel_names) / sizeof(kernel_names[0])];
};

/* Event number i, of six bytes; all that is random about it comes from them. */
static void add_event(struct maker *maker, const uint8_t *bytes, size_t i)
{
	struct buffer *out = &maker->text;
	unsigned ts = (unsigned)(i * 16 + bytes[1] % 16), id = bytes[2] % 8 + 1;
	unsigned dur = (unsigned)(bytes[3] * EVENTS_MAX + i + 1);
	unsigned kind = bytes[0] % 8, name;

	buffer_printf(out, "{\"ph\":\"X\",\"ts\":%u.%03u,\"dur\":%u.%03u,\"tid\":%u,", ts, bytes[4],
		      dur / 8, dur % 8, 1u + bytes[4] % 2);
	switch (kind) {
	case 0:
	case 1:
	case 2:
		name = bytes[5] % 8;
		while (maker->kernels[name] == SAMPLED)
			name = (name + 1) % 8;
		maker->kernels[name]++;
		buffer_printf(
		    out, "\"pid\":0,\"cat\":\"kernel\",\"name\":\"%s\",\"args\":{\"stream\":%u",
		    kernel_names[name], bytes[4] / 2u % 4);
		if (bytes[2] & 128)
			buffer_printf(out, ",\"correlation\":%u", 100 + id);
		if (bytes[2] & 64)
			buffer_printf(out, ",\"External id\":%u", id);
		buffer_add_string(out, "}}");
		break;
	case 3:
		buffer_printf(
		    out,
		    "\"pid\":1,\"cat\":\"cpu_op\",\"name\":\"%s\",\"args\":{\"External id\":%u}}",
		    op_names[bytes[5] % 4], id);
		break;
	case 4:
		buffer_printf(out,
			      "\"pid\":1,\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\","
			      "\"args\":{\"correlation\":%u,\"External id\":%u}}",
			      100 + id, id);
		break;
	case 5:
	case 6:
		buffer_printf(out, "\"pid\":1,\"cat\":\"python_function\",\"name\":\"%s\"}",
			      frame_names[bytes[5] % 6]);
		break;
	default:
		buffer_printf(
		    out, "\"pid\":1,\"cat\":\"%suser_annotation\",\"name\":\"%s\",\"args\":{%s%u}}",
		    bytes[2] & 64 ? "gpu_" : "", bytes[5] % 2 ? "decode" : "prefill",
		    bytes[2] & 128 ? "\"External id\":" : "\"x\":", id);
	}
}

/* The events in the order of the input, or in one that its last bytes decide. */
static void make_trace(struct buffer *out, const uint8_t *data, size_t events, bool shuffled)
{
	size_t order[EVENTS_MAX], lines[EVENTS_MAX + 1];
	struct maker maker = {.text = BUFFER_INIT};

	for (size_t i = 0; i < events; i++) {
		lines[i] = maker.text.length;
		add_event(&maker, data + i * EVENT_BYTES, i);
		order[i] = i;
	}
	lines[events] = maker.text.length;
	for (size_t i = events; shuffled && i > 1; i--) {
		size_t other = data[(i - 1) * EVENT_BYTES + 5] * 7u % i, swap = order[i - 1];

		order[i - 1] = order[other];
		order[other] = swap;
	}
	buffer_clear(out);
	buffer_add_char(out, '[');
	for (size_t i = 0; i < events; i++) {
		buffer_add(out, maker.text.data + lines[order[i]],
			   lines[order[i] + 1] - lines[order[i]]);
		buffer_add_char(out, i + 1 < events ? ',' : '\n');
	}
	buffer_add_char(out, ']');
	buffer_release(&maker.text);
}

struct stage {
	tool_main *tool;
	const char *command;
};

/* The same in two ways; in the second, tpa-overlap holds only what runs. */
static const struct stage stages[2][5] = {
    {
	{tpa_extract_main, "tpa-extract -j 1"},
	{tpa_classify_main, "tpa-classify"},
	{tpa_overlap_main, "tpa-overlap"},
	{tpa_srcmap_main, "tpa-srcmap"},
	{tpa_rank_main, "tpa-rank -a -t"},
    },
    {
	{tpa_extract_main, "tpa-extract -j 1 --sort"},
	{tpa_classify_main, "tpa-classify"},
	{tpa_srcmap_main, "tpa-srcmap"},
	{tpa_overlap_main, "tpa-overlap --sorted"},
	{tpa_rank_main, "tpa-rank -a -t"},
    },
};

static void run_stages(struct buffer *records, const struct buffer *trace, int way)
{
	struct run run = {0};

	buffer_clear(records);
	buffer_add(records, trace->data, trace->length);
	for (int i = 0; i < 5; i++) {
		const struct stage *stage = &stages[way][i];
		struct buffer swap;

		run_tool(&run, stage->tool, stage->command, records->data, records->length);
		if (i && run.status != TPA_DONE)
			broken(stage->command, run.said.data, run.said.length);
		check_records(&run.out);
		swap = *records;
		*records = run.out;
		run.out = swap;
	}
	run_release(&run);
}

/* All formats but those that only show the fields. */
static void show(const struct buffer *records, uint8_t choice)
{
	static const char *const commands[] = {
	    "tpa-fmt",	       "tpa-fmt -f text",   "tpa-fmt -f svg",
	    "tpa-fmt -f html", "tpa-fmt -f chrome", "tpa-fmt -f folded --weight hidden",
	    "tpa-fmt -f md",   "tpa-fmt -f jsonl",
	};
	struct run run = {0};

	run_tool(&run, tpa_fmt_main, commands[choice % 8], records->data, records->length);
	if (run.status != TPA_DONE && run.status != TPA_FAILED)
		broken(commands[choice % 8], run.said.data, run.said.length);
	if (!is_plain_text(&run.out))
		broken("no plain text", run.out.data, run.out.length);
	run_release(&run);
}

struct line {
	const char *text;
	size_t length;
};

static int by_text(const void *a, const void *b, const void *context)
{
	const struct line *left = a, *right = b;
	size_t shorter = left->length < right->length ? left->length : right->length;
	int order = memcmp(left->text, right->text, shorter);

	(void)context;
	return order ? order : (left->length > right->length) - (left->length < right->length);
}

/* Which columns hold an order, or were decided by one: idx, order, suggestion. */
static bool is_of_order(const char *line, int column)
{
	static const struct {
		const char *type;
		int column;
	} columns[] = {{"kernel", 4}, {"cover", 4}, {"total", 4}, {"action", 4}, {"action", 19}};

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (!strncmp(line, columns[i].type, strlen(columns[i].type)) &&
		    columns[i].column == column)
			return true;
	return false;
}

/* The figures of kernels, windows, source maps and rankings, sorted. */
static void sort_figures(struct buffer *out, const struct buffer *records)
{
	struct buffer plain = BUFFER_INIT;
	struct line *lines = NULL;
	size_t capacity = 0, count = 0, at = 0;
	const char *end;

	for (const char *line = records->data; line && line < records->data + records->length;
	     line = end + 1) {
		int column = 0;

		end = memchr(line, '\n', (size_t)(records->data + records->length - line));
		if (!strchr("kwsta", *line) || !strncmp(line, "span", 4))
			continue;
		for (const char *c = line; c <= end; c++) {
			column += *c == '\t';
			if (*c == '\t' || *c == '\n' || !is_of_order(line, column))
				buffer_add_char(&plain, *c);
		}
	}
	while (at < plain.length) {
		const char *from = plain.data + at;

		end = memchr(from, '\n', plain.length - at);
		lines = xgrow(lines, &capacity, count + 1, sizeof(*lines));
		lines[count++] = (struct line){from, (size_t)(end + 1 - from)};
		at += (size_t)(end + 1 - from);
	}
	if (count)
		stable_sort(lines, count, sizeof(*lines), by_text, NULL);
	for (size_t i = 0; i < count; i++)
		buffer_add(out, lines[i].text, lines[i].length);
	free(lines);
	buffer_release(&plain);
}

static void compare(const struct buffer *a, const struct buffer *b)
{
	size_t at = 0;

	if (same_buffers(a, b))
		return;
	while (at < a->length && at < b->length && a->data[at] == b->data[at])
		at++;
	while (at && a->data[at - 1] != '\n')
		at--;
	broken("the order of events changes figures", a->data + at, a->length - at);
}

static void run_made(const uint8_t *data, size_t size)
{
	struct buffer trace = BUFFER_INIT, records = BUFFER_INIT,
		      figures[2] = {BUFFER_INIT, BUFFER_INIT};
	size_t events = size / EVENT_BYTES;

	if (events > EVENTS_MAX)
		events = EVENTS_MAX;
	for (int way = 0; way < 2; way++) {
		make_trace(&trace, data, events, way == 1);
		run_stages(&records, &trace, way);
		sort_figures(&figures[way], &records);
	}
	compare(&figures[0], &figures[1]);
	show(&records, size ? data[size - 1] : 0);
	buffer_release(&trace);
	buffer_release(&records);
	buffer_release(&figures[0]);
	buffer_release(&figures[1]);
}

static void run_given(const uint8_t *data, size_t size)
{
	struct buffer trace = BUFFER_INIT, records = BUFFER_INIT;

	buffer_add(&trace, data, size);
	run_stages(&records, &trace, data[size - 1] % 2);
	show(&records, data[size - 1]);
	buffer_release(&trace);
	buffer_release(&records);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size && (data[0] == '{' || data[0] == '['))
		run_given(data, size);
	else
		run_made(data, size);
	return 0;
}
