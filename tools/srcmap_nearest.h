/*
 * srcmap_nearest: of the events with an id, the one nearest in time
 * (choose_cpu_context and choose_launch_context of the reference script).
 *
 * Nearest by |ts - time|, of equals the shorter, of these the earlier, and
 * of these the one added first.
 */
#ifndef TPA_SRCMAP_NEAREST_H
#define TPA_SRCMAP_NEAREST_H

#include "srcmap_samples.h"

#include <stddef.h>
#include <stdint.h>

struct candidate {
	int64_t id, dur;
	struct call call;
};

struct candidates {
	struct candidate *item;
	size_t count, capacity;
};

#define CANDIDATES_INIT {0}

void candidates_add(struct candidates *candidates, int64_t id, int64_t dur, struct call call);

/* To be called once, when all are added. */
void candidates_sort(struct candidates *candidates);

/* NULL if none has that id. */
const struct call *candidates_nearest(const struct candidates *candidates, int64_t id, int64_t ts);

void candidates_release(struct candidates *candidates);

#endif
