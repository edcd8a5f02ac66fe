/*
 * source: a trace's text, taken apart so that it can be written many times over.
 *
 * Each event keeps its own text, white space and all; only the numbers that
 * must differ between two copies of it (times, ids) are known as slots.
 *
 *	{
 *	  "ph": "X", "cat": "kernel", "name": "gemm", "pid": 2, "tid": 0,
 *	  "ts": 3743411222894.405, "dur": 3.679,
 *	  "args": {"stream": 0, "correlation": 4066}
 *	}
 *
 * Times are int64 ns.
 */
#ifndef TPA_BENCH_SOURCE_H
#define TPA_BENCH_SOURCE_H

#include <stddef.h>
#include <stdint.h>

/* What a slot holds. */
enum slot_kind {
	SLOT_TS,
	SLOT_EXTERNAL, /* External id */
	SLOT_LAUNCH,   /* correlation, and the id of the arrow that goes with it */
	SLOT_PYTHON,   /* Python id, Python parent id */
	SLOT_INDEX,    /* Ev Idx */
	SLOT_SHIFTED,  /* those before it grow from copy to copy */
	SLOT_NAME = SLOT_SHIFTED, /* of a kernel, the place where its first word ends */
	SLOT_DUR,		  /* of a kernel */
	SLOT_STREAM,		  /* of a kernel, its stream and tid */
};

struct slot {
	enum slot_kind kind;
	size_t start, end; /* in the text */
	int64_t value;
};

enum event_side {
	EVENT_CPU,
	EVENT_GPU,  /* and the launches */
	EVENT_ONCE, /* said of the trace as a whole */
};

struct event {
	size_t start, end; /* in the text */
	size_t slot, slots;
	enum event_side side;
	int64_t ts;
	size_t kernel; /* its number, by start time; or EVENT_NO_KERNEL */
};

#define EVENT_NO_KERNEL SIZE_MAX

struct source {
	const char *text;
	size_t length;
	struct event *event; /* in the order of the file */
	size_t events, event_capacity;
	struct slot *slot;
	size_t slots, slot_capacity;
	int64_t *kernel_ts; /* in order */
	size_t kernels;
	int64_t step[SLOT_SHIFTED]; /* how far each kind reaches: what a copy adds */
};

/* The text must outlive it.  Ends the process if it is no trace. */
void source_read(struct source *source, const char *text, size_t length);
void source_release(struct source *source);

#endif
