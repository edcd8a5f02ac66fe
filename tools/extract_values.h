/*
 * extract_values: the ids and times of an event.
 *
 * Ids follow the reference script's coerce_optional_int as amended: a whole
 * number in 64 bits, or text that is one; 0 is none, and so is an External id
 * that equals the event's own correlation.  Times are numbers, or text that is
 * one, in us; here ns.
 */
#ifndef TPA_EXTRACT_VALUES_H
#define TPA_EXTRACT_VALUES_H

#include "extract_event.h"

struct event_ids {
	int64_t ext, corr; /* 0: none */
};

struct event_ids event_ids(const struct trace_event *event);

/* Why an event is not used for its times. */
enum skip { SKIP_NO_TIME, SKIP_NOT_FINITE, SKIP_TOO_BIG, SKIP_ZERO, SKIP_NEGATIVE, SKIP_KINDS };

extern const char *const skip_words[SKIP_KINDS];

/* The times of an event that counts; else false, and why. */
bool event_times(const struct trace_event *event, int64_t *ts, int64_t *dur, enum skip *why);

bool slice_is_null(const struct json_slice *slice);

#endif
