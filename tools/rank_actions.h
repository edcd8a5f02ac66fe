/*
 * rank_actions: what to try first in a group, and what to leave alone
 * (top_overlap_opportunities, top_hidden_low_roi, build_action_rows and what
 * they use of the reference script).
 *
 * At most five rows of "headroom", kernels that nothing hides, and five of
 * "low-roi-hidden", small kernels that are hidden already.
 */
#ifndef TPA_RANK_ACTIONS_H
#define TPA_RANK_ACTIONS_H

#include "rank_kernels.h"
#include "rank_sources.h"
#include "rank_totals.h"
#include "record_io.h"

#include <stdint.h>

struct action_limits {
	int64_t rows;	  /* at most so many; 0: all */
	double min_share; /* in percent of the busy time */
};

/* Writes the `action` records of a group. */
void actions_write(struct record_writer *out, const struct totals *totals,
		   const struct rank_kernels *held, const struct group *group,
		   struct rank_sources *sources, const struct action_limits *limits);

#endif
