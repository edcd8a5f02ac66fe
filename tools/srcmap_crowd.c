#include "srcmap_crowd.h"

#include "sort.h"
#include "srcmap_threads.h"
#include "xalloc.h"

#include <stdlib.h>

#define NOBODY SIZE_MAX

void crowd_init(struct crowd *crowd, struct texts *texts, struct chains *chains)
{
	*crowd = (struct crowd){.texts = texts, .chains = chains};
	crowd->line = xcalloc(texts->names.count, sizeof(*crowd->line));
	for (uint32_t name = 0; name < texts->names.count; name++)
		crowd->line[name] = (struct line){NOBODY, NOBODY};
}

void crowd_release(struct crowd *crowd)
{
	free(crowd->line);
	free(crowd->member);
	heap_release(&crowd->waiting);
	heap_release(&crowd->leaving);
}

static void gather(struct crowd *crowd, struct thread *thread, size_t threads)
{
	crowd->thread = thread;
	crowd->next = xcalloc(threads, sizeof(*crowd->next));
	for (size_t i = 0; i < threads; i++) {
		thread_ready_frames(&thread[i]);
		if (thread[i].frames)
			heap_push(&crowd->waiting, thread[i].frame[0].ts, i);
	}
}

/* All lines are empty again, at the cost of those that were not. */
static void disperse(struct crowd *crowd)
{
	for (size_t i = 0; i < crowd->members; i++)
		crowd->line[crowd->member[i].name] = (struct line){NOBODY, NOBODY};
	crowd->members = 0;
	crowd->waiting.count = 0;
	crowd->leaving.count = 0;
	bitset_release(&crowd->firsts);
	free(crowd->next);
}

static void lead(struct crowd *crowd, size_t member)
{
	bitset_add(&crowd->firsts, member);
	heap_push(&crowd->leaving, crowd->member[member].end, member);
}

/* Whoever ended before `from` leaves, and the next of the name leads: to leave, maybe. */
static void let_out(struct crowd *crowd, int64_t from)
{
	while (crowd->leaving.count && crowd->leaving.item[0].key < from) {
		size_t member = heap_pop(&crowd->leaving);
		struct line *line = &crowd->line[crowd->member[member].name];

		bitset_remove(&crowd->firsts, member);
		line->first = crowd->member[member].namesake;
		if (line->first != NOBODY)
			lead(crowd, line->first);
		else
			line->last = NOBODY;
	}
}

static void join_line(struct crowd *crowd, size_t member)
{
	struct line *line = &crowd->line[crowd->member[member].name];

	if (line->last != NOBODY)
		crowd->member[line->last].namesake = member;
	line->last = member;
	if (line->first != NOBODY)
		return;
	line->first = member;
	lead(crowd, member);
}

static int by_start_and_name(const void *a, const void *b, const void *context)
{
	const struct member *left = a, *right = b;
	const struct texts *texts = context;

	if (left->ts != right->ts)
		return left->ts < right->ts ? -1 : 1;
	if (left->end != right->end)
		return left->end > right->end ? -1 : 1;
	return left->name == right->name ? 0 : texts_compare(texts, left->name, right->name);
}

static void add_member(struct crowd *crowd, const struct frame *frame, int64_t end)
{
	crowd->member = xgrow(crowd->member, &crowd->member_capacity, crowd->members + 1,
			      sizeof(*crowd->member));
	crowd->member[crowd->members++] = (struct member){frame->ts, end, NOBODY, frame->name};
}

/* Whoever starts by `until` comes in; who ended before `from` is not needed any more. */
static void let_in(struct crowd *crowd, int64_t from, int64_t until)
{
	size_t first = crowd->members;

	while (crowd->waiting.count && crowd->waiting.item[0].key <= until) {
		size_t id = heap_pop(&crowd->waiting), next = crowd->next[id];
		const struct thread *thread = &crowd->thread[id];

		for (; next < thread->frames && thread->frame[next].ts <= until; next++) {
			const struct frame *frame = &thread->frame[next];
			int64_t end = frame_end(thread, frame);

			if (frame->meaningful && end >= from)
				add_member(crowd, frame, end);
		}
		crowd->next[id] = next;
		if (next < thread->frames)
			heap_push(&crowd->waiting, thread->frame[next].ts, id);
	}
	if (crowd->members == first)
		return;
	stable_sort(&crowd->member[first], crowd->members - first, sizeof(*crowd->member),
		    by_start_and_name, crowd->texts);
	for (size_t member = first; member < crowd->members; member++)
		join_line(crowd, member);
}

/* How many members start by `until`: an earlier moment may have let in later ones. */
static size_t members_by(const struct crowd *crowd, int64_t until)
{
	size_t low = 0, high = crowd->members;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (crowd->member[middle].ts <= until)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct chain crowd_chain(const struct crowd *crowd, int64_t until)
{
	size_t found[CHAIN_MAX], count = 0, at = members_by(crowd, until);
	struct chain chain = CHAIN_INIT;

	while (count < CHAIN_MAX && (at = bitset_below(&crowd->firsts, at)) != BITSET_NONE)
		found[count++] = at;
	while (count)
		chain_add(&chain, crowd->member[found[--count]].name, true);
	return chain;
}

void crowd_chains_at(struct crowd *crowd, struct thread *thread, size_t threads,
		     struct moment *moment, size_t moments)
{
	gather(crowd, thread, threads);
	for (size_t i = 0; i < moments; i++) {
		struct chain chain;

		let_out(crowd, moment[i].from);
		let_in(crowd, moment[i].from, moment[i].until);
		chain = crowd_chain(crowd, moment[i].until);
		moment[i].answer = chains_add(crowd->chains, crowd->texts, &chain);
	}
	disperse(crowd);
}
