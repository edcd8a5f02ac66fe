#include "extract_records.h"

#include "text.h"

#include <string.h>

/* A label's clash with that of an earlier trace of the same run. */
static bool label_is_free(struct extract *extract, const char *label, size_t length)
{
	uint32_t id = intern(&extract->labels->seen, label, length);

	if (id >= extract->labels->of_earlier)
		return true;
	diag_error("%s: a second trace of rank \"%.*s\": give each trace its own label with -l",
		   extract->name, (int)text_prefix(label, length, 80), label);
	extract->failed = true;
	extract->scan.stop = true;
	return false;
}

void extract_add_argument(struct buffer *escaped, const char *text)
{
	struct buffer plain = BUFFER_INIT;

	text_repair(&plain, text, strlen(text));
	text_escape(escaped, plain.data, plain.length);
	buffer_release(&plain);
}

void extract_begin(struct extract *extract)
{
	const char *label = extract->given_label ? extract->given_label
			    : extract->rank.length ? NULL
						   : extract->place;

	if (label)
		extract_add_argument(&extract->label, label);
	else
		text_escape(&extract->label, extract->rank.data, extract->rank.length);
	extract->begun = true;
	if (!TEXT_IS(extract->label.data, extract->label.length, "-"))
		label_is_free(extract, extract->label.data, extract->label.length);
}

struct field extract_label(const struct extract *extract, uint32_t tag)
{
	const struct interned *item = &extract->kernels.tags.item[tag];

	if (!tag)
		return (struct field){extract->label.data, extract->label.length};
	return (struct field){item->text, item->length};
}

static struct known_thread *find_thread(struct extract *extract, const struct trace_event *event)
{
	struct known_thread *thread;
	const struct interned *tag;

	if (known_threads_is_last(&extract->threads, event))
		return extract->threads.last;
	thread = known_threads_find(&extract->threads, &extract->kernels, event, &extract->label);
	while (extract->tags < extract->kernels.tags.count) {
		extract->written = xgrow(extract->written, &extract->written_capacity,
					 extract->tags + 1, sizeof(*extract->written));
		extract->written[extract->tags] = (struct written){0};
		tag = &extract->kernels.tags.item[extract->tags];
		if (extract->tags++)
			label_is_free(extract, tag->text, tag->length);
	}
	return thread;
}

/* A time that stands in the trace just as records have it is copied. */
static void put_time(struct record_writer *out, const struct json_slice *slice, int64_t ns)
{
	const char *text = slice->text;

	if (slice->kind == JSON_BARE && slice->length > 4 && text[slice->length - 4] == '.' &&
	    ((text[0] >= '1' && text[0] <= '9') || (text[0] == '0' && slice->length == 5)))
		record_put_escaped(out, text, slice->length);
	else
		record_put_time(out, ns);
}

void extract_end_record(struct extract *extract, enum record_type type, uint32_t tag)
{
	struct record_writer *out = extract->out;

	if (out->buffer.length - out->whole > RECORD_LENGTH_MAX) {
		out->buffer.length = out->whole;
		extract->too_long++;
		return;
	}
	extract->written[tag].records[type]++;
	record_end(out);
}

/* Begins a record of the CPU side if its type is wanted. */
static bool begin_record(struct extract *extract, enum record_type type,
			 const struct known_thread *thread, const struct trace_event *event,
			 int64_t ts, int64_t dur)
{
	if (!(extract->options->types & RECORD_BIT(type)))
		return false;
	record_begin(extract->out, type);
	record_put_escaped(extract->out, thread->head.data, thread->head.length);
	put_time(extract->out, &event->field[EVENT_TS], ts);
	put_time(extract->out, &event->field[EVENT_DUR], dur);
	return true;
}

static struct event_ids take_ids(struct extract *extract, const struct trace_event *event)
{
	struct event_ids ids = event_ids(event);

	if (ids.corr && ids.ext) {
		struct id_link link = {ids.corr, ids.ext, find_thread(extract, event)->tag, false};

		kernels_link(&extract->kernels, &link);
	}
	return ids;
}

