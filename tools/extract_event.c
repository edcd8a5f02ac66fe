#include "extract_event.h"

#include <string.h>

#define KEY_IS(word) (!memcmp(key, word, sizeof(word) - 1))

enum { KEY_OTHER = EVENT_FIELDS, KEY_ARGS };

static unsigned event_key(const char *key, size_t length)
{
	switch (length) {
	case 2:
		return KEY_IS("ph") ? EVENT_PH : KEY_IS("ts") ? EVENT_TS : KEY_OTHER;
	case 3:
		switch (key[0]) {
		case 'c':
			return KEY_IS("cat") ? EVENT_CAT : KEY_OTHER;
		case 'p':
			return KEY_IS("pid") ? EVENT_PID : KEY_OTHER;
		case 't':
			return KEY_IS("tid") ? EVENT_TID : KEY_OTHER;
		case 'd':
			return KEY_IS("dur") ? EVENT_DUR : KEY_OTHER;
		default:
			return KEY_OTHER;
		}
	case 4:
		return KEY_IS("name") ? EVENT_NAME : KEY_IS("args") ? KEY_ARGS : KEY_OTHER;
	default:
		return KEY_OTHER;
	}
}

static unsigned args_key(const char *key, size_t length)
{
	switch (length) {
	case 4:
		return KEY_IS("name") ? EVENT_ARGS_NAME : KEY_OTHER;
	case 6:
		return KEY_IS("stream") ? EVENT_STREAM : KEY_OTHER;
	case 10:
		return KEY_IS("sycl queue") ? EVENT_QUEUE : KEY_OTHER;
	case 11:
		return KEY_IS("External id")   ? EVENT_EXT
		       : KEY_IS("correlation") ? EVENT_CORR
		       : KEY_IS("cuda_stream") ? EVENT_CUDA_STREAM
		       : KEY_IS("external id") ? EVENT_EXT_LOWER
					       : KEY_OTHER;
	default:
		return KEY_OTHER;
	}
}

/* The key as it would be without its escapes; longer ones than any we know are none. */
static unsigned escaped_key(const char *key, size_t length, bool in_args)
{
	struct json_slice slice = {key, (uint32_t)length, JSON_TEXT, true};
	struct buffer plain = BUFFER_INIT;
	unsigned field;

	if (length > 128)
		return KEY_OTHER;
	json_text(&plain, &slice);
	field = in_args ? args_key(plain.data, plain.length) : event_key(plain.data, plain.length);
	buffer_release(&plain);
	return field;
}

/*
 * The key at `at`, which is at its opening quote; returns where its value begins
 * or NULL.
 */
static inline cursor scan_key(cursor at, cursor end, bool in_args, unsigned *field,
			      struct fault *fault)
{
	cursor key = at + 1;
	bool escaped = false;
	size_t length;

	at = skip_text(key, end, &escaped);
	if (!at)
		return cut(fault, end);
	length = (size_t)(at - key);
	if (escaped)
		*field = escaped_key((const char *)key, length, in_args);
	else
		*field = in_args ? args_key((const char *)key, length)
				 : event_key((const char *)key, length);
	at = skip_space(at + 1);
	return *at == ':' ? skip_space(at + 1) : fail(fault, at, end);
}

/* What stands behind a value: a comma, passed, or the closing brace. */
static inline cursor scan_separator(cursor at, cursor end, struct fault *fault)
{
	if (*at != ',')
		at = skip_space(at);
	if (*at == ',')
		return skip_space(at + 1);
	return *at == '}' ? at : fail(fault, at, end);
}

/*
 * From behind a value, or from an opening brace if it is the first, to the next
 * value or behind the event's closing brace; what was found there is in *found.
 */
static cursor next_value(cursor at, cursor end, bool first, struct shape_step *found,
			 struct fault *fault)
{
	unsigned field;

	at = first ? skip_space(at) : scan_separator(at, end, fault);
	while (at) {
		if (*at == '}') {
			if (!found->in_args) {
				found->field = SHAPE_NO_VALUE;
				found->ends = true;
				return at + 1;
			}
			found->in_args = false;
			at = scan_separator(at + 1, end, fault);
			continue;
		}
		if (*at != '"')
			return fail(fault, at, end);
		at = scan_key(at, end, found->in_args, &field, fault);
		if (!at)
			return NULL;
		found->field = (uint8_t)field;
		if (field < EVENT_FIELDS)
			found->gives |= EVENT_BIT(field);
		if (field != KEY_ARGS)
			return at;
		found->loses = EVENT_ARGS_BITS;
		if (*at != '{')
			return at;
		found->in_args = true;
		at = skip_space(at + 1);
	}
	return NULL;
}

