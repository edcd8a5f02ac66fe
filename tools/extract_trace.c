#include "extract_trace.h"

#include "extract_names.h"
#include "extract_threads.h"
#include "ranks.h"
#include "text.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

/* What an event's category says it is. */
enum category_fact {
	CATEGORY_CPU_OP = 1,
	CATEGORY_PYTHON = 2,
	CATEGORY_CPU_SPAN = 4,
	CATEGORY_GPU_SPAN = 8,
	CATEGORY_LAUNCH = 16,	   /* of a runtime or driver API */
	CATEGORY_GPU = 32,	   /* work on the GPU, whatever its name */
	CATEGORY_NO_KERNEL = 64,   /* never a kernel, whatever its name */
	CATEGORY_CPU_STAGE = 128,  /* its name may tell a stage */
	CATEGORY_GPU_STAGE = 256,
};

struct category {
	struct buffer key; /* as in the trace */
	struct buffer kind; /* folded, lowered, escaped */
	unsigned facts;
};

#define CATEGORIES 64

/* Why an event with a duration is not used. */
enum skip { SKIP_NO_TIME, SKIP_NOT_FINITE, SKIP_TOO_BIG, SKIP_ZERO, SKIP_NEGATIVE, SKIP_KINDS };

static const char *const skip_words[SKIP_KINDS] = {
	"ts or dur is missing or no number", "ts or dur is not finite", "ts or dur is out of range",
	"dur is zero", "dur is negative",
};

static const struct {
	unsigned fact;
	const char *word;
} frameworks[] = {
	{NAME_SGLANG, "sglang"},
	{NAME_VLLM, "vllm"},
	{NAME_TENSORRT_LLM, "tensorrt_llm"},
	{NAME_TOKENSPEED, "tokenspeed"},
};

struct written {
	int64_t records[RECORD_TYPE_COUNT];
};

struct extract {
	const struct extract_options *options;
	const char *name, *given_label, *place;
	struct extract_labels *labels;
	struct record_writer *out;
	struct trace_scan scan;
	struct buffer label; /* of the rank, escaped */
	struct buffer rank, world_size, base_time; /* as the trace has them */
	struct intern devices;
	bool begun, failed, late_rank;

	struct name_cache names;
	struct known_threads threads;
	struct category category[CATEGORIES];
	struct category *last_category;
	struct kernels kernels;
	struct buffer work;
	struct written *written; /* by tag */
	size_t written_capacity;
	uint32_t tags;
	uint64_t skipped[SKIP_KINDS];
	unsigned frameworks;
};

static bool slice_is_null(const struct json_slice *slice)
{
	return slice->kind == JSON_BARE && TEXT_IS(slice->text, slice->length, "null");
}


/* Text or number without white space around it, as numbers in text may have. */
static void trim(const struct json_slice *slice, const char **text, size_t *length)
{
	*text = slice->text;
	*length = slice->length;
	if (slice->kind == JSON_BARE)
		return;
	while (*length && ascii_is_space(**text)) {
		++*text;
		--*length;
	}
	while (*length && ascii_is_space((*text)[*length - 1]))
		--*length;
}

/* coerce_optional_int as amended: an id, or 0 for none. */
static int64_t event_id(const struct trace_event *event, enum event_field field)
{
	const struct json_slice *slice = &event->field[field];
	const char *text;
	size_t length;
	int64_t id = 0;

	if (!(event->have & EVENT_BIT(field)) || slice->kind == JSON_NESTED)
		return 0;
	trim(slice, &text, &length);
	if (number_int(text, length, &id))
		return id;
	if (slice->kind == JSON_BARE && number_integral(text, length, &id))
		return id;
	return 0;
}

static enum number_time event_time(const struct trace_event *event, enum event_field field,
				   int64_t *ns)
{
	const struct json_slice *slice = &event->field[field];
	const char *text;
	size_t length;

	if (!(event->have & EVENT_BIT(field)) || slice->kind == JSON_NESTED)
		return NUMBER_IS_NONE;
	trim(slice, &text, &length);
	return number_time(text, length, ns);
}

