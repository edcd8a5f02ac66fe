/*
 * The records as a trace again, which ui.perfetto.dev and chrome://tracing open.
 *
 * Kernels carry their category and figures as arguments; each process has a lane
 * "exposed", in which what is exposed stands once more, and a counter of the
 * streams that run exposed and hidden.  tpa-extract reads the same kernels out
 * of it.  Processes of a second and further ranks are tagged, "[1] 4002".
 *
 * Holds the kernels, about 300 bytes each; all else goes out as it comes.
 */
#include "fmt_formats.h"
#include "fmt_number.h"
#include "fmt_text.h"
#include "number.h"
#include "sort.h"
#include "text.h"

#include <stdlib.h>

struct chrome_kernel {
	size_t start, length; /* in `events` */
	int64_t idx;
	uint32_t process;
};

struct chrome {
	const struct request *request;
	struct shown_kernels kernels;
	struct intern processes; /* "RANK<TAB>PID" */
	struct buffer events;
	struct chrome_kernel *kernel;
	size_t kernel_capacity;
	struct buffer rank, base_time; /* of the first rank; fields */
	bool has_rank, begun;
	struct buffer line, work;
};

static void *open_chrome(const struct request *request)
{
	struct chrome *chrome = xcalloc(1, sizeof(*chrome));

	chrome->request = request;
	return chrome;
}

/* A pid or the like: a number where it is one, else text. */
static void add_value(struct buffer *out, const char *plain, size_t length)
{
	int64_t number;
	char text[NUMBER_LENGTH];

	if (number_int(plain, length, &number) &&
	    !text_compare(plain, length, text, (size_t)(number_put_int(text, number) - text)))
		buffer_add(out, plain, length);
	else
		fmt_text_json(out, plain, length);
}

/* The rank stands before the events, where a reader wants it. */
static void put_head(struct chrome *chrome)
{
	struct buffer head = BUFFER_INIT;

	buffer_add_string(&head, "{\"schemaVersion\": 1, \"displayTimeUnit\": \"ms\"");
	if (chrome->has_rank && !TEXT_IS(chrome->rank.data, chrome->rank.length, "-")) {
		buffer_add_string(&head, ", \"distributedInfo\": {\"rank\": ");
		buffer_clear(&chrome->work);
		fmt_text_plain(&chrome->work, chrome->rank.data, chrome->rank.length);
		add_value(&head, chrome->work.data, chrome->work.length);
		buffer_add_char(&head, '}');
	}
	buffer_add_string(&head, ", \"traceEvents\": [\n");
	record_put_lines(chrome->request->out, head.data, head.length);
	chrome->begun = true;
	buffer_release(&head);
}

static void put_line(struct chrome *chrome, struct buffer *line)
{
	if (chrome->begun)
		record_put_lines(chrome->request->out, ",\n", 2);
	else
		put_head(chrome);
	record_put_lines(chrome->request->out, line->data, line->length);
	buffer_clear(line);
}

static void add_key(struct buffer *out, const char *key)
{
	buffer_printf(out, ", \"%s\": ", key);
}

static void add_field(struct chrome *chrome, struct buffer *out, const char *key,
		      struct field field)
{
	if (field_unknown(field))
		return;
	buffer_clear(&chrome->work);
	fmt_text_plain(&chrome->work, field.text, field.length);
	add_key(out, key);
	add_value(out, chrome->work.data, chrome->work.length);
}

static void add_time(struct buffer *out, const char *key, int64_t ns)
{
	add_key(out, key);
	fmt_time(out, ns);
}

/* The pid, with its rank's tag if that is not the first rank. */
static void add_pid(struct chrome *chrome, struct buffer *out, struct field rank, struct field pid)
{
	struct buffer plain = BUFFER_INIT;

	if (!chrome->has_rank)
		buffer_add(&chrome->rank, rank.text, rank.length);
	chrome->has_rank = true;
	fmt_text_plain(&plain, pid.text, pid.length);
	buffer_clear(&chrome->work);
	if (text_compare(rank.text, rank.length, chrome->rank.data, chrome->rank.length) &&
	    !(plain.length && plain.data[0] == '[')) {
		buffer_add_char(&chrome->work, '[');
		fmt_text_plain(&chrome->work, rank.text, rank.length);
		buffer_add_string(&chrome->work, "] ");
	}
	buffer_add(&chrome->work, plain.data, plain.length);
	add_key(out, "pid");
	add_value(out, chrome->work.data, chrome->work.length);
	buffer_release(&plain);
}

/* Where a type's record has what every event has. */
struct places {
	int tid, ts, dur, ext, corr, name;
};