static uint32_t intern_text(struct extract *extract, const struct json_slice *slice)
{
	struct buffer plain = BUFFER_INIT;
	int64_t number;
	uint32_t id;

	/* a number needs no escaping */
	if (slice->kind == JSON_BARE && number_int(slice->text, slice->length, &number))
		return intern_next(&extract->kernels.texts, &extract->last_stream, slice->text,
				   slice->length);
	buffer_clear(&extract->work);
	json_text(&plain, slice);
	text_escape(&extract->work, plain.data, plain.length);
	id = intern(&extract->kernels.texts, extract->work.data, extract->work.length);
	buffer_release(&plain);
	return id;
}

/* An absent stream, null or "" is none; stream 0 is one. */
static uint32_t find_stream(struct extract *extract, const struct trace_event *event)
{
	static const enum event_field fields[] = {EVENT_STREAM, EVENT_CUDA_STREAM, EVENT_QUEUE};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct json_slice *slice = &event->field[fields[i]];

		if (event->have & EVENT_BIT(fields[i]) && slice->length && !slice_is_null(slice))
			return intern_text(extract, slice);
	}
	return INTERN_NONE;
}

/* What all kernels of the thread, and all of the category, have in common. */
static void prepare_kernels(struct extract *extract, struct known_thread *thread,
			    struct category *category)
{
	struct kernels *kernels = &extract->kernels;

	if (thread->process == INTERN_NONE) {
		buffer_clear(&extract->work);
		text_escape(&extract->work, thread->tid.data, thread->tid.length);
		thread->process = kernels_process(kernels, thread->pid.data, thread->pid.length);
		thread->kernel_tid =
			intern(&kernels->texts, extract->work.data, extract->work.length);
	}
	if (category->kernel_kind == INTERN_NONE)
		category->kernel_kind =
			intern(&kernels->texts, category->kind.data, category->kind.length);
}

static void take_kernel(struct extract *extract, const struct trace_event *event,
			struct category *category, struct known_thread *thread,
			const struct kernel *times)
{
	const struct cached_name *name = name_cache_get(&extract->names, NAME_KERNEL,
							trace_event_field(event, EVENT_NAME));
	struct kernel kernel = *times;

	if (name->facts & NAME_NO_KERNEL)
		return;
	if (!(category->facts & CATEGORY_GPU) &&
	    (name->facts & NAME_SCOPE_LIKE || !(name->facts & NAME_HINTS)))
		return;
	prepare_kernels(extract, thread, category);
	kernel.name = name->id;
	kernel.pid = thread->process;
	kernel.tid = thread->kernel_tid;
	kernel.kind = category->kernel_kind;
	kernel.stream = find_stream(extract, event);
	kernels_add(&extract->kernels, &kernel);
}

/* The CPU side's record of the event, if it is of a type that there is one for. */
static void put_cpu_side(struct extract *extract, const struct trace_event *event,
			 const struct category *category, const struct known_thread *thread,
			 const struct event_ids *ids, int64_t ts, int64_t dur)
{
	const struct json_slice *slice = trace_event_field(event, EVENT_NAME);
	struct record_writer *out = extract->out;
	const struct cached_name *name;
	enum record_type type = RECORD_PYTHON;
	bool begun = false;

	if (category->facts & CATEGORY_PYTHON) {
		if (TEXT_STARTS(slice->text, slice->length, "<built-in method") && !slice->escaped &&
		    !memchr(slice->text, '(', slice->length))
			return;
		name = name_cache_get(&extract->names, NAME_FRAME, slice);
		extract->frameworks |= name->facts;
		if (name->facts & NAME_WORTHLESS)
			return;
		begun = begin_record(extract, type, thread, event, ts, dur);
	} else {
		name = name_cache_get(&extract->names, NAME_PLAIN, slice);
		if (category->facts & CATEGORY_CPU_OP) {
			type = RECORD_CPU_OP;
			begun = begin_record(extract, type, thread, event, ts, dur);
			if (begun)
				record_put_id(out, ids->ext);
		} else if (category->facts & (CATEGORY_CPU_SPAN | CATEGORY_GPU_SPAN)) {
			type = RECORD_SPAN;
			begun = begin_record(extract, type, thread, event, ts, dur);
			if (begun) {
				record_put_id(out, ids->ext);
				record_put_escaped(out, category->facts & CATEGORY_GPU_SPAN ? "gpu" : "cpu",
						   3);
			}
		} else if (ids->corr && name->facts & NAME_LAUNCHES) {
			struct id_link link = {ids->corr, ids->ext, thread->tag, true};

			kernels_link(&extract->kernels, &link);
			type = RECORD_LAUNCH;
			begun = begin_record(extract, type, thread, event, ts, dur);
			if (begun) {
				record_put_id(out, ids->corr);
				record_put_id(out, ids->ext);
			}
		}
		if (category->facts & (CATEGORY_CPU_STAGE | CATEGORY_GPU_STAGE) &&
		    name->facts & (NAME_DECODE | NAME_EXTEND)) {
			struct stage_mark mark = {
				.ts = ts,
				.dur = dur,
				.ext = ids->ext,
				.stage = name->facts & NAME_DECODE ? STAGE_DECODE : STAGE_EXTEND,
				.on_gpu = category->facts & CATEGORY_GPU_STAGE,
			};

			kernels_annotate(&extract->kernels, thread->tag, &mark);
		}
	}
	if (!begun)
		return;
	record_put_escaped(out, name->text, name->text_length);
	extract_end_record(extract, type, thread->tag);
}

