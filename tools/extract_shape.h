/*
 * extract_shape: the shapes of a trace's events, learned as they come.
 *
 * A profiler writes its events by a few templates: between one value and the next
 * there stand the same bytes again and again (a comma, white space, a key, a
 * colon, now and then a brace).  Each such stretch that the scanner has worked out
 * is kept as a step, together with what it means; the steps that were seen to
 * follow it are its successors.  Where a successor's bytes are found again, the
 * meaning is known without looking at quotes, keys and brackets one by one; where
 * none is, the scanner works it out and a successor is learned.
 *
 * Only speed depends on what was learned: equal bytes at an equal place of an event
 * mean the same.  Steps are few (SHAPE_STEPS) and short (SHAPE_TEXT); when a trace
 * has more kinds of them than that, the first are kept.
 */
#ifndef TPA_EXTRACT_SHAPE_H
#define TPA_EXTRACT_SHAPE_H

#include "extract_json.h"

#define SHAPE_TEXT 64 /* = INPUT_PAD: so much may be read behind a place */
#define SHAPE_STEPS 512
#define SHAPE_NEXT 25 /* which makes a step 128 bytes */

/* From behind a value, or the event's opening brace, to the next value. */
struct shape_step {
	unsigned char text[SHAPE_TEXT];
	uint32_t mask[2];  /* a bit for each byte of the text */
	uint8_t length;
	uint8_t field;	   /* of enum event_field, or one that no record needs */
	uint8_t value_at;  /* where in the text the value begins, if it is part of the text; */
	uint8_t value_length; /* else 0 */
	bool enters_args : 1; /* args begin, or begin again */
	bool in_args : 1;     /* the value is one of args */
	bool ends : 1;	      /* there is no next value: the event is closed */
	uint8_t nexts;
	uint16_t next[SHAPE_NEXT];
};

/* All zero before the first use; step[0] is where every event begins. */
struct event_shapes {
	struct shape_step step[SHAPE_STEPS];
	struct shape_step passing; /* the last that was not kept */
	unsigned count;		   /* of steps, step[0] not counted */
};

static inline bool shape_fits(const struct shape_step *step, cursor at)
{
#ifdef TPA_SSE2
	for (unsigned half = 0; half < step->length; half += 32) {
		uint32_t equal = skip_equal(at + half, step->text + half) |
				 skip_equal(at + half + 16, step->text + half + 16) << 16;

		if (step->mask[half / 32] & ~equal)
			return false;
	}
	return true;
#else
	return !memcmp(at, step->text, step->length);
#endif
}

/* The successor of a step whose text stands at `at`, or NULL. */
static inline struct shape_step *shape_next(struct event_shapes *shapes,
					    const struct shape_step *step, cursor at)
{
	for (unsigned i = 0; i < step->nexts; i++) {
		struct shape_step *next = &shapes->step[step->next[i]];

		if (shape_fits(next, at))
			return next;
	}
	return NULL;
}

/*
 * Learns what `found` says of [from, to) as a successor of `step`, where that is
 * possible.  Returns the step to go on with, which holds until the next call.
 */
struct shape_step *shape_learn(struct event_shapes *shapes, struct shape_step *step,
			       const struct shape_step *found, cursor from, cursor to);

#endif