static bool add_common(struct chrome *chrome, struct buffer *out, struct record *record,
		       const struct places *places, const char *category)
{
	int64_t ts, dur;

	if (!record_time(record, places->ts, &ts) || !record_time(record, places->dur, &dur))
		return false;
	buffer_add_string(out, "{\"ph\": \"X\", \"cat\": ");
	fmt_text_json(out, category, strlen(category));
	buffer_clear(&chrome->work);
	fmt_text_plain(&chrome->work, record->field[places->name].text,
		       record->field[places->name].length);
	if (record->type == RECORD_KERNEL)
		fmt_text_plain(&chrome->work, record->field[KERNEL_PARAMS].text,
			       record->field[KERNEL_PARAMS].length);
	add_key(out, "name");
	fmt_text_json(out, chrome->work.data, chrome->work.length);
	add_pid(chrome, out, record->field[1], record->field[2]);
	add_field(chrome, out, "tid", record->field[places->tid]);
	add_time(out, "ts", ts);
	add_time(out, "dur", dur);
	add_key(out, "args");
	buffer_add_string(out, "{\"from\": \"tpa\"");
	if (places->ext)
		add_field(chrome, out, "External id", record->field[places->ext]);
	if (places->corr)
		add_field(chrome, out, "correlation", record->field[places->corr]);
	return true;
}

static bool take_cpu_side(struct chrome *chrome, struct record *record)
{
	static const struct places cpu_op = {CPU_OP_TID, CPU_OP_TS, CPU_OP_DUR, CPU_OP_EXT, 0,
					     CPU_OP_NAME};
	static const struct places python = {PYTHON_TID, PYTHON_TS, PYTHON_DUR, 0, 0, PYTHON_NAME};
	static const struct places launch = {LAUNCH_TID, LAUNCH_TS,   LAUNCH_DUR,
					     LAUNCH_EXT, LAUNCH_CORR, LAUNCH_NAME};
	static const struct places span = {SPAN_TID, SPAN_TS, SPAN_DUR, SPAN_EXT, 0, SPAN_NAME};
	struct buffer *line = &chrome->line;
	bool sound;

	buffer_clear(line);
	switch (record->type) {
	case RECORD_CPU_OP:
		sound = add_common(chrome, line, record, &cpu_op, "cpu_op");
		break;
	case RECORD_PYTHON:
		sound = add_common(chrome, line, record, &python, "python_function");
		break;
	case RECORD_LAUNCH:
		sound = add_common(chrome, line, record, &launch, "cuda_runtime");
		break;
	default:
		sound = add_common(chrome, line, record, &span,
				   field_is(record->field[SPAN_SIDE], "gpu") ? "gpu_user_annotation"
									     : "user_annotation");
	}
	if (!sound)
		return false;
	buffer_add_string(line, "}}");
	put_line(chrome, line);
	return true;
}

static bool take_kernel(struct chrome *chrome, struct record *record)
{
	static const struct places places = {KERNEL_TID, KERNEL_TS,   KERNEL_DUR,
					     KERNEL_EXT, KERNEL_CORR, KERNEL_NAME};
	struct chrome_kernel kernel = {.start = chrome->events.length};
	struct field rank = record->field[KERNEL_RANK], pid = record->field[KERNEL_PID];
	struct buffer *out = &chrome->events, kind = BUFFER_INIT;
	bool sound;

	if (!shown_kernels_take(&chrome->kernels, record))
		return false;
	fmt_text_plain(&kind, record->field[KERNEL_KIND].text, record->field[KERNEL_KIND].length);
	buffer_add_char(&kind, '\0');
	sound = add_common(chrome, out, record, &places, kind.data);
	buffer_release(&kind);
	if (!sound)
		return false;
	add_field(chrome, out, "stream", record->field[KERNEL_STREAM]);
	add_field(chrome, out, "stage", record->field[KERNEL_STAGE]);
	add_field(chrome, out, "idx", record->field[KERNEL_IDX]);
	add_field(chrome, out, "category", record->field[KERNEL_CATEGORY]);
	add_field(chrome, out, "hidden us", record->field[KERNEL_HIDDEN]);
	add_field(chrome, out, "exclusive us", record->field[KERNEL_EXCLUSIVE]);
	add_field(chrome, out, "hidden by compute us", record->field[KERNEL_HIDDEN_COMPUTE]);
	buffer_add_string(out, "}}");
	kernel.length = out->length - kernel.start;
	kernel.idx = chrome->kernels.item[chrome->kernels.count - 1].idx;
	kernel.process = intern(&chrome->processes, rank.text,
				(size_t)(pid.text + pid.length - rank.text));
	chrome->kernel = xgrow(chrome->kernel, &chrome->kernel_capacity, chrome->kernels.count,
			       sizeof(*chrome->kernel));
	chrome->kernel[chrome->kernels.count - 1] = kernel;
	return true;
}

static bool take(void *state, struct record *record)
{
	struct chrome *chrome = state;

	switch (record->type) {
	case RECORD_KERNEL:
		return take_kernel(chrome, record);
	case RECORD_CPU_OP:
	case RECORD_PYTHON:
	case RECORD_LAUNCH:
	case RECORD_SPAN:
		return take_cpu_side(chrome, record);
	case RECORD_META:
		if (field_is(record->field[META_KEY], "base_time_ns") && !chrome->base_time.length)
			buffer_add(&chrome->base_time, record->field[META_VALUE].text,
				   record->field[META_VALUE].length);
		return true;
	default:
		return true;
	}
}

