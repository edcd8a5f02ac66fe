/*
 * overlap_groups: the groups of one rank that are swept apart, and the names
 * and streams that their kernels have.
 *
 * A group is what has rank, pid and stage in common (group_events_by_stage of
 * the reference script).
 */
#ifndef TPA_OVERLAP_GROUPS_H
#define TPA_OVERLAP_GROUPS_H

#include "intern.h"
#include "overlap_idx.h"
#include "overlap_ledger.h"
#include "overlap_sweep.h"
#include "record_io.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct group {
	struct field label; /* "RANK\tPID\tSTAGE", as the records have it */
	struct field pid;
	struct field stage;
	uint32_t process;
	uint32_t streams;  /* how many streams its kernels have */
	int64_t first_idx; /* the lowest */
};

struct groups {
	struct group *group; /* by id */
	size_t count;
	size_t capacity;
	struct intern labels;
	struct intern processes;
	struct intern streams;
	struct intern names;
	struct intern members; /* the streams of each group, */
	uint32_t *number;      /* and which of its group's streams each of them is */
	size_t number_capacity;
	struct idx_set seen;
	uint32_t last; /* the group that was found last */
};

/* What of a kernel record is read here. */
struct kernel_times {
	int64_t idx;
	int64_t start;
	int64_t dur;
};

/* False with the fault noted if one of them is none, or does not fit. */
bool kernel_times(struct record *record, struct kernel_times *times);

/* Two fields of a record with all that is between them. */
static inline struct field fields_from_to(struct field first, struct field last)
{
	return (struct field){first.text, (size_t)(last.text + last.length - first.text)};
}

/* The group of a kernel. */
uint32_t groups_find(struct groups *groups, const struct record *kernel);

/* Takes note of a kernel of the group; false with the fault noted if it was there before. */
bool groups_note(struct groups *groups, uint32_t group, struct record *kernel, int64_t idx);

/* The number of a stream among those of the group, from 0. */
uint32_t groups_stream(struct groups *groups, uint32_t group, struct field stream);

/*
 * The ids of all groups in the order in which they are written, by pid, then
 * stage: extend and prefill, decode, all, others by their lowest idx.  The
 * caller frees the list.
 */
uint32_t *groups_in_order(const struct groups *groups);

/* Numbers by value, then all other labels bytewise. */
int label_compare(struct field a, struct field b);

/* What the sweep has to know of a category; "-" is as good as "other". */
struct dominance_class {
	int priority;
	bool compute;
};

struct dominance_class class_of_category(struct field category);

/*
 * The beginning of a kernel's cover records, "cover\tRANK\tPID\tSTAGE\tIDX", which
 * replaces what is in the buffer, and a record with it.
 */
void begin_covers(struct buffer *begin, const struct group *group, int64_t idx);
void put_cover(struct record_writer *out, const struct groups *groups, const struct buffer *begin,
	       uint32_t name, int64_t ns);

void put_window(struct record_writer *out, const struct group *group,
		const struct sweep_window *window);

void groups_release(struct groups *groups);

#endif
