#include "srcmap_trace.h"

#include "diag.h"
#include "names.h"
#include "sort.h"

#include <stdlib.h>
#include <string.h>

/* Two fields that follow each other, with the tab between them. */
static struct field join(struct field first, struct field second)
{
	return (struct field){first.text, (size_t)(second.text + second.length - first.text)};
}

/* Whether the field is the text that was interned as `id`. */
static bool is_interned(const struct intern *table, uint32_t id, struct field field)
{
	return id < table->count && table->item[id].length == field.length &&
	       same_bytes(table->item[id].text, field.text, field.length);
}

/* Records of a thread come in runs, so the last one's is tried first. */
static uint32_t find_thread(struct trace *trace, struct field pid, struct field tid)
{
	struct field name = join(pid, tid);
	uint32_t known = trace->thread_names.count, id;

	if (is_interned(&trace->thread_names, trace->last_thread, name))
		return trace->last_thread;
	id = intern(&trace->thread_names, name.text, name.length);
	if (id == known) {
		trace->thread = xgrow(trace->thread, &trace->thread_capacity, (size_t)id + 1,
				      sizeof(*trace->thread));
		trace->thread[id] = (struct thread){0};
	}
	trace->last_thread = id;
	return id;
}

/* What a frame or an op holds for its dur; *is_long if that is a place aside. */
static uint32_t keep_dur(struct thread *thread, int64_t dur, bool *is_long)
{
	*is_long = dur > UINT32_MAX;
	if (!*is_long)
		return (uint32_t)dur;
	if (thread->long_durs == UINT32_MAX)
		diag_die("too many long frames on one thread");
	thread->long_dur = xgrow(thread->long_dur, &thread->long_dur_capacity,
				 thread->long_durs + 1, sizeof(*thread->long_dur));
	thread->long_dur[thread->long_durs] = dur;
	return (uint32_t)thread->long_durs++;
}

/* Notes whether the last frame still comes in order and nests. */
static void follow_frames(struct thread *thread)
{
	const struct frame *frame = &thread->frame[thread->frames - 1];
	int64_t end = frame_end(thread, frame);

	if (thread->frames_loose)
		return;
	open_ends_leave(&thread->open, frame->ts);
	thread->frames_loose = (thread->frames > 1 && frame[-1].ts > frame->ts) ||
			       open_ends_before(&thread->open, end);
	open_ends_enter(&thread->open, end);
}

static bool add_frame(struct trace *trace, struct record *record)
{
	struct thread *thread;
	struct frame *frame;
	uint32_t name, id;
	unsigned worth;
	bool is_long;
	int64_t ts, dur;

	if (!record_time(record, PYTHON_TS, &ts) || !record_time(record, PYTHON_DUR, &dur))
		return false;
	name = texts_add_field(&trace->texts, &trace->last_frame, record->field[PYTHON_NAME]);
	worth = texts_worth(&trace->texts, name);
	if (dur <= 0 || worth == SCOPE_NONE)
		return true;
	id = find_thread(trace, record->field[PYTHON_PID], record->field[PYTHON_TID]);
	thread = &trace->thread[id];
	thread->frame = xstretch(thread->frame, &thread->frame_capacity, thread->frames + 1,
				 sizeof(*thread->frame));
	frame = &thread->frame[thread->frames++];
	frame->ts = ts;
	frame->dur = keep_dur(thread, dur, &is_long);
	frame->name = name & TEXT_ID_MAX;
	frame->is_long = is_long;
	frame->meaningful = (worth & SCOPE_MEANINGFUL) != 0;
	follow_frames(thread);
	return true;
}

static bool add_op(struct trace *trace, struct record *record)
{
	struct thread *thread;
	struct op *op;
	int64_t ts, dur, ext = 0;
	bool is_long;
	uint32_t id;

	if (!record_time(record, CPU_OP_TS, &ts) || !record_time(record, CPU_OP_DUR, &dur) ||
	    !record_int_if_known(record, CPU_OP_EXT, &ext))
		return false;
	if (dur <= 0)
		return true;
	id = find_thread(trace, record->field[CPU_OP_PID], record->field[CPU_OP_TID]);
	thread = &trace->thread[id];
	thread->op =
	    xstretch(thread->op, &thread->op_capacity, thread->ops + 1, sizeof(*thread->op));
	op = &thread->op[thread->ops++];
	op->ts = ts;
	op->ext = ext;
	op->dur = keep_dur(thread, dur, &is_long);
	op->name = texts_add_field(&trace->texts, &trace->last_op, record->field[CPU_OP_NAME]) &
		   TEXT_ID_MAX;
	op->is_long = is_long;
	return true;
}

static bool add_launch(struct trace *trace, struct record *record)
{
	struct launch launch = {0};

	if (!record_time(record, LAUNCH_TS, &launch.ts) ||
	    !record_time(record, LAUNCH_DUR, &launch.dur) ||
	    !record_int_if_known(record, LAUNCH_CORR, &launch.corr))
		return false;
	if (launch.dur <= 0 || !launch.corr)
		return true;
	launch.name =
	    texts_add_field(&trace->texts, &trace->last_launch, record->field[LAUNCH_NAME]);
	launch.thread = find_thread(trace, record->field[LAUNCH_PID], record->field[LAUNCH_TID]);
	trace->launch = xstretch(trace->launch, &trace->launch_capacity, trace->launches + 1,
				 sizeof(*trace->launch));
	trace->launch[trace->launches++] = launch;
	return true;
}

