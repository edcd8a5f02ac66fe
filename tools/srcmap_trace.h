/*
 * srcmap_trace: what is held of one rank's trace.
 *
 * In: the records of the rank.
 *
 *	cpu_op<TAB>0<TAB>7<TAB>7<TAB>12.000<TAB>3.000<TAB>41<TAB>aten::mm
 *	kernel<TAB>0<TAB>0<TAB>all<TAB>0<TAB>7<TAB>20<TAB>14.000<TAB>...
 *
 * Held: 16 bytes a Python frame, 24 a CPU op, 32 a launch, 40 a kernel, and each
 * name once.  Times are int64 ns.  Ids that are not there are 0.
 *
 * A CPU record counts when it lasts: one whose dur is 0 or less is passed over,
 * as are frames that are worth nothing in a scope chain (names.h).
 */
#ifndef TPA_SRCMAP_TRACE_H
#define TPA_SRCMAP_TRACE_H

#include "intern.h"
#include "record.h"
#include "srcmap_texts.h"
#include "xalloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A dur that does not fit (4.29 s and more, as only outermost frames have) is
 * kept aside: then is_long is set, and dur says where in thread.long_dur.
 */
struct frame {
	int64_t ts;
	uint32_t dur;
	uint32_t name : 30;
	uint32_t is_long : 1;
	uint32_t meaningful : 1; /* else it serves when no meaningful one is there */
};

struct op {
	int64_t ts, ext;
	uint32_t dur;
	uint32_t name : 30;
	uint32_t is_long : 1;
};

struct launch {
	int64_t ts, dur, corr;
	uint32_t name, thread;
};

struct kernel {
	int64_t ts, idx, ext, corr;
	uint32_t cell;
};

/* The ends of the frames that are open at a moment, the innermost last. */
struct open_ends {
	int64_t *end;
	size_t depth, capacity;
};

/* The thread a record is of: its pid and tid as they stand in the record. */
struct thread {
	struct frame *frame;
	struct op *op;
	int64_t *long_dur;
	size_t frames, frame_capacity;
	size_t ops, op_capacity;
	size_t long_durs, long_dur_capacity;
	struct open_ends open; /* at the start of the last frame */
	bool frames_loose;     /* they do not come in order and nest, as those of most do */
	bool ops_ready;	       /* put in order by srcmap_threads.h */
};

static inline int64_t frame_end(const struct thread *thread, const struct frame *frame)
{
	return frame->ts + (frame->is_long ? thread->long_dur[frame->dur] : frame->dur);
}

static inline int64_t op_end(const struct thread *thread, const struct op *op)
{
	return op->ts + (op->is_long ? thread->long_dur[op->dur] : op->dur);
}

/* A frame that ends at `start` is over. */
static inline void open_ends_leave(struct open_ends *open, int64_t start)
{
	while (open->depth && open->end[open->depth - 1] <= start)
		open->depth--;
}

static inline void open_ends_enter(struct open_ends *open, int64_t end)
{
	open->end = xgrow(open->end, &open->capacity, open->depth + 1, sizeof(*open->end));
	open->end[open->depth++] = end;
}

/* Whether a frame that ends then would outlive the innermost one open. */
static inline bool open_ends_before(const struct open_ends *open, int64_t end)
{
	return open->depth && open->end[open->depth - 1] < end;
}

/* The kernels of one process in one stage. */
struct group {
	uint32_t pid, stage; /* of trace.pids and .stages */
};

/* The kernels of one name in a group. */
struct cell {
	uint32_t group, name; /* of trace.groups and .kernel_names */
	size_t kernels;
};

struct trace {
	struct texts texts;
	struct intern thread_names;
	struct thread *thread; /* by the id of its name */
	size_t thread_capacity;
	struct launch *launch;
	size_t launches, launch_capacity;
	struct kernel *kernel;
	size_t kernels, kernel_capacity;
	struct intern pids, stages, kernel_names; /* as they stand in a record */
	struct intern group_names, cell_names;
	struct group *group;
	struct cell *cell;
	size_t group_capacity, cell_capacity;
	uint32_t last_thread, last_group;
	uint32_t last_frame, last_op, last_launch; /* names, of texts, */
	uint32_t last_kernel_name, last_cell;	   /* and of kernels */
};

#define TRACE_INIT {0}

/*
 * Takes what is needed from a kernel, cpu_op, python or launch record; false,
 * with the fault noted, if a column does not hold what it should.
 */
bool trace_add(struct trace *trace, struct record *record);

/*
 * Puts the kernels in the order of idx (then pid) and drops all but the first
 * of those that have pid and idx in common.  Gives how many it dropped.
 */
size_t trace_order_kernels(struct trace *trace);

void trace_release(struct trace *trace);

#endif