static bool looks_infinite(const struct json_slice *slice)
{
	const char *text;
	size_t length;

	trim(slice, &text, &length);
	if (length && (*text == '-' || *text == '+')) {
		text++;
		length--;
	}
	return length >= 3 && (!strncasecmp(text, "nan", 3) || !strncasecmp(text, "inf", 3));
}

static enum skip why_no_time(const struct trace_event *event)
{
	static const enum event_field fields[] = {EVENT_TS, EVENT_DUR};

	for (size_t i = 0; i < 2; i++)
		if (event->have & EVENT_BIT(fields[i]) && looks_infinite(&event->field[fields[i]]))
			return SKIP_NOT_FINITE;
	return SKIP_NO_TIME;
}

/* The times of an event that counts; else false, and the reason is counted. */
static bool take_times(struct extract *extract, const struct trace_event *event, int64_t *ts,
		       int64_t *dur)
{
	enum number_time start = event_time(event, EVENT_TS, ts);
	enum number_time length = event_time(event, EVENT_DUR, dur);
	enum skip why;

	if (start == NUMBER_IS_TIME && length == NUMBER_IS_TIME) {
		if (*dur > 0 && *ts <= TIME_MAX - *dur)
			return true;
		why = *dur > 0 ? SKIP_TOO_BIG : *dur ? SKIP_NEGATIVE : SKIP_ZERO;
	} else if (start == NUMBER_IS_NONE || length == NUMBER_IS_NONE) {
		why = why_no_time(event);
	} else {
		why = SKIP_TOO_BIG;
	}
	extract->skipped[why]++;
	return false;
}

/* The categories of traces of 2021. */
static void modernise(struct buffer *category)
{
	static const struct {
		const char *old, *now;
	} words[] = {
		{"operator", "cpu_op"},	   {"runtime", "cuda_runtime"}, {"kernel", "kernel"},
		{"memcpy", "gpu_memcpy"}, {"memset", "gpu_memset"},
	};
	struct buffer lowered = BUFFER_INIT;

	text_lower(&lowered, category->data, category->length);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (lowered.length == strlen(words[i].old) &&
		    !memcmp(lowered.data, words[i].old, lowered.length)) {
			buffer_clear(category);
			buffer_add_string(category, words[i].now);
		}
	buffer_release(&lowered);
}

static unsigned category_facts(const struct buffer *plain, const struct buffer *kind)
{
	const char *exact = plain->data, *text = kind->data;
	size_t exact_length = plain->length, length = kind->length;
	unsigned facts = 0;

	if (TEXT_IS(exact, exact_length, "cpu_op"))
		facts |= CATEGORY_CPU_OP;
	else if (TEXT_IS(exact, exact_length, "python_function"))
		facts |= CATEGORY_PYTHON;
	else if (TEXT_IS(exact, exact_length, "user_annotation"))
		facts |= CATEGORY_CPU_SPAN;
	else if (TEXT_IS(exact, exact_length, "gpu_user_annotation"))
		facts |= CATEGORY_GPU_SPAN;
	else if (TEXT_ENDS(text, length, "_runtime") || TEXT_ENDS(text, length, "_driver"))
		facts |= CATEGORY_LAUNCH;
	if (TEXT_CONTAINS(text, length, "kernel") || TEXT_STARTS(text, length, "gpu_"))
		facts |= CATEGORY_GPU;
	if (TEXT_CONTAINS(text, length, "python_function") || TEXT_CONTAINS(text, length, "cpu_op") ||
	    TEXT_CONTAINS(text, length, "trace") || TEXT_CONTAINS(text, length, "annotation"))
		facts |= CATEGORY_NO_KERNEL;
	if (TEXT_IS(text, length, "user_annotation"))
		facts |= CATEGORY_CPU_STAGE;
	if (TEXT_IS(text, length, "gpu_user_annotation"))
		facts |= CATEGORY_GPU_STAGE;
	return facts;
}

static void fill_category(struct category *category, const struct json_slice *slice)
{
	struct buffer plain = BUFFER_INIT, folded = BUFFER_INIT;

	buffer_clear(&category->key);
	buffer_clear(&category->kind);
	buffer_room(&category->key, 1);
	buffer_add(&category->key, slice->text, slice->length);
	json_text(&plain, slice);
	modernise(&plain);
	text_fold(&folded, plain.data, plain.length);
	for (size_t i = 0; i < folded.length; i++)
		folded.data[i] = ascii_lower(folded.data[i]);
	category->facts = category_facts(&plain, &folded);
	text_escape(&category->kind, folded.data, folded.length);
	buffer_release(&plain);
	buffer_release(&folded);
}