#define FEW_THREADS 6 /* more successors than these do not tell threads apart */

/* Whether a step may hold the field's value as it is this time. */
static bool is_constant(const struct shape_step *step, unsigned field)
{
	switch (field) {
	case EVENT_PH:
	case EVENT_CAT:
		return true;
	case EVENT_PID:
	case EVENT_TID:
		return step->nexts < FEW_THREADS;
	default:
		return false;
	}
}

/* Makes the value at `at` part of what was found; returns what is behind it, or NULL. */
static cursor add_constant(struct shape_step *found, cursor from, cursor at, cursor end)
{
	struct json_slice slice;
	struct fault fault;
	cursor close = scan_value(at, end, &slice, &fault);

	if (!close || close - from > SHAPE_TEXT || slice.escaped || slice.kind == JSON_NESTED ||
	    found->constants == SHAPE_CONSTANTS)
		return NULL;
	found->constant[found->constants++] = (struct shape_constant){
		.field = found->field,
		.at = (uint8_t)((cursor)slice.text - from),
		.length = (uint8_t)slice.length,
		.bare = slice.kind == JSON_BARE,
	};
	found->field = SHAPE_NO_VALUE;
	return close;
}

/* Passes the constant values from `at` on, as far as one step can hold them. */
static cursor pass_constants(const struct shape_step *step, struct shape_step *found, cursor from,
			     cursor at, cursor end)
{
	while (is_constant(step, found->field)) {
		struct shape_step with = *found, beyond;
		cursor close = add_constant(&with, from, at, end), next;
		struct fault fault;

		if (!close)
			break;
		beyond = with;
		next = next_value(close, end, false, &beyond, &fault);
		if (!next || next - from > SHAPE_TEXT || beyond.field == KEY_ARGS) {
			/* only what follows it tells a bare word from a longer one */
			if (*at != '"')
				break;
			*found = with;
			return close;
		}
		*found = beyond;
		at = next;
	}
	return at;
}

/* Works out what no shape tells, and learns it. */
static __attribute__((noinline)) struct shape_step *learn_step(struct event_shapes *shapes,
							       struct shape_step *step, cursor *at,
							       cursor end, struct fault *fault)
{
	struct shape_step found = {.in_args = step->in_args};
	cursor from = *at;

	*at = next_value(from, end, step == shapes->step, &found, fault);
	if (!*at)
		return NULL;
	/* no step: were it an object next time, it would have to be looked into */
	if (found.field == KEY_ARGS)
		return shape_learn(shapes, &shapes->passing, &found, from, *at);
	*at = pass_constants(step, &found, from, *at, end);
	return shape_learn(shapes, step, &found, from, *at);
}

/* What a step whose text begins at `from` says of the event. */
static inline void take_step(struct trace_event *event, const struct shape_step *step, cursor from)
{
	event->have = (event->have & ~step->loses) | step->gives;
	for (unsigned i = 0; i < step->constants; i++) {
		const struct shape_constant *constant = &step->constant[i];

		event->field[constant->field] = (struct json_slice){
			(const char *)from + constant->at,
			constant->length,
			constant->bare ? JSON_BARE : JSON_TEXT,
			false,
		};
	}
}

cursor scan_event(cursor at, cursor end, struct event_shapes *shapes, struct trace_event *event,
		  struct fault *fault)
{
	struct shape_step *step = shapes->step;

	for (;;) {
		struct shape_step *next = shape_next(step, at);
		cursor from = at;

		if (next) {
			at += next->length;
			if (at > end)
				return cut(fault, end);
			/* the white space is longer this time */
			if (*at <= ' ' && next->field != SHAPE_NO_VALUE)
				at = skip_space(at);
		} else {
			next = learn_step(shapes, step, &at, end, fault);
			if (!next)
				return NULL;
		}
		step = next;
		take_step(event, step, from);
		if (step->field < EVENT_FIELDS)
			at = scan_value(at, end, &event->field[step->field], fault);
		else if (step->ends)
			return at;
		else if (step->field != SHAPE_NO_VALUE)
			at = skip_value(at, end, fault);
		if (!at)
			return NULL;
	}
}
