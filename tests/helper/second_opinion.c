/*
 * second_opinion: the GPU work, CPU ops and launches of a sound trace, as json-c
 * reads it.
 *
 *	gzip -dc t.json.gz | second_opinion
 *
 * The whole trace is held in memory.  A line for each event, in the trace's order:
 *
 *	kernel TS DUR CORR NAME
 *	cpu_op TS DUR NAME
 *	launch TS DUR CORR NAME
 *
 * with the values that tpa-extract's records have in those columns.  GPU work is
 * known by its category alone.
 */
#include "names.h"
#include "number.h"
#include "text.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct json_object *read_trace(void)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *trace = NULL;
	char chunk[64 << 10];
	size_t length;

	while (!trace && (length = fread(chunk, 1, sizeof(chunk), stdin)))
		trace = json_tokener_parse_ex(tokener, chunk, (int)length);
	json_tokener_free(tokener);
	return trace;
}

static const char *member(struct json_object *object, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(object, key, &value) ? json_object_get_string(value) : NULL;
}

/* json-c keeps the digits that a number was read from. */
static bool member_time(struct json_object *event, const char *key, int64_t *ns)
{
	const char *text = member(event, key);

	return text && number_time(text, strlen(text), ns) == NUMBER_IS_TIME;
}

static void put_times(const char *type, int64_t ts, int64_t dur)
{
	char text[2 * NUMBER_LENGTH], *end = number_put_time(text, ts);

	*end++ = '\t';
	end = number_put_time(end, dur);
	printf("%s\t%.*s", type, (int)(end - text), text);
}

static void put_correlation(struct json_object *event)
{
	struct json_object *args;
	const char *text = NULL;

	if (json_object_object_get_ex(event, "args", &args))
		text = member(args, "correlation");
	printf("\t%s", text && strcmp(text, "0") != 0 ? text : "-");
}

static void put_name(const struct buffer *name)
{
	struct buffer escaped = BUFFER_INIT;

	text_escape(&escaped, name->data, name->length);
	printf("\t%.*s\n", (int)escaped.length, escaped.data);
	buffer_release(&escaped);
}

static void put_kernel(struct json_object *event, int64_t ts, int64_t dur)
{
	struct buffer name = BUFFER_INIT, params = BUFFER_INIT;
	const char *raw = member(event, "name");

	put_times("kernel", ts, dur);
	put_correlation(event);
	name_kernel(&name, &params, raw ? raw : "", raw ? strlen(raw) : 0);
	put_name(&name);
	buffer_release(&name);
	buffer_release(&params);
}

static void put_cpu(const char *type, struct json_object *event, int64_t ts, int64_t dur)
{
	struct buffer name = BUFFER_INIT;
	const char *raw = member(event, "name");

	put_times(type, ts, dur);
	if (strcmp(type, "launch") == 0)
		put_correlation(event);
	text_fold(&name, raw ? raw : "", raw ? strlen(raw) : 0);
	put_name(&name);
	buffer_release(&name);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void put_event(struct json_object *event)
{
	const char *phase = member(event, "ph"), *category = member(event, "cat");
	const char *name = member(event, "name");
	int64_t ts, dur;

	if (!phase || strcmp(phase, "X") != 0 || !category || !member_time(event, "ts", &ts) ||
	    !member_time(event, "dur", &dur) || dur <= 0)
		return;
	if (strcmp(category, "cpu_op") == 0 || strcmp(category, "Operator") == 0)
		put_cpu("cpu_op", event, ts, dur);
	else if (strstr(category, "annotation") || strstr(category, "race"))
		return;
	else if (strstr(category, "ernel") || strncmp(category, "gpu_", 4) == 0 ||
		 strcmp(category, "Memcpy") == 0 || strcmp(category, "Memset") == 0)
		put_kernel(event, ts, dur);
	else if ((ends_with(category, "_runtime") || ends_with(category, "_driver") ||
		  strcmp(category, "Runtime") == 0) &&
		 name && name_is_launch(name, strlen(name)))
		put_cpu("launch", event, ts, dur);
}

int main(void)
{
	struct json_object *trace = read_trace(), *events = trace;

	if (trace && json_object_is_type(trace, json_type_object))
		json_object_object_get_ex(trace, "traceEvents", &events);
	if (!events || !json_object_is_type(events, json_type_array)) {
		fprintf(stderr, "second_opinion: json-c reads no trace\n");
		return 1;
	}
	for (size_t i = 0; i < json_object_array_length(events); i++)
		put_event(json_object_array_get_idx(events, i));
	json_object_put(trace);
	return fflush(stdout) ? 1 : 0;
}
