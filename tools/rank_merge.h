/*
 * rank_merge: one ranking over all ranks, stage by stage.
 *
 * Of a rank that is added only this is kept: the totals of its groups, busy time
 * included, added to those of the ranks before it; under what its kernels
 * were hidden; and of each total the one kernel that represents it, with its
 * neighbours, if it outlasts those of the ranks before.  So memory grows with
 * kernel names, not with ranks.
 *
 * Rank and pid of the merged groups are "*".
 */
#ifndef TPA_RANK_MERGE_H
#define TPA_RANK_MERGE_H

#include "intern.h"
#include "rank_actions.h"
#include "rank_kernels.h"
#include "rank_totals.h"
#include "record_io.h"
#include "source_map.h"

#include <stdbool.h>
#include <stddef.h>

struct merged;

struct rank_merge {
	struct intern stages; /* as the records have them */
	struct merged *merged; /* by the stage's id */
	size_t capacity;
};

#define RANK_MERGE_INIT {0}

/* Adds a group that is settled, and its totals; ends the tool if a sum is too large. */
void rank_merge_add(struct rank_merge *merge, const struct rank_kernels *held,
		    const struct group *group, const struct totals *totals);

/* Writes the records of all stages; nothing may be added after it. */
void rank_merge_write(struct rank_merge *merge, struct record_writer *out, struct source_map *map,
		      bool totals, const struct action_limits *limits);

void rank_merge_release(struct rank_merge *merge);

#endif
