/*
 * srcmap_crowd: what meaningful frames run at a moment on one thread or on all
 * (build_temporal_scope_lookup_from_raw_events of the reference script).
 *
 * The frames are taken by start, the longest first, then by name; of frames
 * with one name the first counts; the chain is the last six of what is left.
 *
 * All moments are answered in one pass over the threads.  Of each name the
 * first frame that still runs is a number in a bitset, so that an answer costs
 * the same whatever the number of frames that run.
 */
#ifndef TPA_SRCMAP_CROWD_H
#define TPA_SRCMAP_CROWD_H

#include "bitset.h"
#include "heap.h"
#include "srcmap_chains.h"
#include "srcmap_moments.h"
#include "srcmap_trace.h"

#include <stddef.h>
#include <stdint.h>

struct crowd {
	struct texts *texts;
	struct chains *chains;
	struct thread *thread;
	size_t *next;	     /* by thread: its first frame that was not looked at */
	struct heap waiting; /* threads, by the start of that frame */
	struct member {
		int64_t ts, end;
		size_t namesake; /* the next member of this name */
		uint32_t name;
	} *member; /* whoever was let in, by start */
	size_t members, member_capacity;
	struct line {
		size_t first, last; /* members of one name; the first still runs */
	} *line;		    /* by name */
	struct bitset firsts;	    /* the firsts of all lines */
	struct heap leaving;	    /* the same, by their ends */
};

/* To be called when all frames are there; names and chains go to the two tables. */
void crowd_init(struct crowd *crowd, struct texts *texts, struct chains *chains);

/*
 * The chain of the frames with start <= until and end >= from, as an id of
 * `chains`.  The moments are sorted; until is from plus 2 at most.
 */
void crowd_chains_at(struct crowd *crowd, struct thread *thread, size_t threads,
		     struct moment *moment, size_t moments);

void crowd_release(struct crowd *crowd);

#endif
