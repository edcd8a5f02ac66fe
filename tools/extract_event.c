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

/*
 * The keys of an event in the order in which profilers write them, which is that of
 * enum event_field, each with its
 * quotes and colon and a mask of as many bytes: mostly the next key is the one
 * expected, and then one comparison of a word tells.
 */
static const struct expected_key {
	char text[8], mask[8];
	unsigned length, field;
} expected_keys[] = {
	{"\"ph\":", "\xff\xff\xff\xff\xff", 5, EVENT_PH},
	{"\"cat\":", "\xff\xff\xff\xff\xff\xff", 6, EVENT_CAT},
	{"\"name\":", "\xff\xff\xff\xff\xff\xff\xff", 7, EVENT_NAME},
	{"\"pid\":", "\xff\xff\xff\xff\xff\xff", 6, EVENT_PID},
	{"\"tid\":", "\xff\xff\xff\xff\xff\xff", 6, EVENT_TID},
	{"\"ts\":", "\xff\xff\xff\xff\xff", 5, EVENT_TS},
	{"\"dur\":", "\xff\xff\xff\xff\xff\xff", 6, EVENT_DUR},
	{"\"args\":", "\xff\xff\xff\xff\xff\xff\xff", 7, KEY_ARGS},
	{"\"", "", 0, KEY_OTHER}, /* behind the last: nothing is ever equal to it */
};

static inline bool is_expected(cursor at, const struct expected_key *key)
{
	uint64_t bytes, mask, wanted;

	memcpy(&bytes, at, sizeof(bytes));
	memcpy(&mask, key->mask, sizeof(mask));
	memcpy(&wanted, key->text, sizeof(wanted));
	return (bytes & mask) == wanted;
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

/* The members of an event's args, from behind the opening brace to behind the closing one. */
static cursor scan_args(cursor at, cursor end, struct trace_event *event, struct fault *fault)
{
	at = skip_space(at);
	while (at && *at == '"') {
		unsigned field;
		bool escaped;

		at = scan_key(at, end, true, &field, fault);
		if (!at)
			return NULL;
		if (field == KEY_OTHER) {
			at = skip_value(at, end, &escaped, fault);
		} else {
			event->have |= EVENT_BIT(field);
			at = scan_value(at, end, &event->field[field], fault);
		}
		if (at)
			at = scan_separator(at, end, fault);
	}
	return !at ? NULL : *at == '}' ? at + 1 : fail(fault, at, end);
}

cursor scan_event(cursor at, cursor end, struct trace_event *event, struct fault *fault)
{
	const struct expected_key *expected = expected_keys;

	at = skip_space(at);
	while (at && *at == '"') {
		unsigned field;
		bool escaped;

		if (is_expected(at, expected)) {
			field = expected->field;
			at = skip_space(at + expected->length);
			expected++;
		} else {
			at = scan_key(at, end, false, &field, fault);
			if (!at)
				return NULL;
			if (field < EVENT_FIELDS)
				expected = expected_keys + field + 1;
		}
		if (field < EVENT_FIELDS) {
			event->have |= EVENT_BIT(field);
			at = scan_value(at, end, &event->field[field], fault);
		} else if (field == KEY_ARGS) {
			event->have &= ~EVENT_ARGS_BITS;
			at = *at == '{' ? scan_args(at + 1, end, event, fault)
					: skip_value(at, end, &escaped, fault);
		} else {
			at = skip_value(at, end, &escaped, fault);
		}
		if (at)
			at = scan_separator(at, end, fault);
	}
	return !at ? NULL : *at == '}' ? at + 1 : fail(fault, at, end);
}