static void take_complete_event(struct extract *extract, const struct trace_event *event,
				const struct event_ids *ids)
{
	struct category *category;
	struct known_thread *thread;
	struct kernel times = {.ext = ids->ext, .corr = ids->corr};
	enum skip why;

	if (!event_times(event, &times.ts, &times.dur, &why)) {
		extract->skipped[why]++;
		return;
	}
	category = categories_find(&extract->categories, event);
	thread = find_thread(extract, event);
	if (category->facts & CATEGORY_CPU_SIDE)
		put_cpu_side(extract, event, category, thread, ids, times.ts, times.dur);
	if (category->facts & CATEGORY_NO_KERNEL)
		return;
	if (category->facts & CATEGORY_GPU ||
	    event->have & (EVENT_BIT(EVENT_STREAM) | EVENT_BIT(EVENT_CUDA_STREAM)))
		take_kernel(extract, event, category, thread, &times);
}

static void name_thread(struct extract *extract, const struct trace_event *event)
{
	const struct json_slice *slice = &event->field[EVENT_ARGS_NAME];
	const struct known_thread *thread = find_thread(extract, event);
	struct buffer key = BUFFER_INIT, name = BUFFER_INIT;

	if (!slice_is_null(slice))
		json_text(&name, slice);
	if (name.length) {
		text_escape(&key, thread->pid.data, thread->pid.length);
		buffer_add_char(&key, '\t');
		text_escape(&key, thread->tid.data, thread->tid.length);
		buffer_clear(&extract->work);
		text_escape(&extract->work, name.data, name.length);
		kernels_name_thread(&extract->kernels, key.data, key.length, extract->work.data,
				    extract->work.length);
	}
	buffer_release(&key);
	buffer_release(&name);
}

void extract_event(struct extract *extract, const struct trace_event *event)
{
	const struct json_slice *phase = &event->field[EVENT_PH];
	struct event_ids ids = {0, 0};

	if (extract->out->error) {
		extract->scan.stop = true;
		return;
	}
	if (event->have & (EVENT_BIT(EVENT_EXT) | EVENT_BIT(EVENT_EXT_LOWER) | EVENT_BIT(EVENT_CORR)))
		ids = take_ids(extract, event);
	if (!(event->have & EVENT_BIT(EVENT_PH)) || phase->length != 1 || phase->kind != JSON_TEXT)
		return;
	if (phase->text[0] == 'X')
		take_complete_event(extract, event, &ids);
	else if (phase->text[0] == 'M' && event->have & EVENT_BIT(EVENT_NAME) &&
		 event->have & EVENT_BIT(EVENT_ARGS_NAME) &&
		 TEXT_IS(event->field[EVENT_NAME].text, event->field[EVENT_NAME].length,
			 "thread_name"))
		name_thread(extract, event);
}

