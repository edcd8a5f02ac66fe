/*
 * overlap_stage: the records of a stream to their ranks, and each rank's figures
 * out when it is complete (lib/ranks.h) or the stream is.
 *
 *	overlap_init(&overlap, &stage.out, sorted);
 *	stage: .wants = OVERLAP_WANTS, .take = overlap_take, .state = &overlap
 *	... stage_run ...
 *	overlap_finish(&overlap);
 *	overlap_release(&overlap);
 *
 * At the end of the stream the kernels come out in their order of arrival, then
 * the covers and then the windows, each by rank and then as overlap_hold.h says;
 * with `sorted`, rank by rank, as overlap_flow.h says.
 *
 * `cover` and `window` records that come in are those of an earlier run over the
 * same kernels.  They are left out, since whoever adds them up would count all
 * twice.
 */
#ifndef TPA_OVERLAP_STAGE_H
#define TPA_OVERLAP_STAGE_H

#include "overlap_flow.h"
#include "overlap_hold.h"
#include "ranks.h"
#include "stage.h"

#define OVERLAP_WANTS \
	(RECORD_BIT(RECORD_META) | RECORD_BIT(RECORD_KERNEL) | RECORD_BIT(RECORD_COVER) | \
	 RECORD_BIT(RECORD_WINDOW))

/* A rank with kernels that are not written yet. */
struct overlap_part {
	uint32_t rank;
	union {
		struct hold hold;
		struct flow flow; /* if sorted */
	};
};

/* Kernels of one rank that came one after the other. */
struct overlap_arrival {
	uint32_t rank;
	size_t from;
	size_t count;
};

struct overlap {
	struct record_writer *out;
	struct ranks ranks;
	struct overlap_part **part; /* by rank; NULL: none */
	size_t parts;
	size_t part_capacity;
	struct overlap_arrival *arrival;
	size_t arrivals;
	size_t arrival_capacity;
	uint64_t left_out; /* how many records of an earlier run */
	bool sorted;
};

void overlap_init(struct overlap *overlap, struct record_writer *out, bool sorted);
enum stage_taken overlap_take(void *overlap, struct record *record);
void overlap_finish(struct overlap *overlap);
void overlap_release(struct overlap *overlap);

#endif
