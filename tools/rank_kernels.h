/*
 * rank_kernels: what is held of one rank until it is ranked.
 *
 * Kernels, the time each was hidden under which name (`cover`), and the busy
 * time of each group (`window`).  A group is the kernels of one rank, process
 * and stage, a process all of its kernels whatever their stage; idx names a
 * kernel of a process.  64 bytes a kernel, 16 a cover, and 8 each while ranked.
 *
 * Names, categories, streams and keys are interned as the records have them,
 * escaped.  Times are ns; none is negative but ts, and all sums fit.
 */
#ifndef TPA_RANK_KERNELS_H
#define TPA_RANK_KERNELS_H

#include "intern.h"
#include "record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel {
	int64_t ts, dur;
	int64_t hidden, exclusive, hidden_compute;
	uint32_t idx;
	uint32_t name, category, stream;
	uint32_t group;
};

struct cover {
	int64_t ns;
	uint32_t idx;
	uint32_t name;
};

struct group {
	uint32_t process;
	uint32_t count; /* its kernels */
	int64_t busy;	/* as its window record says; -1 if there was none */
	/* set by rank_kernels_settle: its kernels of the process, in the order of idx */
	uint32_t *member;
};

struct process {
	struct kernel *kernel; /* in their order of arrival */
	struct cover *cover;
	size_t kernels, kernel_capacity;
	size_t covers, cover_capacity;
	/* set by rank_kernels_settle */
	uint32_t *cover_order; /* by idx and falling time */
	uint32_t *member;      /* those of all groups */
	size_t cover_order_capacity, member_capacity;
	uint32_t *shown;       /* the groups to be ranked, in the order to be shown */
	uint32_t shown_count;
	size_t shown_capacity;
};

struct rank_kernels {
	struct intern texts;	    /* of kernels */
	struct intern group_keys;   /* "RANK\tPID\tSTAGE", by group */
	struct intern process_keys; /* "RANK\tPID", by process */
	struct group *group;
	size_t group_capacity;
	struct process *process;
	size_t process_capacity;
	uint32_t last; /* the group found last */
	uint32_t last_name, last_category, last_stream, last_cover; /* texts */
	int64_t dur, hidden, exclusive, hidden_compute, covered; /* sums */
};

#define RANK_KERNELS_INIT {0}

/* Takes a `kernel`, `cover` or `window` record; false with the fault noted. */
bool rank_kernels_take(struct rank_kernels *held, struct record *record)
	__attribute__((warn_unused_result));

/* Whether all that was hidden is covered: no cover record is still to come. */
bool rank_kernels_covered(const struct rank_kernels *held);

/*
 * Puts the kernels and covers of a process in order.  False, after saying why,
 * if two of its kernels have one idx: nothing true can be said of them.
 */
bool rank_kernels_settle(struct rank_kernels *held, uint32_t process)
	__attribute__((warn_unused_result));

/* Stages are shown in the order of the work; those we do not know come last. */
int stage_order(struct field stage);

/* The stage's name, of a group's key. */
struct field group_stage(const struct rank_kernels *held, const struct group *group);

void process_add_kernel(struct process *process, const struct kernel *kernel);
void process_add_cover(struct process *process, const struct cover *cover);

static inline struct kernel *process_kernel(const struct process *process, size_t place)
{
	return &process->kernel[place];
}

static inline struct cover *process_cover(const struct process *process, size_t place)
{
	return &process->cover[place];
}

/* Of a group that is settled. */
static inline const struct kernel *group_kernel(const struct rank_kernels *held,
						const struct group *group, uint32_t place)
{
	return process_kernel(&held->process[group->process], group->member[place]);
}

static inline int64_t kernel_end(const struct kernel *kernel)
{
	return kernel->ts + kernel->dur;
}

void rank_kernels_release(struct rank_kernels *held);

#endif
