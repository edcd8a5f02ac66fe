/*
 * rank_spread: how far the ranks are apart, kernel by kernel.
 *
 * For each stage, kernel name and category, what each rank that ran it spent:
 * launches, and total, exclusive and hidden time, over all its processes.  Of
 * those the least, the most, the median and the standard deviation are written,
 * falling by what the straggler loses against the median.
 *
 * Which rank is the straggler depends on the kernel.  The one that spends most
 * time on work of its own is slow.  But communication waits for the last one to
 * come, so there it is the one that spends least: it waits for nobody.
 *
 * 40 bytes for each rank and kernel name.  Figures do not depend on the order of
 * the ranks; of ranks with the same one, the first that was complete is named.
 */
#ifndef TPA_RANK_SPREAD_H
#define TPA_RANK_SPREAD_H

#include "buffer.h"
#include "intern.h"
#include "rank_kernels.h"
#include "rank_totals.h"
#include "record_io.h"

#include <stddef.h>
#include <stdint.h>

struct spread_row;

struct rank_spread {
	struct intern keys; /* "STAGE\tCATEGORY\tNAME", as the records have them */
	struct spread_row *row; /* by the key's id */
	size_t capacity;
	struct buffer key;
};

#define RANK_SPREAD_INIT {0}

/* Adds the totals of a group of the rank with that id; ends the tool if a sum is too large. */
void rank_spread_add(struct rank_spread *spread, uint32_t rank, const struct rank_kernels *held,
		     const struct group *group, const struct totals *totals);

/* Writes at most `limit` records (0: all); `labels` are those of the ranks. */
void rank_spread_write(const struct rank_spread *spread, struct record_writer *out,
		       const struct intern *labels, int64_t limit);

void rank_spread_release(struct rank_spread *spread);

/* The median; between two, their mean, rounded half to even.  `value` is sorted, not negative. */
int64_t spread_median(const int64_t *value, size_t count);

/*
 * The standard deviation of the whole population, rounded.  Exact unless the
 * values are so many and so far apart, 10,000 ranks by 6 days, that it cannot
 * be worked out in 128 bits; then to 1 in 2^50.  `value` is sorted.
 */
int64_t spread_stddev(const int64_t *value, size_t count);

#endif
