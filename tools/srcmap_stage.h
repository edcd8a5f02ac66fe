/*
 * srcmap_stage: the source map as a stage between others.
 *
 * Holds what is needed of each rank until the rank is complete (ranks.h), then
 * writes its sources and forgets it: a thousand ranks in one pipe take the
 * memory of the largest.  Sources and sites that come in are somebody else's
 * and pass, since source maps add up; so source_only gives just what a grep for
 * the two types would.
 */
#ifndef TPA_SRCMAP_STAGE_H
#define TPA_SRCMAP_STAGE_H

#include "ranks.h"
#include "srcmap_kernel_map.h"
#include "srcmap_trace.h"
#include "stage.h"

#include <stdbool.h>
#include <stddef.h>

#define SRCMAP_SAMPLES 16 /* kernels looked at per name, if nothing else is wished */
#define SRCMAP_SAMPLES_MAX 1000000

#define SRCMAP_HELD \
	(RECORD_BIT(RECORD_KERNEL) | RECORD_BIT(RECORD_CPU_OP) | RECORD_BIT(RECORD_PYTHON) | \
	 RECORD_BIT(RECORD_LAUNCH))
#define SRCMAP_WANTS \
	(SRCMAP_HELD | RECORD_BIT(RECORD_META) | RECORD_BIT(RECORD_SOURCE) | RECORD_BIT(RECORD_SITE))

struct srcmap {
	/* what is wished */
	size_t samples; /* 0: all kernels */
	bool source_only;
	bool keep_going;
	struct kernel_map *map; /* or NULL; closed by srcmap_release */
	/* the state */
	struct record_writer *out;
	struct ranks ranks;
	struct trace **trace; /* by the id of the rank; NULL if nothing is held */
	size_t traces, trace_capacity;
	bool lossy; /* kernels were dropped, see srcmap_finish */
};

void srcmap_init(struct srcmap *srcmap, struct record_writer *out);

/* For stage.take; the state is a struct srcmap. */
enum stage_taken srcmap_take(void *state, struct record *record);

/*
 * At the end of input: writes the sources of what is still held.  Gives
 * `status`, or TPA_LOSSY for TPA_DONE if kernels of one pid and idx were dropped;
 * without keep_going they end the tool.
 */
enum tpa_exit srcmap_finish(struct srcmap *srcmap, enum tpa_exit status);

void srcmap_release(struct srcmap *srcmap);

#endif
