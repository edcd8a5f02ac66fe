/*
 * srcmap_samples: which kernels the source map looks at
 * (sample_source_map_events of the reference script).
 *
 * Of each name in a group the kernels in the order of idx are known by their
 * positions 0..n-1; of n > limit kernels those at i * (n - 1) / (limit - 1) for
 * i = 0..limit-1, rounded half to even, are taken; a limit of 0 takes all.
 *
 * The samples come by stage (extend and prefill, decode, all, then others by
 * first sight), then by process (by its earliest kernel), then by (ts, idx); by
 * idx alone if all are taken.  So a sorted stream gives the same order.
 */
#ifndef TPA_SRCMAP_SAMPLES_H
#define TPA_SRCMAP_SAMPLES_H

#include "srcmap_trace.h"

/* An event of the CPU side that stands for a kernel; name is TEXT_NONE if there is none. */
struct call {
	int64_t ts;
	uint32_t thread, name;
};

struct sample {
	const struct kernel *kernel;
	uint32_t group;
	/* filled in by srcmap_sites.h */
	bool op_by_id; /* the op was found by External id */
	struct call op, launch;
	uint32_t chain; /* of chains, or CHAIN_NONE */
	uint32_t label; /* the text that the chain is counted with */
};

struct samples {
	struct sample *item;
	size_t count;
};

/* The kernels must be in order (trace_order_kernels) and stay where they are. */
struct samples samples_take(const struct trace *trace, size_t limit);

void samples_release(struct samples *samples);

#endif
