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

/* A pid or tid as in the trace. */
struct thread_part {
	uint64_t bytes; /* if there are no more than eight, with zeros behind them */
	uint32_t length;
	bool bare;
};

struct known_thread {
	struct buffer key; /* the bytes of pid and tid */
	struct thread_part pid_part, tid_part;
	struct buffer head;	/* "RANK<TAB>PID<TAB>TID", escaped */
	struct buffer pid, tid; /* plain */
	uint32_t tag;		/* of kernels->tags */
	uint32_t process, kernel_tid; /* of kernels; INTERN_NONE before the first kernel */
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
struct known_thread *known_threads_find(struct known_threads *threads, struct kernels *kernels,
					const struct trace_event *event,
					const struct buffer *own_label);

/* In the window eight bytes of a slice can always be read. */
static inline uint64_t thread_part_bytes(const struct json_slice *slice)
{
	static const char mask[16] = "\xff\xff\xff\xff\xff\xff\xff\xff";
	uint64_t bytes, wanted;

	memcpy(&bytes, slice->text, 8);
	memcpy(&wanted, mask + (8 - slice->length), 8);
	return bytes & wanted;
}

static inline bool thread_part_is(const struct thread_part *part, const struct json_slice *slice)
{
	return part->length == slice->length && part->bare == (slice->kind == JSON_BARE) &&
	       slice->length <= 8 && part->bytes == thread_part_bytes(slice);
}

/* Whether the thread found last is this event's too; most often it can be told at once. */
static inline bool known_threads_is_last(const struct known_threads *threads,
					 const struct trace_event *event)
{
	const unsigned both = EVENT_BIT(EVENT_PID) | EVENT_BIT(EVENT_TID);

	return threads->last && (event->have & both) == both &&
	       thread_part_is(&threads->last->pid_part, &event->field[EVENT_PID]) &&
	       thread_part_is(&threads->last->tid_part, &event->field[EVENT_TID]);
}

void known_threads_release(struct known_threads *threads);

#endif
