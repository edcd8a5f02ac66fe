/*
 * extract_scan: a trace's events, one at a time, without a tree of anything.
 *
 * The scanner was written for trace events: it knows the handful of keys that
 * records need, tells them apart by length and first byte, skips every other
 * value without looking inside, allocates nothing and copies nothing.  Fields
 * are slices of the window (extract_input.h) that hold during the callback.
 *
 * It is tolerant (tpa-extract(1), DAMAGED INPUT).  What JSON would not allow but
 * does no harm is accepted in silence: commas before closing brackets, bare nan
 * and inf, control characters and invalid escapes in text, a bare array that is
 * not closed.  An event that cannot be read is counted, and reading resumes at
 * the next one that can.
 */
#ifndef TPA_EXTRACT_SCAN_H
#define TPA_EXTRACT_SCAN_H

#include "extract_event.h"
#include "extract_input.h"

#include <stdbool.h>
#include <stdint.h>

/* What was lost or odd, by kind: how often, and the offset of the first. */
enum damage {
	DAMAGE_EVENT,	  /* an event that cannot be read */
	DAMAGE_BETWEEN,	  /* something between two events that is no comma */
	DAMAGE_CUT_EVENT, /* the input ends inside an event */
	DAMAGE_CUT,	  /* it ends inside the object that holds the events */
	DAMAGE_HEADER,	  /* what stands around the events cannot be read */
	DAMAGE_TWICE,	  /* traceEvents stands twice in a long trace; both are read */
	DAMAGE_AFTER,	  /* something follows the trace */
	DAMAGE_KINDS,
};

struct trace_scan {
	/*
	 * Called for each event; and for each other top-level value that is kept in
	 * mind, as it stands in the trace: a text has its quotes.
	 */
	void (*event)(void *context, const struct trace_event *event);
	void (*value)(void *context, const char *key, const char *text, size_t length);
	void *context;
	/* Called once, when all that stands before the first event has been seen. */
	void (*begin)(void *context);

	bool stop; /* set by a callback: read no further */

	struct trace_input *input;
	uint64_t events; /* read so far, the damaged ones included */
	struct {
		uint64_t count, offset;
	} damage[DAMAGE_KINDS];
	uint64_t cut_event; /* the number of the event that DAMAGE_CUT_EVENT cut, from 1 */
	uint64_t vain;	    /* bytes scanned of events that cannot be read */
	struct event_shapes shapes;
};

enum scan_result {
	SCAN_DONE,
	SCAN_NO_TRACE,	/* neither an object with an array of traceEvents nor an array */
	SCAN_NO_EVENTS, /* traceEvents is no array */
	SCAN_EMPTY,	/* there is nothing at all */
};

/* Reads the whole input.  Whether it could be read to its end, input->error tells. */
enum scan_result trace_scan(struct trace_scan *scan);

#endif
