#include "source.h"

#include "diag.h"
#include "number.h"
#include "sort.h"
#include "text.h"
#include "xalloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COPY_GAP 1000000 /* ns from the end of a copy to the start of the next */

/* A value of the event that is being read, from its first byte to behind its last. */
struct value {
	size_t start, end;
};

/* What decides what an event is. */
struct fields {
	struct value name, cat, dur;
};

static const struct {
	int depth; /* 1: of the event, 2: of its args */
	const char *key;
	enum slot_kind kind;
} rows[] = {
	{1, "ts", SLOT_TS},
	{1, "id", SLOT_LAUNCH},
	{1, "tid", SLOT_STREAM},
	{1, "dur", SLOT_DUR},
	{2, "External id", SLOT_EXTERNAL},
	{2, "correlation", SLOT_LAUNCH},
	{2, "stream", SLOT_STREAM},
	{2, "Python id", SLOT_PYTHON},
	{2, "Python parent id", SLOT_PYTHON},
	{2, "Ev Idx", SLOT_INDEX},
};

static bool is(const struct source *source, struct value value, const char *text)
{
	size_t length = strlen(text);

	return value.end - value.start == length &&
	       !memcmp(source->text + value.start, text, length);
}

/* `at` is the opening quote; gives the closing one. */
static size_t string_end(const struct source *source, size_t at)
{
	for (at++; at < source->length && source->text[at] != '"'; at++)
		if (source->text[at] == '\\')
			at++;
	if (at >= source->length)
		diag_die("the trace ends within a string");
	return at;
}

static struct value value_at(const struct source *source, size_t at)
{
	size_t end;

	while (at < source->length && ascii_is_space(source->text[at]))
		at++;
	if (at < source->length && source->text[at] == '"')
		return (struct value){at + 1, string_end(source, at)};
	end = at;
	while (end < source->length &&
	       (ascii_is_digit(source->text[end]) || source->text[end] == '.'))
		end++;
	return (struct value){at, end};
}

static void add_slot(struct source *source, enum slot_kind kind, struct value value)
{
	const char *text = source->text + value.start;
	size_t length = value.end - value.start;
	int64_t number = 0;

	if (kind == SLOT_TS || kind == SLOT_DUR) {
		if (number_time(text, length, &number) != NUMBER_IS_TIME)
			return;
	} else if (kind != SLOT_NAME && !number_int(text, length, &number)) {
		return;
	}
	source->slot = xgrow(source->slot, &source->slot_capacity, source->slots + 1,
			     sizeof(*source->slot));
	source->slot[source->slots++] = (struct slot){kind, value.start, value.end, number};
}

static void take_pair(struct source *source, struct fields *fields, int depth, struct value key,
		      struct value value)
{
	if (depth == 1 && is(source, key, "name"))
		fields->name = value;
	else if (depth == 1 && is(source, key, "cat"))
		fields->cat = value;
	else if (depth == 1 && is(source, key, "dur"))
		fields->dur = value;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].depth == depth && is(source, key, rows[i].key))
			add_slot(source, rows[i].kind, value);
}

/* Reads the object that begins at `at`; gives the place behind it. */
static size_t read_object(struct source *source, size_t at, struct fields *fields)
{
	int depth = 0;

	for (; at < source->length; at++) {
		size_t start = at;

		switch (source->text[at]) {
		case '"':
			at = string_end(source, at);
			if (source->text[at + 1] == ':')
				take_pair(source, fields, depth, (struct value){start + 1, at},
					  value_at(source, at + 2));
			break;
		case '{':
		case '[':
			depth++;
			break;
		case '}':
		case ']':
			if (!--depth)
				return at + 1;
			break;
		}
	}
	diag_die("the trace ends within an event");
}

static enum event_side side_of(const struct source *source, struct value cat)
{
	static const char *const cpu[] = {"cpu_op", "python_function", "user_annotation",
					  "cpu_instant_event", "fwdbwd"};

	if (cat.start == cat.end || is(source, cat, "Trace"))
		return EVENT_ONCE;
	for (size_t i = 0; i < sizeof(cpu) / sizeof(cpu[0]); i++)
		if (is(source, cat, cpu[i]))
			return EVENT_CPU;
	return EVENT_GPU;
}

