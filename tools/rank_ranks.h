/*
 * rank_ranks: the ranks of a stream, each ranked as soon as it is complete.
 *
 * Three things make up the source map that serves a rank, in this order: the
 * maps that were given (-m), the maps put into the stream, which are the
 * `source` and `site` records of ranks without a kernel, and the rank's own.
 *
 * While there are records of a map in the stream whose rank may still get
 * kernels, no rank is finished before the end of input: whom they serve is not
 * known until then.
 *
 * Where all ranks are ranked together, all of their maps add up, and each rank
 * is added and forgotten as soon as it is complete.
 */
#ifndef TPA_RANK_RANKS_H
#define TPA_RANK_RANKS_H

#include "rank_actions.h"
#include "rank_merge.h"
#include "rank_spread.h"
#include "ranks.h"
#include "record_io.h"
#include "source_map.h"

#include <stdbool.h>

/* How the groups are ranked.  With merge or spread, each rank alone is not. */
struct ranking {
	bool totals; /* `total` records are wanted, too */
	bool merge;  /* one ranking over all ranks */
	bool spread; /* how far the ranks are apart */
	struct action_limits limits;
};

struct held_rank;

struct rank_ranks {
	const struct ranking *ranking;
	struct record_writer *out;
	struct ranks ranks;
	struct held_rank *held; /* by the rank's id */
	size_t capacity;
	uint32_t known;
	struct source_map base; /* of -m, and of ranks that ended without kernels */
	uint32_t pending;	/* ranks with a source map, without kernels, not ended */
	uint32_t ranked;	/* ranks whose actions are written */
	struct rank_merge merge;
	struct rank_spread spread;
	bool failed;		/* something could not be ranked; it has been said why */
};

#define RANK_RANKS_WANTS \
	(RECORD_BIT(RECORD_META) | RECORD_BIT(RECORD_KERNEL) | RECORD_BIT(RECORD_COVER) | \
	 RECORD_BIT(RECORD_WINDOW) | RECORD_BIT(RECORD_SOURCE) | RECORD_BIT(RECORD_SITE))

/* Fill `base` with the maps that are given before the first record is taken. */
void rank_ranks_init(struct rank_ranks *all, const struct ranking *ranking,
		     struct record_writer *out);

/* Takes a record; writes a rank's results before its `end`.  False with the fault noted. */
bool rank_ranks_take(struct rank_ranks *all, struct record *record)
	__attribute__((warn_unused_result));

/* At the end of input: ranks what is left, in the order of first sight, then all together. */
void rank_ranks_finish(struct rank_ranks *all);

void rank_ranks_release(struct rank_ranks *all);

#endif
