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
		if (field != KEY_ARGS)
			return at;
		found->enters_args = true;
		if (*at != '{')
			return at;
		found->in_args = true;
		at = skip_space(at + 1);
	}
	return NULL;
}

/* Behind a value that is the same for all events of a kind, which *found then says. */
static cursor constant_value(cursor from, cursor at, cursor end, struct shape_step *found)
{
	bool escaped = false;
	cursor close;

	if ((found->field != EVENT_PH && found->field != EVENT_CAT) || *at != '"')
		return at;
	close = skip_text(at + 1, end, &escaped);
	if (!close || escaped || close == at + 1 || close - from >= SHAPE_TEXT)
		return at;
	found->value_at = (uint8_t)(at + 1 - from);
	found->value_length = (uint8_t)(close - at - 1);
	return close + 1;
}

/* Works out what no shape tells, and learns it. */
static struct shape_step *learn_step(struct event_shapes *shapes, struct shape_step *step,
				     cursor *at, cursor end, struct fault *fault)
{
	struct shape_step found = {.in_args = step->in_args};
	cursor from = *at;

	*at = next_value(from, end, step == shapes->step, &found, fault);
	if (!*at)
		return NULL;
	/* no step: were it an object next time, it would have to be looked into */
	if (found.field == KEY_ARGS && !found.ends)
		return shape_learn(shapes, &shapes->passing, &found, from, *at);
	if (!found.ends)
		*at = constant_value(from, *at, end, &found);
	return shape_learn(shapes, step, &found, from, *at);
}

cursor scan_event(cursor at, cursor end, struct event_shapes *shapes, struct trace_event *event,
		  struct fault *fault)
{
	struct shape_step *step = shapes->step;

	for (;;) {
		struct shape_step *next = shape_next(shapes, step, at);
		cursor from = at;
		bool escaped;

		if (next) {
			at += next->length;
			if (at > end)
				return cut(fault, end);
			/* the white space is longer this time */
			if (!next->ends && !next->value_length && *at <= ' ')
				at = skip_space(at);
		} else {
			next = learn_step(shapes, step, &at, end, fault);
			if (!next)
				return NULL;
		}
		step = next;
		if (step->enters_args)
			event->have &= ~EVENT_ARGS_BITS;
		if (step->ends)
			return at;
		if (step->field >= EVENT_FIELDS) {
			at = skip_value(at, end, &escaped, fault);
		} else {
			event->have |= EVENT_BIT(step->field);
			if (step->value_length)
				event->field[step->field] =
					(struct json_slice){(const char *)from + step->value_at,
							    step->value_length, JSON_TEXT, false};
			else
				at = scan_value(at, end, &event->field[step->field], fault);
		}
		if (!at)
			return NULL;
	}
}