static uint32_t find_group(struct trace *trace, struct field pid, struct field stage)
{
	struct field name = join(pid, stage);
	uint32_t known = trace->group_names.count, id;

	if (is_interned(&trace->group_names, trace->last_group, name))
		return trace->last_group;
	id = intern(&trace->group_names, name.text, name.length);
	if (id == known) {
		trace->group = xgrow(trace->group, &trace->group_capacity, (size_t)id + 1,
				     sizeof(*trace->group));
		trace->group[id] = (struct group){
		    .pid = intern(&trace->pids, pid.text, pid.length),
		    .stage = intern(&trace->stages, stage.text, stage.length),
		};
	}
	trace->last_group = id;
	return id;
}

static uint32_t find_cell(struct trace *trace, uint32_t group, struct field name)
{
	uint32_t known = trace->cell_names.count, key[2], id;

	key[0] = group;
	key[1] = intern_next(&trace->kernel_names, &trace->last_kernel_name, name.text,
			     name.length);
	id = intern_next(&trace->cell_names, &trace->last_cell, (const char *)key, sizeof(key));

	if (id == known) {
		trace->cell =
		    xgrow(trace->cell, &trace->cell_capacity, (size_t)id + 1, sizeof(*trace->cell));
		trace->cell[id] = (struct cell){.group = group, .name = key[1]};
	}
	return id;
}

static bool add_kernel(struct trace *trace, struct record *record)
{
	struct kernel kernel = {0};
	uint32_t group;

	if (!record_int(record, KERNEL_IDX, &kernel.idx) ||
	    !record_time(record, KERNEL_TS, &kernel.ts) ||
	    !record_int_if_known(record, KERNEL_EXT, &kernel.ext) ||
	    !record_int_if_known(record, KERNEL_CORR, &kernel.corr))
		return false;
	group = find_group(trace, record->field[KERNEL_PID], record->field[KERNEL_STAGE]);
	kernel.cell = find_cell(trace, group, record->field[KERNEL_NAME]);
	trace->kernel = xstretch(trace->kernel, &trace->kernel_capacity, trace->kernels + 1,
				 sizeof(*trace->kernel));
	trace->kernel[trace->kernels++] = kernel;
	return true;
}

bool trace_add(struct trace *trace, struct record *record)
{
	switch (record->type) {
	case RECORD_PYTHON:
		return add_frame(trace, record);
	case RECORD_CPU_OP:
		return add_op(trace, record);
	case RECORD_LAUNCH:
		return add_launch(trace, record);
	case RECORD_KERNEL:
		return add_kernel(trace, record);
	default:
		return true;
	}
}

static uint32_t pid_of(const struct trace *trace, const struct kernel *kernel)
{
	return trace->group[trace->cell[kernel->cell].group].pid;
}

static int by_idx(const void *a, const void *b, const void *context)
{
	const struct kernel *left = a, *right = b;
	uint32_t left_pid, right_pid;

	if (left->idx != right->idx)
		return left->idx < right->idx ? -1 : 1;
	left_pid = pid_of(context, left);
	right_pid = pid_of(context, right);
	return (left_pid > right_pid) - (left_pid < right_pid);
}

size_t trace_order_kernels(struct trace *trace)
{
	size_t kept = 0, dropped;

	stable_sort(trace->kernel, trace->kernels, sizeof(*trace->kernel), by_idx, trace);
	for (size_t i = 0; i < trace->kernels; i++) {
		const struct kernel *kernel = &trace->kernel[i];

		if (kept && !by_idx(&trace->kernel[kept - 1], kernel, trace))
			continue;
		trace->cell[kernel->cell].kernels++;
		trace->kernel[kept++] = *kernel;
	}
	dropped = trace->kernels - kept;
	trace->kernels = kept;
	return dropped;
}

void trace_release(struct trace *trace)
{
	for (uint32_t id = 0; id < trace->thread_names.count; id++) {
		struct thread *thread = &trace->thread[id];

		xstretch_free(thread->frame, thread->frame_capacity, sizeof(*thread->frame));
		xstretch_free(thread->op, thread->op_capacity, sizeof(*thread->op));
		free(thread->long_dur);
		free(thread->open.end);
	}
	free(trace->thread);
	xstretch_free(trace->launch, trace->launch_capacity, sizeof(*trace->launch));
	xstretch_free(trace->kernel, trace->kernel_capacity, sizeof(*trace->kernel));
	free(trace->group);
	free(trace->cell);
	texts_release(&trace->texts);
	intern_release(&trace->thread_names);
	intern_release(&trace->pids);
	intern_release(&trace->stages);
	intern_release(&trace->kernel_names);
	intern_release(&trace->group_names);
	intern_release(&trace->cell_names);
	*trace = (struct trace)TRACE_INIT;
}
