/*
 * overlap_sweep: one group's kernels in order of time, and what each of them
 * was hidden by (analyze_overlap and dominant_overlap_name of the reference
 * script).
 *
 * A kernel is hidden while a kernel of another stream runs, hidden by compute
 * while such a one of category compute does, and exclusive otherwise.  The time
 * in which it is hidden is counted for the name of the dominant one of the
 * kernels of other streams: that of the highest priority, of equals the longest,
 * of equals the one that began first, of equals the one with the lowest idx.  At
 * one instant ends come before starts.
 *
 *	sweep_init(&sweep, ended, context);
 *	for (each kernel, by start)
 *		sweep_add(&sweep, &kernel);	calls ended() for those that have ended
 *	sweep_finish(&sweep);			and for all others
 *	... sweep.window ...
 *	sweep_release(&sweep);
 *
 * Times are ns.  Adding a kernel costs O(log n) with n kernels running, and its
 * end as much again for each name that was dominant meanwhile.  Memory follows
 * what runs at once: about 120 bytes a running kernel, and what overlap_ledger.h
 * says.  It neither reads nor writes anything.
 */
#ifndef TPA_OVERLAP_SWEEP_H
#define TPA_OVERLAP_SWEEP_H

#include "overlap_heap.h"
#include "overlap_ledger.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sweep_kernel {
	int64_t start;
	int64_t end; /* not before start */
	int64_t idx;
	uint32_t stream; /* small numbers of the caller's, */
	uint32_t name;
	uint32_t id;  /* and one for whatever the caller likes */
	int priority; /* of its category, from 0 to 15 */
	bool compute;
};

struct sweep_result {
	int64_t hidden;
	int64_t exclusive;
	int64_t hidden_compute;
	struct cover_list covers; /* by falling time; holds until ended() returns */
};

/* Called for each kernel when it has ended, by (end, idx). */
typedef void sweep_ended(void *context, const struct sweep_kernel *kernel,
			 const struct sweep_result *result);

/* Figures of the group; of no use before there is a kernel. */
struct sweep_window {
	int64_t start;
	int64_t end;
	int64_t busy;	 /* time with a kernel running */
	int64_t overlap; /* time with kernels of two streams running */
	int64_t streams; /* the most streams that ran at once */
	int64_t kernels;
};

struct sweep_running;
struct sweep_stream;

struct sweep {
	struct sweep_window window;
	/* the rest is the sweep's own */
	sweep_ended *ended;
	void *context;
	int64_t now;
	int64_t start;		    /* of the latest kernel */
	int64_t compute;	    /* time with a compute kernel running */
	size_t computing;	    /* how many streams have one, */
	uint32_t computing_streams; /* and the numbers of those, xored */
	struct sweep_running *running;
	size_t room;	       /* of running */
	size_t slots;	       /* how many of them were ever used */
	uint32_t vacant;       /* the first that is free again */
	struct item_heap ends; /* slots by end */
	struct sweep_stream *stream;
	size_t stream_count;
	size_t stream_capacity;
	struct item_heap dominant; /* streams by their dominant kernel */
	struct ledger ledger;
	struct sweep_result result;
};

void sweep_init(struct sweep *sweep, sweep_ended *ended, void *context);

/* Whether the kernel may be added: it does not start before the one added last. */
static inline bool sweep_in_order(const struct sweep *sweep, int64_t start)
{
	return start >= sweep->start;
}

void sweep_add(struct sweep *sweep, const struct sweep_kernel *kernel);
void sweep_finish(struct sweep *sweep);
void sweep_release(struct sweep *sweep);

#endif