static bool is_category(const struct category *category, const struct json_slice *slice)
{
	return category->key.length == slice->length &&
	       !memcmp(category->key.data, slice->text, slice->length);
}

static const struct category *find_category(struct extract *extract, const struct trace_event *event)
{
	static const struct json_slice none = {"", 0, JSON_TEXT, false};
	const struct json_slice *slice =
		event->have & EVENT_BIT(EVENT_CAT) ? &event->field[EVENT_CAT] : &none;
	struct category *category = extract->last_category;

	if (category && is_category(category, slice))
		return category;
	category = &extract->category[(hash_bytes(slice->text, slice->length) >> 32) % CATEGORIES];
	if (!category->key.data || !is_category(category, slice))
		fill_category(category, slice);
	extract->last_category = category;
	return category;
}

/* A label's clash with that of an earlier trace of the same run. */
static bool label_is_free(struct extract *extract, const char *label, size_t length)
{
	uint32_t id = intern(&extract->labels->seen, label, length);

	if (id >= extract->labels->of_earlier)
		return true;
	diag_error("%s: a second trace of rank \"%.*s\": give each trace its own label with -l",
		   extract->name, (int)length, label);
	extract->failed = true;
	extract->scan.stop = true;
	return false;
}

static void begin(void *context)
{
	struct extract *extract = context;
	const char *label = extract->given_label ? extract->given_label
			    : extract->rank.length ? NULL
						   : extract->place;

	if (label)
		text_escape(&extract->label, label, strlen(label));
	else
		text_escape(&extract->label, extract->rank.data, extract->rank.length);
	extract->begun = true;
	if (!TEXT_IS(extract->label.data, extract->label.length, "-"))
		label_is_free(extract, extract->label.data, extract->label.length);
}