/* The slots in the order of the text; of what is no kernel, only those that every copy shifts. */
static void settle_slots(struct source *source, const struct event *event, struct value name)
{
	size_t kept = event->slot;
	bool kernel = event->kernel != EVENT_NO_KERNEL;

	if (kernel) {
		size_t end = name.start;

		while (end < name.end && !strchr("<(", source->text[end]))
			end++;
		add_slot(source, SLOT_NAME, (struct value){end, end});
	}
	for (size_t i = event->slot; i < source->slots; i++) {
		struct slot slot = source->slot[i];
		size_t at = kept;

		if (slot.kind >= SLOT_SHIFTED && !kernel)
			continue;
		for (; at > event->slot && source->slot[at - 1].start > slot.start; at--)
			source->slot[at] = source->slot[at - 1];
		source->slot[at] = slot;
		kept++;
	}
	source->slots = kept;
}

static void note_reach(struct source *source, const struct event *event, struct value dur)
{
	int64_t lasts = 0;

	number_time(source->text + dur.start, dur.end - dur.start, &lasts);
	for (size_t i = event->slot; i < event->slot + event->slots; i++) {
		const struct slot *slot = &source->slot[i];
		int64_t end = slot->value + (slot->kind == SLOT_TS ? lasts : 1);

		if (slot->kind < SLOT_SHIFTED && end > source->step[slot->kind])
			source->step[slot->kind] = end;
	}
}

static size_t read_event(struct source *source, size_t at)
{
	struct event event = {.start = at, .slot = source->slots, .kernel = EVENT_NO_KERNEL};
	struct fields fields = {{0, 0}, {0, 0}, {0, 0}};

	event.end = read_object(source, at, &fields);
	event.side = side_of(source, fields.cat);
	if (is(source, fields.cat, "kernel"))
		event.kernel = source->kernels++;
	settle_slots(source, &event, fields.name);
	if (event.side == EVENT_ONCE)
		source->slots = event.slot;
	event.slots = source->slots - event.slot;
	for (size_t i = event.slot; i < source->slots; i++)
		if (source->slot[i].kind == SLOT_TS)
			event.ts = source->slot[i].value;
	if (event.slots)
		note_reach(source, &event, fields.dur);
	source->event = xgrow(source->event, &source->event_capacity, source->events + 1,
			      sizeof(*source->event));
	source->event[source->events++] = event;
	return event.end;
}

static int by_start(const void *a, const void *b, const void *context)
{
	const struct event *event = context;
	int64_t left = event[*(const size_t *)a].ts, right = event[*(const size_t *)b].ts;

	return (left > right) - (left < right);
}

static void number_kernels(struct source *source)
{
	size_t *kernel = xreallocarray(NULL, source->kernels, sizeof(*kernel)), found = 0;

	for (size_t i = 0; i < source->events; i++)
		if (source->event[i].kernel != EVENT_NO_KERNEL)
			kernel[found++] = i;
	stable_sort(kernel, found, sizeof(*kernel), by_start, source->event);
	source->kernel_ts = xreallocarray(NULL, found, sizeof(*source->kernel_ts));
	for (size_t i = 0; i < found; i++) {
		source->event[kernel[i]].kernel = i;
		source->kernel_ts[i] = source->event[kernel[i]].ts;
	}
	free(kernel);
}

void source_read(struct source *source, const char *text, size_t length)
{
	static const char key[] = "\"traceEvents\": [";
	const char *list = memmem(text, length, key, sizeof(key) - 1);
	int64_t first = INT64_MAX;
	size_t at;

	*source = (struct source){.text = text, .length = length};
	if (!list)
		diag_die("no trace on standard input: no traceEvents in it");
	at = (size_t)(list - text) + sizeof(key) - 1;
	while (at < length && text[at] != ']')
		at = text[at] == '{' ? read_event(source, at) : at + 1;
	if (!source->kernels)
		diag_die("no kernels in the trace");
	for (size_t i = 0; i < source->events; i++)
		if (source->event[i].slots && source->event[i].ts < first)
			first = source->event[i].ts;
	source->step[SLOT_TS] += COPY_GAP - first;
	number_kernels(source);
}

void source_release(struct source *source)
{
	free(source->event);
	free(source->slot);
	free(source->kernel_ts);
	*source = (struct source){0};
}
