/*
 * srcmap_threads: what runs on one thread at a moment.
 *
 * Each question is answered for all moments in one pass over the thread in the
 * order of start, with a stack of what is open.  Frames and ops that did not come
 * in order are put in it when they are first asked for: by start, the longest first,
 * then as they came.  Frames are made to nest: one that ends after the frame it is
 * called from ends with it, and counts as that long.
 */
#ifndef TPA_SRCMAP_THREADS_H
#define TPA_SRCMAP_THREADS_H

#include "srcmap_chains.h"
#include "srcmap_moments.h"
#include "srcmap_trace.h"

#include <stddef.h>
#include <stdint.h>

/* Puts the thread's frames in order and makes them nest, if they do not as they came. */
void thread_ready_frames(struct thread *thread);

/*
 * The innermost op running at each moment: start <= from <= end, of these the
 * one with the largest start, then the shortest, then the last in the trace.
 * The moments are sorted; the answer is an index of thread->op, or THREAD_NO_OP.
 */
#define THREAD_NO_OP UINT32_MAX
void thread_ops_at(struct thread *thread, struct moment *moment, size_t moments);

/* The chain of the frames with start <= from <= end, as an id of `chains`. */
void thread_chains_at(struct thread *thread, struct chains *chains, struct texts *texts,
		      struct moment *moment, size_t moments);

#endif
