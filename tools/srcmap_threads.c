#include "srcmap_threads.h"

#include "diag.h"
#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

static int by_start(int64_t left_ts, int64_t left_end, int64_t right_ts, int64_t right_end)
{
	if (left_ts != right_ts)
		return left_ts < right_ts ? -1 : 1;
	return (left_end < right_end) - (left_end > right_end);
}

static int frames_by_start(const void *a, const void *b, const void *context)
{
	const struct frame *left = a, *right = b;

	(void)context;
	return by_start(left->ts, left->end, right->ts, right->end);
}

static int ops_by_start(const void *a, const void *b, const void *context)
{
	const struct op *left = a, *right = b;

	(void)context;
	return by_start(left->ts, left->end, right->ts, right->end);
}

/* True if any frame had to be cut short. */
static bool nest(struct frame *frame, size_t frames)
{
	int64_t *open = NULL; /* the ends of the frames that are */
	size_t depth = 0, capacity = 0;
	bool cut = false;

	for (size_t i = 0; i < frames; i++) {
		while (depth && open[depth - 1] <= frame[i].ts)
			depth--;
		if (depth && frame[i].end > open[depth - 1]) {
			frame[i].end = open[depth - 1];
			cut = true;
		}
		open = xgrow(open, &capacity, depth + 1, sizeof(*open));
		open[depth++] = frame[i].end;
	}
	free(open);
	return cut;
}

static int by_order(const void *a, const void *b, const void *context)
{
	const struct frame *left = a, *right = b;

	(void)context;
	return (left->order > right->order) - (left->order < right->order);
}

static void restore_order_of_equals(struct frame *frame, size_t frames)
{
	for (size_t start = 0, end; start < frames; start = end) {
		end = start + 1;
		while (end < frames && frame[end].ts == frame[start].ts &&
		       frame[end].end == frame[start].end)
			end++;
		if (end - start > 1)
			stable_sort(&frame[start], end - start, sizeof(*frame), by_order, NULL);
	}
}

void thread_ready_frames(struct thread *thread)
{
	if (thread->frames_ready)
		return;
	thread->frames_ready = true;
	stable_sort(thread->frame, thread->frames, sizeof(*thread->frame), frames_by_start, NULL);
	if (nest(thread->frame, thread->frames))
		restore_order_of_equals(thread->frame, thread->frames);
}

void thread_ops_at(struct thread *thread, struct moment *moment, size_t moments)
{
	size_t *open = NULL, depth = 0, capacity = 0, next = 0;

	if (!thread->ops_ready)
		stable_sort(thread->op, thread->ops, sizeof(*thread->op), ops_by_start, NULL);
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
		while (depth && thread->op[open[depth - 1]].end < now)
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
	} *item;
	size_t depth, capacity;
};

static void open_frame(struct open_frames *open, const struct frame *frame)
{
	size_t meaningful;

	while (open->depth && open->item[open->depth - 1].end <= frame->ts)
		open->depth--;
	meaningful = open->depth ? open->item[open->depth - 1].meaningful : 0;
	open->item = xgrow(open->item, &open->capacity, open->depth + 1, sizeof(*open->item));
	open->item[open->depth] = (struct open_frame){
		.end = frame->end,
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
			open_frame(&open, &thread->frame[next++]);
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