static const struct known_thread *find_thread(struct extract *extract,
					      const struct trace_event *event)
{
	const struct known_thread *thread = known_threads_find(&extract->threads, &extract->kernels,
							       event, &extract->label);
	const struct interned *tag;

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

/* Begins a record of the CPU side if its type is wanted, and counts it. */
static bool begin_record(struct extract *extract, enum record_type type,
			 const struct known_thread *thread, const struct trace_event *event,
			 int64_t ts, int64_t dur)
{
	if (!(extract->options->types & RECORD_BIT(type)))
		return false;
	extract->written[thread->tag].records[type]++;
	record_begin(extract->out, type);
	record_put_escaped(extract->out, thread->head.data, thread->head.length);
	put_time(extract->out, &event->field[EVENT_TS], ts);
	put_time(extract->out, &event->field[EVENT_DUR], dur);
	return true;
}

static void put_id(struct record_writer *out, int64_t id)
{
	if (id)
		record_put_int(out, id);
	else
		record_put_unknown(out);
}

struct event_ids {
	int64_t ext, corr;
};

static struct event_ids take_ids(struct extract *extract, const struct trace_event *event)
{
	enum event_field field = event->have & EVENT_BIT(EVENT_EXT) ? EVENT_EXT : EVENT_EXT_LOWER;
	struct event_ids ids = {event_id(event, field), event_id(event, EVENT_CORR)};

	/* numbered apart from CPU ops: no External id at all */
	if (ids.corr && ids.ext == ids.corr)
		ids.ext = 0;
	if (ids.corr && ids.ext) {
		struct id_link link = {ids.corr, ids.ext, find_thread(extract, event)->tag, false};

		kernels_link(&extract->kernels, &link);
	}
	return ids;
}

static uint32_t intern_text(struct extract *extract, const struct json_slice *slice)
{
	buffer_clear(&extract->work);
	if (slice->kind == JSON_BARE && slice->length < 20)
		return intern(&extract->kernels.texts, slice->text, slice->length);

	struct buffer plain = BUFFER_INIT;
	uint32_t id;

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

static void take_kernel(struct extract *extract, const struct trace_event *event,
			const struct category *category, const struct known_thread *thread,
			const struct kernel *times)
{
	static const struct json_slice none = {"", 0, JSON_TEXT, false};
	const struct cached_name *name = name_cache_get(
		&extract->names, NAME_KERNEL,
		event->have & EVENT_BIT(EVENT_NAME) ? &event->field[EVENT_NAME] : &none);
	struct kernel kernel = *times;

	if (name->facts & NAME_NO_KERNEL)
		return;
	if (!(category->facts & CATEGORY_GPU) &&
	    (name->facts & NAME_SCOPE_LIKE || !(name->facts & NAME_HINTS)))
		return;
	kernel.name = name->id;
	kernel.pid = kernels_process(&extract->kernels, thread->pid.data, thread->pid.length);
	buffer_clear(&extract->work);
	text_escape(&extract->work, thread->tid.data, thread->tid.length);
	kernel.tid = intern(&extract->kernels.texts, extract->work.data, extract->work.length);
	kernel.kind = intern(&extract->kernels.texts, category->kind.data, category->kind.length);
	kernel.stream = find_stream(extract, event);
	kernels_add(&extract->kernels, &kernel);
}

/* The CPU side's record of the event, if it is of a type that there is one for. */
static void put_cpu_side(struct extract *extract, const struct trace_event *event,
			 const struct category *category, const struct known_thread *thread,
			 const struct event_ids *ids, int64_t ts, int64_t dur)
{
	static const struct json_slice none = {"", 0, JSON_TEXT, false};
	const struct json_slice *slice =
		event->have & EVENT_BIT(EVENT_NAME) ? &event->field[EVENT_NAME] : &none;
	struct record_writer *out = extract->out;
	const struct cached_name *name;
	bool begun = false;

	if (category->facts & CATEGORY_PYTHON) {
		if (TEXT_STARTS(slice->text, slice->length, "<built-in method") &&
		    !memchr(slice->text, '(', slice->length))
			return;
		name = name_cache_get(&extract->names, NAME_FRAME, slice);
		extract->frameworks |= name->facts;
		if (name->facts & NAME_WORTHLESS)
			return;
		begun = begin_record(extract, RECORD_PYTHON, thread, event, ts, dur);
	} else {
		name = name_cache_get(&extract->names, NAME_PLAIN, slice);
		if (category->facts & CATEGORY_CPU_OP) {
			begun = begin_record(extract, RECORD_CPU_OP, thread, event, ts, dur);
			if (begun)
				put_id(out, ids->ext);
		} else if (category->facts & (CATEGORY_CPU_SPAN | CATEGORY_GPU_SPAN)) {
			begun = begin_record(extract, RECORD_SPAN, thread, event, ts, dur);
			if (begun) {
				put_id(out, ids->ext);
				record_put_escaped(out, category->facts & CATEGORY_GPU_SPAN ? "gpu" : "cpu",
						   3);
			}
		} else if (ids->corr && name->facts & NAME_LAUNCHES) {
			struct id_link link = {ids->corr, ids->ext, thread->tag, true};

			kernels_link(&extract->kernels, &link);
			begun = begin_record(extract, RECORD_LAUNCH, thread, event, ts, dur);
			if (begun) {
				put_id(out, ids->corr);
				put_id(out, ids->ext);
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
	record_end(out);
}

static void take_complete_event(struct extract *extract, const struct trace_event *event,
				const struct event_ids *ids)
{
	static const unsigned cpu_side = CATEGORY_CPU_OP | CATEGORY_PYTHON | CATEGORY_CPU_SPAN |
					 CATEGORY_GPU_SPAN | CATEGORY_LAUNCH | CATEGORY_CPU_STAGE |
					 CATEGORY_GPU_STAGE;
	const struct category *category;
	const struct known_thread *thread;
	struct kernel times = {.ext = ids->ext, .corr = ids->corr};

	if (!take_times(extract, event, &times.ts, &times.dur))
		return;
	category = find_category(extract, event);
	thread = find_thread(extract, event);
	if (category->facts & cpu_side)
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

static void take_event(void *context, const struct trace_event *event)
{
	struct extract *extract = context;
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

static void set_text(struct buffer *out, struct json_object *value)
{
	const char *text = value ? json_object_get_string(value) : NULL;

	buffer_clear(out);
	if (text)
		text_repair(out, text, strlen(text));
}

static void take_distributed_info(struct extract *extract, struct json_object *info)
{
	struct buffer before = BUFFER_INIT;

	buffer_add(&before, extract->rank.data, extract->rank.length);
	set_text(&extract->rank, json_object_object_get(info, "rank"));
	set_text(&extract->world_size, json_object_object_get(info, "world_size"));
	extract->late_rank = extract->begun && !extract->given_label &&
			     text_compare(before.data, before.length, extract->rank.data,
					  extract->rank.length);
	buffer_release(&before);
}

static void take_devices(struct extract *extract, struct json_object *devices)
{
	for (size_t i = 0; i < json_object_array_length(devices); i++) {
		struct json_object *device = json_object_array_get_idx(devices, i), *name;

		if (json_object_is_type(device, json_type_object) &&
		    json_object_object_get_ex(device, "name", &name) && name &&
		    json_object_get_string_len(name) > 0) {
			struct buffer text = BUFFER_INIT;

			set_text(&text, name);
			intern(&extract->devices, text.data, text.length);
			buffer_release(&text);
		}
	}
}

/* A top-level value other than the events; json-c reads the few that matter. */
static void take_value(void *context, const char *key, const char *text, size_t length)
{
	struct extract *extract = context;
	struct json_tokener *tokener;
	struct json_object *value;

	if (strcmp(key, "distributedInfo") && strcmp(key, "deviceProperties") &&
	    strcmp(key, "baseTimeNanoseconds"))
		return;
	tokener = json_tokener_new();
	if (!tokener)
		diag_die("out of memory");
	value = json_tokener_parse_ex(tokener, text, (int)length);
	if (!value && json_tokener_get_error(tokener) == json_tokener_continue)
		value = json_tokener_parse_ex(tokener, " ", 1);
	if (!strcmp(key, "baseTimeNanoseconds"))
		set_text(&extract->base_time, value);
	else if (json_object_is_type(value, json_type_object))
		take_distributed_info(extract, value);
	else if (json_object_is_type(value, json_type_array))
		take_devices(extract, value);
	json_object_put(value);
	json_tokener_free(tokener);
}

/* The text of a rank's label, escaped. */
static struct field tag_label(const struct extract *extract, uint32_t tag)
{
	const struct interned *item = &extract->kernels.tags.item[tag];

	if (!tag)
		return (struct field){extract->label.data, extract->label.length};
	return (struct field){item->text, item->length};
}

static void put_kernels(struct extract *extract)
{
	const struct kernels *kernels = &extract->kernels;
	struct record_writer *out = extract->out;
	const char *own = extract->options->stage;
	bool stage_given = own && strcmp(own, "all");

	for (size_t i = 0; i < kernels->count && !out->error; i++) {
		const struct kernel *kernel = &kernels->item[i];
		const struct process *process = &kernels->process[kernel->pid];
		const struct interned *pid = &kernels->pids.item[kernel->pid];
		const struct interned *tid = &kernels->texts.item[kernel->tid];
		const struct interned *stream = &kernels->texts.item[kernel->stream];
		const struct interned *kind = &kernels->texts.item[kernel->kind];
		const struct interned *name = &extract->names.kernels.item[kernel->name];
		const char *stage = stage_given ? own : kernel_stage_names[kernel->stage];

		extract->written[process->tag].records[RECORD_KERNEL]++;
		record_begin(out, RECORD_KERNEL);
		record_put_field(out, tag_label(extract, process->tag));
		record_put_text(out, pid->text, pid->length);
		record_put_text(out, stage, strlen(stage));
		record_put_int(out, kernel->idx);
		record_put_escaped(out, tid->text, tid->length);
		record_put_escaped(out, stream->text, stream->length);
		record_put_time(out, kernel->ts);
		record_put_time(out, kernel->dur);
		put_id(out, kernel->ext);
		put_id(out, kernel->corr);
		record_put_escaped(out, kind->text, kind->length);
		record_put_escaped(out, "-\t-\t-\t-", 7);
		record_put_escaped(out, name->text, name->length);
		record_end(out);
	}
}

static void put_meta(struct extract *extract, uint32_t tag, const char *key, const char *value,
		     size_t length)
{
	record_begin(extract->out, RECORD_META);
	record_put_field(extract->out, tag_label(extract, tag));
	record_put_text(extract->out, key, strlen(key));
	record_put_text(extract->out, value, length);
	record_end(extract->out);
}

static void put_meta_number(struct extract *extract, uint32_t tag, const char *key, int64_t value)
{
	char text[NUMBER_LENGTH];

	put_meta(extract, tag, key, text, (size_t)(number_put_int(text, value) - text));
}

static void put_meta_processes(struct extract *extract, uint32_t tag)
{
	const struct kernels *kernels = &extract->kernels;
	struct buffer text = BUFFER_INIT;

	for (uint32_t id = 0; id < kernels->pids.count; id++) {
		const struct process *process = &kernels->process[id];
		const struct interned *pid = &kernels->pids.item[id];

		if (process->tag != tag || !process->kernels)
			continue;
		buffer_clear(&text);
		buffer_room(&text, NUMBER_LENGTH);
		text.length = (size_t)(number_put_time(text.data, process->total) - text.data);
		buffer_add_char(&text, ' ');
		buffer_add(&text, pid->text, pid->length);
		put_meta(extract, tag, process->kept ? "process" : "process_left_out", text.data,
			 text.length);
	}
	buffer_release(&text);
}

/* What a stage further on, or a person, may want to know of the trace; `end` comes last. */
static void put_meta_of_rank(struct extract *extract, uint32_t tag)
{
	static const enum record_type counted[] = {RECORD_CPU_OP, RECORD_PYTHON, RECORD_LAUNCH,
						   RECORD_SPAN, RECORD_KERNEL};
	struct buffer text = BUFFER_INIT;

	put_meta(extract, tag, "trace", extract->name, strlen(extract->name));
	put_meta_number(extract, tag, "events", (int64_t)extract->scan.events);
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
		put_meta_number(extract, tag, ranks_key(counted[i]),
				extract->written[tag].records[counted[i]]);
	for (int i = 0; i < SKIP_KINDS; i++) {
		if (!extract->skipped[i])
			continue;
		buffer_clear(&text);
		buffer_printf(&text, "%llu %s", (unsigned long long)extract->skipped[i], skip_words[i]);
		put_meta(extract, tag, "skipped", text.data, text.length);
	}
	put_meta_processes(extract, tag);
	if (extract->base_time.length)
		put_meta(extract, tag, "base_time_ns", extract->base_time.data,
			 extract->base_time.length);
	if (extract->world_size.length)
		put_meta(extract, tag, "world_size", extract->world_size.data,
			 extract->world_size.length);
	for (uint32_t id = 0; id < extract->devices.count; id++)
		put_meta(extract, tag, "device", extract->devices.item[id].text,
			 extract->devices.item[id].length);
	for (size_t i = 0; i < sizeof(frameworks) / sizeof(frameworks[0]); i++)
		if (extract->frameworks & frameworks[i].fact)
			put_meta(extract, tag, "framework", frameworks[i].word,
				 strlen(frameworks[i].word));
	put_meta_number(extract, tag, "end", (int64_t)extract->scan.events);
	buffer_release(&text);
}

/* A rank that is but the trace's own, though all its processes are of tagged ones, is none. */
static bool has_records(const struct extract *extract, uint32_t tag)
{
	for (int type = 0; type < RECORD_TYPE_COUNT; type++)
		if (extract->written[tag].records[type])
			return true;
	return tag || extract->tags <= 1;
}

static void finish(struct extract *extract)
{
	struct kernels_choice choice = extract->options->choice;

	if (!extract->options->stage)
		choice.stage = stage_from_path(extract->name);
	kernels_choose(&extract->kernels, &choice);
	if (!extract->tags) {
		extract->written = xgrow(extract->written, &extract->written_capacity, 1,
					 sizeof(*extract->written));
		extract->written[extract->tags++] = (struct written){0};
	}
	if (extract->options->types & RECORD_BIT(RECORD_KERNEL))
		put_kernels(extract);
	if (extract->options->types & RECORD_BIT(RECORD_META))
		for (uint32_t tag = 0; tag < extract->tags; tag++)
			if (has_records(extract, tag))
				put_meta_of_rank(extract, tag);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* Says what was lost; true if anything was. */
static bool report_damage(const struct extract *extract)
{
	static const struct {
		enum damage kind;
		const char *words;
	} kinds[] = {
		{DAMAGE_BETWEEN, "something that is neither comma nor event stands between events"},
		{DAMAGE_CUT, "the input ends inside the object that holds the events"},
		{DAMAGE_HEADER, "what stands around the events cannot be read"},
		{DAMAGE_TWICE, "traceEvents stands more than once; the events of all are here"},
		{DAMAGE_AFTER, "what follows the end of the trace is not read"},
	};
	const struct trace_scan *scan = &extract->scan;
	const struct gzip_reader *gzip = &scan->input->gzip;
	unsigned long long count = scan->damage[DAMAGE_EVENT].count;
	bool lost = false;

	if (count)
		diag_error("%s: %llu event%s cannot be read, the first at byte %llu", extract->name,
			   count, plural(count),
			   (unsigned long long)scan->damage[DAMAGE_EVENT].offset);
	if (scan->damage[DAMAGE_CUT_EVENT].count)
		diag_error("%s: the input ends early, inside event %llu, which begins at byte %llu",
			   extract->name, (unsigned long long)scan->cut_event,
			   (unsigned long long)scan->damage[DAMAGE_CUT_EVENT].offset);
	lost = count || scan->damage[DAMAGE_CUT_EVENT].count;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!scan->damage[kinds[i].kind].count)
			continue;
		diag_error("%s: %s (%llu time%s, first at byte %llu)", extract->name, kinds[i].words,
			   (unsigned long long)scan->damage[kinds[i].kind].count,
			   plural(scan->damage[kinds[i].kind].count),
			   (unsigned long long)scan->damage[kinds[i].kind].offset);
		lost = true;
	}
	if (!scan->input->is_gzip || !gzip->damage)
		return lost;
	if (gzip->damage & GZIP_CUT)
		diag_error("%s: the gzip stream is cut short after %llu bytes of trace", extract->name,
			   (unsigned long long)gzip->damage_at);
	if (gzip->damage & GZIP_CORRUPT)
		diag_error("%s: the gzip stream is corrupt after %llu bytes of trace", extract->name,
			   (unsigned long long)gzip->damage_at);
	if (gzip->damage & GZIP_CHECK)
		diag_error("%s: a gzip check sum is wrong, first in the part that ends at byte %llu "
			   "of the trace",
			   extract->name, (unsigned long long)gzip->damage_at);
	if (gzip->damage & GZIP_TRAILING)
		diag_note("%s: what follows the gzip stream is no gzip, and is ignored", extract->name);
	return lost || gzip->damage & ~(unsigned)GZIP_TRAILING;
}

static void note_processes(const struct extract *extract)
{
	const struct kernels *kernels = &extract->kernels;
	unsigned left_out = 0;
	const struct interned *kept = NULL;

	for (uint32_t id = 0; id < kernels->pids.count; id++) {
		if (kernels->process[id].kept)
			kept = &kernels->pids.item[id];
		else if (kernels->process[id].kernels)
			left_out++;
	}
	if (!left_out)
		return;
	if (kept)
		diag_note("%s: %u process%s with kernels left out, \"%.*s\" kept; --all keeps all, "
			  "-p TEXT chooses",
			  extract->name, left_out, left_out == 1 ? "" : "es", (int)kept->length,
			  kept->text);
	else
		diag_note("%s: no process with kernels has \"%s\" in its pid; %u left out",
			  extract->name, extract->options->choice.pid_part, left_out);
}

static void note_overruns(const struct extract *extract)
{
	const struct overrun *overrun = &extract->kernels.overrun;
	const struct interned *stream, *name;
	char by[NUMBER_LENGTH], next[NUMBER_LENGTH];
	const char *tab;

	if (!overrun->count)
		return;
	stream = &extract->kernels.texts.item[overrun->worst.stream];
	name = &extract->names.kernels.item[overrun->worst.name];
	tab = memchr(name->text, '\t', name->length);
	*number_put_time(by, overrun->by) = '\0';
	*number_put_time(next, overrun->next) = '\0';
	diag_note("%s: %llu kernel%s past the starts of two or more later kernels of the stream, a "
		  "corrupt duration; the worst, \"%.*s\" on stream %.*s, by %s us past %s; --clip ends "
		  "%s there",
		  extract->name, (unsigned long long)overrun->count,
		  overrun->count == 1 ? " runs" : "s run",
		  (int)text_prefix(name->text, (size_t)(tab - name->text), 80), name->text,
		  (int)stream->length, stream->text, by, next, overrun->count == 1 ? "it" : "them");
}

/* What is worth knowing, a line a kind. */
static void report(const struct extract *extract)
{
	for (int i = 0; i < SKIP_KINDS; i++)
		if (extract->skipped[i])
			diag_note("%s: %llu event%s skipped: %s", extract->name,
				  (unsigned long long)extract->skipped[i],
				  plural(extract->skipped[i]), skip_words[i]);
	if (extract->late_rank)
		diag_note("%s: the trace names its rank, \"%.*s\", only behind its events; -l gives it a "
			  "label",
			  extract->name, (int)extract->rank.length, extract->rank.data);
	if (!extract->kernels.processes_seen)
		diag_note("%s: no GPU work in this trace", extract->name);
	note_processes(extract);
	note_overruns(extract);
	if (extract->kernels.unlinked)
		diag_note("%s: %llu kernel%s neither launch nor External id: the source map can only go "
			  "by time",
			  extract->name, (unsigned long long)extract->kernels.unlinked,
			  extract->kernels.unlinked == 1 ? " has" : "s have");
}

static enum tpa_exit refuse(const struct extract *extract, enum scan_result result)
{
	switch (result) {
	case SCAN_EMPTY:
		diag_error("%s: empty: no trace", extract->name);
		break;
	case SCAN_NO_EVENTS:
		diag_error("%s: no trace: traceEvents is no array", extract->name);
		break;
	case SCAN_NO_TRACE:
	case SCAN_DONE:
	default:
		diag_error("%s: no trace: neither an object with traceEvents nor an array of events",
			   extract->name);
	}
	return TPA_FAILED;
}

static void release(struct extract *extract)
{
	buffer_release(&extract->label);
	buffer_release(&extract->rank);
	buffer_release(&extract->world_size);
	buffer_release(&extract->base_time);
	buffer_release(&extract->work);
	intern_release(&extract->devices);
	name_cache_release(&extract->names);
	known_threads_release(&extract->threads);
	kernels_release(&extract->kernels);
	for (size_t i = 0; i < CATEGORIES; i++) {
		buffer_release(&extract->category[i].key);
		buffer_release(&extract->category[i].kind);
	}
	free(extract->written);
	free(extract);
}

enum tpa_exit extract_trace(const struct extract_options *options, int fd, const char *name,
			    const char *label, const char *place, struct extract_labels *labels,
			    struct record_writer *out)
{
	struct extract *extract = xcalloc(1, sizeof(*extract));
	struct trace_input input;
	enum tpa_exit status = TPA_DONE;
	enum scan_result result;

	extract->options = options;
	extract->name = name;
	extract->given_label = label;
	extract->place = place;
	extract->labels = labels;
	extract->out = out;
	extract->scan = (struct trace_scan){.event = take_event,
					    .value = take_value,
					    .begin = begin,
					    .context = extract,
					    .input = &input};
	labels->of_earlier = labels->seen.count;
	name_cache_init(&extract->names);
	kernels_init(&extract->kernels);
	trace_input_init(&input, fd, options->threads);
	result = trace_scan(&extract->scan);
	if (input.error) {
		diag_error("%s: cannot read: %s", name, strerror(input.error));
		status = TPA_FAILED;
	}
	if (extract->failed) {
		status = TPA_FAILED;
	} else if (result != SCAN_DONE) {
		status = input.error ? TPA_FAILED : refuse(extract, result);
	} else {
		finish(extract);
		if (report_damage(extract) && status == TPA_DONE)
			status = TPA_LOSSY;
		report(extract);
	}
	trace_input_release(&input);
	release(extract);
	return status;
}
