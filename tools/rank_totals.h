/*
 * rank_totals: the kernels of a group added up by name and category
 * (aggregate_events of the reference script), and the busy time of the group.
 */
#ifndef TPA_RANK_TOTALS_H
#define TPA_RANK_TOTALS_H

#include "rank_kernels.h"
#include "rank_sources.h"
#include "record_io.h"

struct total {
	uint32_t name, category;
	uint32_t next; /* the place of the next one of this name; 0 ends the list */
	int64_t count;
	int64_t total, longest, hidden, exclusive, hidden_compute;
	/* the first of the kernels with the most hidden and exclusive time together */
	const struct kernel *representative;
};

struct totals {
	struct total *item; /* in the order of their first kernel */
	size_t capacity;
	uint32_t count;
	int64_t sum;  /* of all kernels */
	int64_t busy; /* the window's, or worked out from the kernels */
};

#define TOTALS_INIT {0}

void totals_collect(struct totals *totals, const struct rank_kernels *held,
		    const struct group *group);

/*
 * The total of a name and category, added if there is none; it moves when others
 * are.  first[], by name, is the place of a name's first total, plus 1.
 */
struct total *totals_find(struct totals *totals, uint32_t *first, uint32_t name,
			  uint32_t category);

/* Whether a kernel, found later than `best`, is the one to represent their total. */
bool totals_outlasts(const struct kernel *kernel, const struct kernel *best);

/* `part` of `whole` in percent, and as a ratio; 0 of nothing. */
double totals_percent(int64_t part, int64_t whole);
double totals_ratio(int64_t part, int64_t whole);

/* Writes a `total` record for each, by falling time. */
void totals_write(struct record_writer *out, const struct totals *totals,
		  const struct rank_kernels *held, const struct group *group,
		  struct rank_sources *sources);

void totals_release(struct totals *totals);

#endif
