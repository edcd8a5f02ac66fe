/*
 * extract_threads: what the records of one thread begin with.
 *
 * Events of one thread follow one another; the text "RANK<TAB>PID<TAB>TID" and
 * the ids of its parts are made once and found again by the bytes of pid and
 * tid in the trace.  A fixed number of threads is kept in mind.
 */
#ifndef TPA_EXTRACT_THREADS_H
#define TPA_EXTRACT_THREADS_H

#include "extract_kernels.h"
#include "extract_event.h"

struct known_thread {
	struct buffer key; /* pid and tid as in the trace */
	size_t pid_length; /* of the key */
	uint64_t short_pid, short_tid; /* their bytes, if neither has more than eight */
	struct buffer head;	/* "RANK<TAB>PID<TAB>TID", escaped */
	struct buffer pid, tid; /* plain */
	uint32_t tag;		/* of kernels->tags */
};

#define KNOWN_THREADS 256

struct known_threads {
	struct known_thread slot[KNOWN_THREADS];
	struct known_thread *last;
};

/*
 * The thread of an event.  `own_label` is the rank's escaped label, for processes
 * without a tag of their own.  Holds until the next call.
 */
const struct known_thread *known_threads_find(struct known_threads *threads,
					      struct kernels *kernels,
					      const struct trace_event *event,
					      const struct buffer *own_label);

void known_threads_release(struct known_threads *threads);

#endif
