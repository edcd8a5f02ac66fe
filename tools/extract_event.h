/*
 * extract_event: one event of a trace, scanned but not built.
 *
 * Only the handful of keys that records need are looked at; fields are slices of
 * the window, and hold as long as that.  The last of equal keys counts.
 */
#ifndef TPA_EXTRACT_EVENT_H
#define TPA_EXTRACT_EVENT_H

#include "extract_json.h"
#include "extract_shape.h"

enum event_field {
	EVENT_PH,
	EVENT_CAT,
	EVENT_NAME,
	EVENT_PID,
	EVENT_TID,
	EVENT_TS,
	EVENT_DUR,
	/* of args */
	EVENT_EXT,	 /* External id */
	EVENT_EXT_LOWER, /* external id, in traces of 2021 */
	EVENT_CORR,
	EVENT_STREAM,
	EVENT_CUDA_STREAM,
	EVENT_QUEUE, /* sycl queue */
	EVENT_ARGS_NAME,
	EVENT_FIELDS,
};

struct trace_event {
	unsigned have; /* EVENT_BIT() of each field that is there */
	struct json_slice field[EVENT_FIELDS];
};

#define EVENT_BIT(field) (1u << (field))
#define EVENT_ARGS_BITS (~0u << EVENT_EXT & (EVENT_BIT(EVENT_FIELDS) - 1))

/* A field, or an empty text where it is not there. */
static inline const struct json_slice *trace_event_field(const struct trace_event *event,
							 enum event_field field)
{
	static const struct json_slice none = {"", 0, JSON_TEXT, false};

	return event->have & EVENT_BIT(field) ? &event->field[field] : &none;
}

/*
 * The members of an event, from behind its opening brace to behind the closing
 * one; event->have is to be 0 before.  The shapes are those of the events before.
 */
cursor scan_event(cursor at, cursor end, struct event_shapes *shapes, struct trace_event *event,
		  struct fault *fault);

#endif
