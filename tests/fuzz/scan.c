/*
 * scan: the scanner on any bytes, and against json-c wherever that can read them.
 *
 * Of sound JSON both must find the same events with the same fields, and the
 * scanner no damage.
 */
#include "harness.h"

#include "extract_scan.h"
#include "number.h"
#include "text.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH 64
#define LARGE INT64_C(9000000000000000000)

/* A text for all that is known of the events, to compare. */
struct events {
	struct buffer text;
	bool begun;
};

static void add_number(struct buffer *out, const char *text, size_t length)
{
	char copy[400];
	int64_t whole;
	double value;

	/* json-c has its own ways with what is larger than it can hold */
	if (number_int(text, length, &whole) && whole < LARGE && whole > -LARGE) {
		buffer_printf(out, "i%lld", (long long)whole);
		return;
	}
	if (length >= sizeof(copy) - 1) {
		buffer_add_char(out, 'L');
		return;
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	value = strtod(copy, NULL);
	if (value >= (double)LARGE || value <= -(double)LARGE)
		buffer_add_char(out, 'L');
	else
		buffer_printf(out, "d%.15g", value);
}

static void add_slice(struct buffer *out, const struct json_slice *slice)
{
	switch (slice->kind) {
	case JSON_TEXT:
		buffer_add_char(out, 't');
		json_text(out, slice);
		break;
	case JSON_NESTED:
		buffer_add_char(out, 'n');
		break;
	case JSON_BARE:
	default:
		if (slice->text[0] >= 'a')
			buffer_add(out, slice->text, slice->length);
		else
			add_number(out, slice->text, slice->length);
	}
	buffer_add_char(out, '\0');
}

static void take_event(void *context, const struct trace_event *event)
{
	struct events *events = context;

	if (!events->begun)
		broken("an event before the beginning", "", 0);
	for (int field = 0; field < EVENT_FIELDS; field++)
		if (event->have & EVENT_BIT(field)) {
			buffer_printf(&events->text, "%d=", field);
			add_slice(&events->text, &event->field[field]);
		}
	buffer_add_char(&events->text, '\n');
}

static void take_value(void *context, const char *key, const char *text, size_t length)
{
	(void)context;
	if (!length)
		broken("a key without a value", key, strlen(key));
	/* each byte must be there */
	if (memchr(text, 0, length) == text)
		broken("a value that begins with NUL", key, strlen(key));
}

static void take_begin(void *context)
{
	struct events *events = context;

	if (events->begun)
		broken("begun twice", "", 0);
	events->begun = true;
}

static void add_object(struct buffer *out, json_object *value)
{
	const char *text;

	switch (json_object_get_type(value)) {
	case json_type_string:
		buffer_add_char(out, 't');
		buffer_add(out, json_object_get_string(value),
			   (size_t)json_object_get_string_len(value));
		break;
	case json_type_object:
	case json_type_array:
		buffer_add_char(out, 'n');
		break;
	case json_type_int:
	case json_type_double:
		text = json_object_get_string(value);
		add_number(out, text, strlen(text));
		break;
	case json_type_null:
	case json_type_boolean:
	default:
		buffer_add_string(out, value ? json_object_get_string(value) : "null");
	}
	buffer_add_char(out, '\0');
}

static void add_member(struct buffer *out, json_object *object, const char *key, int field)
{
	json_object *value;

	if (!json_object_object_get_ex(object, key, &value))
		return;
	buffer_printf(out, "%d=", field);
	add_object(out, value);
}

static void add_event(struct buffer *out, json_object *event)
{
	static const char *const own[] = {"ph", "cat", "name", "pid", "tid", "ts", "dur"};
	static const char *const of_args[] = {"External id", "external id", "correlation", "stream",
					      "cuda_stream", "sycl queue",  "name"};
	json_object *args;

	for (int i = 0; i < 7; i++)
		add_member(out, event, own[i], EVENT_PH + i);
	if (json_object_object_get_ex(event, "args", &args) &&
	    json_object_is_type(args, json_type_object))
		for (int i = 0; i < 7; i++)
			add_member(out, args, of_args[i], EVENT_EXT + i);
	buffer_add_char(out, '\n');
}

static bool is_utf8(const char *text, size_t length)
{
	struct buffer whole = {(char *)(uintptr_t)text, length, length}, repaired = BUFFER_INIT;
	bool same;

	text_repair(&repaired, text, length);
	same = same_buffers(&repaired, &whole);
	buffer_release(&repaired);
	return same;
}

/* Half of a pair, by its second digit. */
static bool is_surrogate(const char *text, size_t length, const char *digits)
{
	return length >= 6 && text[0] == '\\' && text[1] == 'u' && ascii_lower(text[2]) == 'd' &&
	       text[3] && strchr(digits, ascii_lower(text[3]));
}

/* What json-c can read, but reads in a way of its own. */
static bool is_special(const char *text, size_t length)
{
	static const char key[] = "traceEvents";
	const char *first = memmem(text, length, key, sizeof(key) - 1);

	if (!is_utf8(text, length))
		return true;
	if (first && memmem(first + 1, length - (size_t)(first + 1 - text), key, sizeof(key) - 1))
		return true;
	for (size_t i = 0; i + 5 < length; i++) {
		if (is_surrogate(text + i, length - i, "89ab") &&
		    is_surrogate(text + i + 6, length - i - 6, "cdef"))
			i += 11;
		else if (!memcmp(text + i, "\\\\", 2))
			i++;
		else if (is_surrogate(text + i, length - i, "89abcdef") ||
			 !memcmp(text + i, "\\u0000", 6))
			return true;
	}
	return false;
}

/* The same events by json-c; false if it cannot read them. */
static bool read_with_json_c(const char *text, size_t length, struct events *events)
{
	json_tokener *tokener = json_tokener_new_ex(DEPTH);
	json_object *root, *list;
	bool sound;

	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	root = json_tokener_parse_ex(tokener, text, (int)length);
	sound = root && json_tokener_get_error(tokener) == json_tokener_success;
	for (size_t i = json_tokener_get_parse_end(tokener); sound && i < length; i++)
		sound = ascii_is_space(text[i]) && text[i] != '\v' && text[i] != '\f';
	list = json_object_is_type(root, json_type_object)
		   ? json_object_object_get(root, "traceEvents")
		   : root;
	sound = sound && json_object_is_type(list, json_type_array);
	for (size_t i = 0; sound && i < json_object_array_length(list); i++) {
		json_object *event = json_object_array_get_idx(list, i);

		if (json_object_is_type(event, json_type_object))
			add_event(&events->text, event);
	}
	json_object_put(root);
	json_tokener_free(tokener);
	return sound;
}

static void compare(const struct trace_scan *scan, enum scan_result result,
		    const struct buffer *found, const struct buffer *wanted)
{
	if (result != SCAN_DONE)
		broken("sound, but refused", wanted->data, wanted->length);
	for (int kind = 0; kind < DAMAGE_KINDS; kind++)
		if (scan->damage[kind].count)
			broken("sound, but damaged", wanted->data, wanted->length);
	if (same_buffers(found, wanted))
		return;
	fprintf(stderr, "%.*s\n", (int)wanted->length, wanted->data);
	broken("other events than json-c's", found->data, found->length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct events found = {BUFFER_INIT, false}, wanted = {BUFFER_INIT, false};
	struct trace_scan scan = {
	    .event = take_event, .value = take_value, .begin = take_begin, .context = &found};
	const char *text = (const char *)data;
	struct trace_input input;
	enum scan_result result;
	int fd;

	if (size >= 2 && data[0] == 0x1f && data[1] == 0x8b)
		return 0;
	fd = memory_file(data, size);
	trace_input_init(&input, fd, 1);
	scan.input = &input;
	result = trace_scan(&scan);
	if (!is_special(text, size) && read_with_json_c(text, size, &wanted))
		compare(&scan, result, &found.text, &wanted.text);
	trace_input_release(&input);
	close(fd);
	buffer_release(&found.text);
	buffer_release(&wanted.text);
	return 0;
}
