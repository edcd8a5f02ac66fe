/*
 * extract_shape: the shapes of a trace's events, learned as they come.
 *
 * A profiler writes its events by a few templates: between one value and the next
 * there stand the same bytes again and again (a comma, white space, a key, a
 * colon, now and then a brace), and some values are but one of a few (phase,
 * category, process, thread).  Each such stretch that the scanner has worked out,
 * with the values of that kind in it, is kept as a step, together with what it
 * means; the steps that were seen to follow it are its successors.  Where a
 * successor's bytes are found again, the meaning is known without looking at
 * quotes, keys and brackets one by one; where none is, the scanner works it out
 * and a successor is learned.
 *
 * Only speed depends on what was learned: equal bytes at an equal place of an event
 * mean the same.  There is room for many more steps (SHAPE_STEPS) than the 600 that
 * the trace of make bench comes to; a trace with more keeps the first, and its other
 * events are scanned at half the speed.  A step is short (SHAPE_TEXT).
 */
#ifndef TPA_EXTRACT_SHAPE_H
#define TPA_EXTRACT_SHAPE_H

#include "extract_json.h"

#define SHAPE_TEXT 64 /* = INPUT_PAD: so much may be read behind a place */
#define SHAPE_STEPS 4096
#define SHAPE_NEXT 32
#define SHAPE_CONSTANTS 4
#define SHAPE_NO_VALUE UINT8_MAX

/* A value that is part of a step's text. */
struct shape_constant {
	uint8_t field; /* of enum event_field */
	uint8_t at;    /* where in the text it begins, behind its quote if it has one */
	uint8_t length;
	bool bare;
};

/* From behind a value, or the event's opening brace, to the next that is not constant. */
struct shape_step {
	_Alignas(16) unsigned char text[SHAPE_TEXT];
	uint16_t mask[SHAPE_TEXT / 16]; /* a bit for each byte of the text */
	uint32_t loses; /* bits of fields that the event does not have after all, */
	uint32_t gives; /* and then of those that it has */
	uint8_t length;
	uint8_t field; /* of enum event_field, one that no record needs, or none */
	bool in_args;  /* the value is one of args */
	bool ends;     /* there is no next value: the event is closed */
	uint8_t constants;
	uint8_t nexts;
	struct shape_constant constant[SHAPE_CONSTANTS];
	struct shape_step *next;    /* the first of its successors, those found often first; */
	struct shape_step *sibling; /* and of these each one's next */
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
	for (unsigned i = 0; i < SHAPE_TEXT / 16 && step->mask[i]; i++)
		if (step->mask[i] & ~skip_equal(at + 16 * i, step->text + 16 * i))
			return false;
	return true;
#else
	return !memcmp(at, step->text, step->length);
#endif
}

/* The successor of a step whose text stands at `at`, or NULL. */
static inline struct shape_step *shape_next(struct shape_step *step, cursor at)
{
	struct shape_step **before = NULL, **link = &step->next, *next;

	for (; (next = *link); before = link, link = &next->sibling) {
		if (!shape_fits(next, at))
			continue;
		if (before) {
			*link = next->sibling;
			next->sibling = *before;
			*before = next;
		}
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
