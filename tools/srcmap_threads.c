#include "srcmap_threads.h"

#include "diag.h"
#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

static int frames_by_start(const void *a, const void *b, const void *context)
{
	const struct frame *left = a, *right = b;

	(void)context;
	return (left->ts > right->ts) - (left->ts < right->ts);
}

static int frames_by_falling_end(const void *a, const void *b, const void *context)
{
	int64_t left = frame_end(context, a), right = frame_end(context, b);

	return (left < right) - (left > right);
}

static int ops_by_start(const void *a, const void *b, const void *context)
{
	const struct op *left = a, *right = b;
	int64_t left_end, right_end;

	if (left->ts != right->ts)
		return left->ts < right->ts ? -1 : 1;
	left_end = op_end(context, left);
	right_end = op_end(context, right);
	return (left_end < right_end) - (left_end > right_end);
}

/* Cut short only: so the dur of a long one still has its place aside. */
static void end_at(struct thread *thread, struct frame *frame, int64_t end)
{
	if (frame->is_long)
		thread->long_dur[frame->dur] = end - frame->ts;
	else
		frame->dur = (uint32_t)(end - frame->ts);
}

/*
 * Frames that start together all end with the frame that they are called from,
 * whichever of them calls which; so they can be cut before they are put in order.
 */
static void nest(struct thread *thread, struct frame *frame, size_t frames)
{
	struct open_ends *open = &thread->open;

	open_ends_leave(open, frame->ts);
	for (size_t i = 0; i < frames; i++)
		if (open_ends_before(open, frame_end(thread, &frame[i])))
			end_at(thread, &frame[i], open->end[open->depth - 1]);
	if (frames > 1)
		stable_sort(frame, frames, sizeof(*frame), frames_by_falling_end, thread);
	for (size_t i = 0; i < frames; i++)
		open_ends_enter(open, frame_end(thread, &frame[i]));
}

void thread_ready_frames(struct thread *thread)
{
	struct frame *frame = thread->frame;

	if (!thread->frames_loose)
		return;
	thread->frames_loose = false;
	thread->open.depth = 0;
	stable_sort(frame, thread->frames, sizeof(*frame), frames_by_start, NULL);
	for (size_t start = 0, end; start < thread->frames; start = end) {
		end = start + 1;
		while (end < thread->frames && frame[end].ts == frame[start].ts)
			end++;
		nest(thread, &frame[start], end - start);
	}
}

void thread_ops_at(struct thread *thread, struct moment *moment, size_t moments)
{
	size_t *open = NULL, depth = 0, capacity = 0, next = 0;

	if (!thread->ops_ready)
		stable_sort(thread->op, thread->ops, sizeof(*thread->op), ops_by_start, thread);
	thread->ops_ready = true;
	if (thread->ops >= THREAD_NO_OP)
		diag_die("too many CPU ops on one thread");
	for (size_t i = 0; i < moments; i++) {
		int64_t now = moment[i].from;

		for (; next < thread->ops && thread->op[next].ts <= now; next++) {
			open = xgrow(open, &capacity, depth + 1, sizeof(*open));
			open[depth++] = next;
		}
		/* what ended before now is of no use to a later moment either */
		while (depth && op_end(thread, &thread->op[open[depth - 1]]) < now)
			depth--;
		moment[i].answer = depth ? (uint32_t)open[depth - 1] : THREAD_NO_OP;
	}
	free(open);
}

/* The frames open at a moment, the outermost first. */
struct open_frames {
	struct open_frame {
		int64_t end;
		size_t meaningful; /* 1 + the place of the last meaningful one up to here, or 0 */
		uint32_t name;
	} * item;
	size_t depth, capacity;
};

static void open_frame(struct open_frames *open, const struct thread *thread,
		       const struct frame *frame)
{
	size_t meaningful;

	while (open->depth && open->item[open->depth - 1].end <= frame->ts)
		open->depth--;
	meaningful = open->depth ? open->item[open->depth - 1].meaningful : 0;
	open->item = xgrow(open->item, &open->capacity, open->depth + 1, sizeof(*open->item));
	open->item[open->depth] = (struct open_frame){
	    .end = frame_end(thread, frame),
	    .meaningful = frame->meaningful ? open->depth + 1 : meaningful,
	    .name = frame->name,
	};
	open->depth++;
}

static struct chain open_chain(const struct open_frames *open)
{
	size_t place[CHAIN_MAX], count = 0;
	size_t at = open->depth ? open->item[open->depth - 1].meaningful : 0;
	struct chain chain = CHAIN_INIT;
	bool meaningful = at > 0;

	if (!meaningful)
		at = open->depth;
	while (at && count < CHAIN_MAX) {
		place[count++] = --at;
		if (meaningful && at)
			at = open->item[at - 1].meaningful;
	}
	while (count)
		chain_add(&chain, open->item[place[--count]].name, meaningful);
	return chain;
}

void thread_chains_at(struct thread *thread, struct chains *chains, struct texts *texts,
		      struct moment *moment, size_t moments)
{
	struct open_frames open = {0};
	size_t next = 0;

	thread_ready_frames(thread);
	for (size_t i = 0; i < moments; i++) {
		int64_t now = moment[i].from;
		struct chain chain;

		if (i && moment[i - 1].from == now) {
			moment[i].answer = moment[i - 1].answer;
			continue;
		}
		while (next < thread->frames && thread->frame[next].ts < now)
			open_frame(&open, thread, &thread->frame[next++]);
		while (open.depth && open.item[open.depth - 1].end < now)
			open.depth--;
		chain = open_chain(&open);
		/* one that starts now stands beside one that ends now: it does not close it */
		for (size_t here = next; here < thread->frames && thread->frame[here].ts == now;
		     here++)
			chain_add(&chain, thread->frame[here].name, thread->frame[here].meaningful);
		moment[i].answer = chains_add(chains, texts, &chain);
	}
	free(open.item);
}
