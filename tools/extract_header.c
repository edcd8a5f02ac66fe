#include "extract_header.h"

#include "number.h"
#include "text.h"

#include <string.h>

/*
 * The next value of an array or, with its key, of an object, from behind the
 * opening bracket or the value before it; NULL if there is none that can be read.
 */
static cursor next_value(cursor at, cursor end, struct json_slice *key, struct json_slice *value)
{
	struct fault fault;

	while (at < end && (json_is_space(*at) || *at == ','))
		at++;
	if (key) {
		if (at >= end || *at != '"')
			return NULL;
		at = scan_value(at, end, key, &fault);
		if (!at || *(at = skip_space(at)) != ':')
			return NULL;
		at = skip_space(at + 1);
	}
	return at < end ? scan_value(at, end, value, &fault) : NULL;
}

/* Appends the text or number that an object has under a key, the last one; else nothing. */
static void add_member(struct buffer *out, const char *text, size_t length, const char *name)
{
	cursor at = (cursor)text + 1, end = (cursor)text + length;
	struct json_slice key, value;

	if (*text != '{')
		return;
	while ((at = next_value(at, end, &key, &value))) {
		if (key.length != strlen(name) || memcmp(key.text, name, key.length))
			continue;
		buffer_clear(out);
		if (value.kind != JSON_NESTED && !slice_is_null(&value))
			json_text(out, &value);
	}
}

static void take_distributed_info(struct extract *extract, const char *text, size_t length)
{
	struct buffer before = BUFFER_INIT;

	buffer_add(&before, extract->rank.data, extract->rank.length);
	buffer_clear(&extract->rank);
	buffer_clear(&extract->world_size);
	add_member(&extract->rank, text, length, "rank");
	add_member(&extract->world_size, text, length, "world_size");
	extract->late_rank = extract->begun && !extract->given_label &&
			     text_compare(before.data, before.length, extract->rank.data,
					  extract->rank.length);
	buffer_release(&before);
}

static void take_devices(struct extract *extract, const char *text, size_t length)
{
	cursor at = (cursor)text + 1, end = (cursor)text + length;
	struct buffer name = BUFFER_INIT;
	struct json_slice device;

	if (*text != '[')
		return;
	while (extract->devices.count < DEVICES_MAX && (at = next_value(at, end, NULL, &device))) {
		buffer_clear(&name);
		add_member(&name, device.text, device.length, "name");
		if (name.length)
			intern(&extract->devices, name.data, name.length);
	}
	buffer_release(&name);
}

void extract_header_value(struct extract *extract, const char *key, const char *text, size_t length)
{
	int64_t number;

	if (!strcmp(key, "distributedInfo")) {
		take_distributed_info(extract, text, length);
	} else if (!strcmp(key, "deviceProperties")) {
		take_devices(extract, text, length);
	} else if (!strcmp(key, "baseTimeNanoseconds")) {
		buffer_clear(&extract->base_time);
		if (number_int(text, length, &number))
			buffer_add(&extract->base_time, text, length);
	}
}
