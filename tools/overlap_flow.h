/*
 * overlap_flow: a rank's kernels when they come by start time, each written as
 * soon as it is over.
 *
 *	flow_add(&flow, record, group, &times);		for each kernel
 *	flow_finish(&flow);
 *
 * Within a group a kernel is over when one comes that does not start before its
 * end; those that are over together come out by (end, idx), each with its covers
 * behind it.  flow_finish writes those still running, by group, and then the
 * windows.  Only what runs is held, and each name once.
 */
#ifndef TPA_OVERLAP_FLOW_H
#define TPA_OVERLAP_FLOW_H

#include "overlap_groups.h"

struct flow_group;
struct flow_kernel;

struct flow {
	struct groups groups;
	struct record_writer *out;
	struct flow_group **group;
	size_t group_count;
	size_t group_capacity;
	struct flow_kernel *kernel; /* those that run, by slot */
	size_t slots;
	size_t capacity;
	uint32_t vacant;     /* the first slot that is free again */
	struct buffer begin; /* of cover records */
};

void flow_init(struct flow *flow, struct record_writer *out);

/* False with the fault noted if the kernel starts before the last one of its group. */
bool flow_add(struct flow *flow, struct record *kernel, uint32_t group,
	      const struct kernel_times *times);

void flow_finish(struct flow *flow);
void flow_release(struct flow *flow);

#endif
