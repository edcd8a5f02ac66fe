#include "extract_header.h"

#include "text.h"

#include <json-c/json.h>
#include <string.h>

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

void extract_header_value(struct extract *extract, const char *key, const char *text, size_t length)
{
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

