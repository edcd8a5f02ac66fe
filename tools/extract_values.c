#include "extract_values.h"

#include "number.h"
#include "text.h"

#include <string.h>
#include <strings.h>

const char *const skip_words[SKIP_KINDS] = {
	"ts or dur is missing or no number", "ts or dur is not finite", "ts or dur is out of range",
	"dur is zero", "dur is negative",
};

bool slice_is_null(const struct json_slice *slice)
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

/* An id, or 0 for none. */
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

struct event_ids event_ids(const struct trace_event *event)
{
	enum event_field field = event->have & EVENT_BIT(EVENT_EXT) ? EVENT_EXT : EVENT_EXT_LOWER;
	struct event_ids ids = {event_id(event, field), event_id(event, EVENT_CORR)};

	/* numbered apart from CPU ops: no External id at all */
	if (ids.corr && ids.ext == ids.corr)
		ids.ext = 0;
	return ids;
}

bool event_times(const struct trace_event *event, int64_t *ts, int64_t *dur, enum skip *why)
{
	enum number_time start = event_time(event, EVENT_TS, ts);
	enum number_time length = event_time(event, EVENT_DUR, dur);

	if (start == NUMBER_IS_TIME && length == NUMBER_IS_TIME) {
		if (*dur > 0 && *ts <= TIME_MAX - *dur)
			return true;
		*why = *dur > 0 ? SKIP_TOO_BIG : *dur ? SKIP_NEGATIVE : SKIP_ZERO;
	} else if (start == NUMBER_IS_NONE || length == NUMBER_IS_NONE) {
		*why = why_no_time(event);
	} else {
		*why = SKIP_TOO_BIG;
	}
	return false;
}