static int by_process_and_idx(const void *a, const void *b, const void *context)
{
	const struct chrome_kernel *left = a, *right = b;

	(void)context;
	if (left->process != right->process)
		return left->process < right->process ? -1 : 1;
	return (left->idx > right->idx) - (left->idx < right->idx);
}

/* tpa-extract counts idx in the order of the trace, which this restores. */
static void put_kernels(struct chrome *chrome)
{
	stable_sort(chrome->kernel, chrome->kernels.count, sizeof(*chrome->kernel),
		    by_process_and_idx, NULL);
	for (size_t i = 0; i < chrome->kernels.count; i++) {
		buffer_clear(&chrome->line);
		buffer_add(&chrome->line, chrome->events.data + chrome->kernel[i].start,
			   chrome->kernel[i].length);
		put_line(chrome, &chrome->line);
	}
}

/* The pid of a lane or group, "RANK<TAB>PID<TAB>...". */
static void add_pid_of(struct chrome *chrome, struct buffer *out, const struct interned *item)
{
	const char *pid = (const char *)memchr(item->text, '\t', item->length) + 1;
	const char *end = memchr(pid, '\t', (size_t)(item->text + item->length - pid));

	add_pid(chrome, out, (struct field){item->text, (size_t)(pid - 1 - item->text)},
		(struct field){pid, (size_t)(end - pid)});
}

static void put_exposure(struct chrome *chrome, const struct timeline_kernel *kernel, int64_t start,
			 int64_t end)
{
	const struct interned *name = &chrome->kernels.names.item[kernel->kernel->name];
	struct buffer *line = &chrome->line;

	buffer_clear(line);
	buffer_add_string(line, "{\"ph\": \"X\", \"cat\": \"tpa\", \"name\": ");
	buffer_clear(&chrome->work);
	fmt_text_plain(&chrome->work, name->text, name->length);
	fmt_text_json(line, chrome->work.data, chrome->work.length);
	add_pid_of(chrome, line, &chrome->kernels.lanes.item[kernel->kernel->lane]);
	buffer_add_string(line, ", \"tid\": \"exposed\"");
	add_time(line, "ts", start);
	add_time(line, "dur", end - start);
	buffer_printf(line, ", \"args\": {\"from\": \"tpa\", \"idx\": %lld}}",
		      (long long)kernel->kernel->idx);
	put_line(chrome, line);
}

/* What of a lane's kernels lies in its exposures; both go by time. */
static void put_exposures(struct chrome *chrome, const struct timeline_lane *lane)
{
	size_t kernel = 0;

	for (size_t i = 0; i < lane->exposures; i++) {
		const struct exposure *exposure = &lane->exposure[i];

		while (kernel < lane->kernels && lane->kernel[kernel].end <= exposure->start)
			kernel++;
		for (size_t k = kernel; k < lane->kernels && lane->kernel[k].ts < exposure->end; k++) {
			int64_t start = lane->kernel[k].ts, end = lane->kernel[k].end;

			start = start > exposure->start ? start : exposure->start;
			end = end < exposure->end ? end : exposure->end;
			if (end > start)
				put_exposure(chrome, &lane->kernel[k], start, end);
		}
	}
}

static void put_load(struct chrome *chrome, const struct load *load)
{
	struct buffer *line = &chrome->line;

	buffer_clear(line);
	buffer_add_string(line, "{\"ph\": \"C\", \"cat\": \"tpa\", \"name\": \"streams\"");
	add_pid_of(chrome, line, &chrome->kernels.groups.item[load->group]);
	add_time(line, "ts", load->time);
	buffer_printf(line, ", \"args\": {\"exposed\": %d, \"hidden\": %u}}", load->lanes == 1,
		      load->lanes > 1 ? load->lanes : 0);
	put_line(chrome, line);
}

static void put_end(struct chrome *chrome)
{
	struct buffer *line = &chrome->line;
	int64_t number;

	buffer_clear(line);
	if (!chrome->begun)
		put_head(chrome);
	buffer_add_string(line, "\n]");
	if (number_int(chrome->base_time.data, chrome->base_time.length, &number))
		buffer_printf(line, ", \"baseTimeNanoseconds\": %lld", (long long)number);
	buffer_add_string(line, "}\n");
	record_put_lines(chrome->request->out, line->data, line->length);
}

static void close_chrome(void *state)
{
	struct chrome *chrome = state;
	struct timeline timeline;

	put_kernels(chrome);
	if (chrome->kernels.count) {
		timeline_make(&timeline, &chrome->kernels, INT64_MIN, INT64_MAX);
		for (size_t i = 0; i < timeline.lanes; i++)
			put_exposures(chrome, &timeline.lane[i]);
		for (size_t i = 0; i < timeline.loads; i++)
			put_load(chrome, &timeline.load[i]);
		timeline_release(&timeline);
	}
	put_end(chrome);
	shown_kernels_release(&chrome->kernels);
	intern_release(&chrome->processes);
	buffer_release(&chrome->events);
	buffer_release(&chrome->rank);
	buffer_release(&chrome->base_time);
	buffer_release(&chrome->line);
	buffer_release(&chrome->work);
	free(chrome->kernel);
	free(chrome);
}

const struct format format_chrome = {"chrome", open_chrome, take, close_chrome};
