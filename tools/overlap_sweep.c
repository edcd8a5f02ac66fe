#include "overlap_sweep.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct sweep_running {
	struct sweep_kernel kernel;
	/* what the sweep's totals were at its start */
	int64_t overlap_before;
	int64_t compute_before;
	uint32_t place; /* in its stream's heap; of a vacant one, the next vacant */
};

struct sweep_stream {
	struct item_heap running; /* slots, the dominant one first */
	uint32_t place;		  /* in sweep.dominant, or NONE */
	uint32_t computing;	  /* how many of its running kernels compute */
	int64_t compute;	  /* time in which it alone computed */
};

/*
 * Smaller for what is more dominant.  Durations from 18 years on have one key;
 * dominates() tells them apart.
 */
static int64_t dominance_key(const struct sweep_kernel *kernel)
{
	const int64_t longest = ((int64_t)1 << 59) - 1;
	int64_t dur = kernel->end - kernel->start;

	return -(kernel->priority * (longest + 1) + (dur < longest ? dur : longest));
}

/* Of two with the same key. */
static bool dominates(const struct sweep_kernel *a, const struct sweep_kernel *b)
{
	int64_t a_dur = a->end - a->start, b_dur = b->end - b->start;

	if (a_dur != b_dur)
		return a_dur > b_dur;
	if (a->start != b->start)
		return a->start < b->start;
	return a->idx < b->idx;
}

static bool slot_dominates(const void *context, uint32_t a, uint32_t b)
{
	const struct sweep *sweep = context;

	return dominates(&sweep->running[a].kernel, &sweep->running[b].kernel);
}

static void slot_moved(void *context, uint32_t slot, size_t place)
{
	struct sweep *sweep = context;

	sweep->running[slot].place = (uint32_t)place;
}

static const struct item_order by_dominance = {slot_dominates, slot_moved};

static bool stream_dominates(const void *context, uint32_t a, uint32_t b)
{
	const struct sweep *sweep = context;

	return slot_dominates(sweep, sweep->stream[a].running.item[0].id,
			      sweep->stream[b].running.item[0].id);
}

static void stream_moved(void *context, uint32_t stream, size_t place)
{
	struct sweep *sweep = context;

	sweep->stream[stream].place = (uint32_t)place;
}

static const struct item_order by_dominant_kernel = {stream_dominates, stream_moved};

static bool slot_idx_before(const void *context, uint32_t a, uint32_t b)
{
	const struct sweep *sweep = context;

	return sweep->running[a].kernel.idx < sweep->running[b].kernel.idx;
}

static const struct item_order by_end = {slot_idx_before, NULL};

void sweep_init(struct sweep *sweep, sweep_ended *ended, void *context)
{
	*sweep = (struct sweep){
		.window = {.start = INT64_MAX, .end = INT64_MIN},
		.start = INT64_MIN,
		.now = INT64_MIN,
		.ended = ended,
		.context = context,
		.vacant = NONE,
	};
	ledger_init(&sweep->ledger);
}

void sweep_release(struct sweep *sweep)
{
	for (size_t i = 0; i < sweep->stream_count; i++)
		item_heap_release(&sweep->stream[i].running);
	item_heap_release(&sweep->ends);
	item_heap_release(&sweep->dominant);
	ledger_release(&sweep->ledger);
	free(sweep->running);
	free(sweep->stream);
	free(sweep->result.covers.item);
	*sweep = (struct sweep){0};
}

static const struct sweep_kernel *dominant_of(const struct sweep *sweep, uint32_t stream)
{
	return &sweep->running[sweep->stream[stream].running.item[0].id].kernel;
}

static void count_dominant(struct sweep *sweep, int64_t ns)
{
	const struct heap_key *stream = sweep->dominant.item, *next = stream + 1;
	struct dominance dominance;

	if (sweep->dominant.count > 2 &&
	    item_before(&by_dominant_kernel, sweep, stream + 2, stream + 1))
		next = stream + 2;
	dominance.stream = stream->id;
	dominance.name = dominant_of(sweep, stream->id)->name;
	dominance.next = dominant_of(sweep, next->id)->name;
	ledger_count(&sweep->ledger, &dominance, sweep->start, sweep->now, ns);
}

/* Counts the time up to `then` for what is running. */
static void pass_time(struct sweep *sweep, int64_t then)
{
	size_t streams = sweep->dominant.count;

	if (streams && then > sweep->now) {
		int64_t ns = then - sweep->now;

		sweep->window.busy += ns;
		if ((int64_t)streams > sweep->window.streams)
			sweep->window.streams = (int64_t)streams;
		if (sweep->computing) {
			sweep->compute += ns;
			if (sweep->computing == 1)
				sweep->stream[sweep->computing_streams].compute += ns;
		}
		if (streams >= 2) {
			sweep->window.overlap += ns;
			count_dominant(sweep, ns);
		}
	}
	sweep->now = then;
}

/* Time in which a stream other than this one computed. */
static int64_t others_compute(const struct sweep *sweep, uint32_t stream)
{
	return sweep->compute - sweep->stream[stream].compute;
}

/* One more or one less kernel of the stream computes. */
static void change_computing(struct sweep *sweep, uint32_t stream, bool more)
{
	uint32_t *computing = &sweep->stream[stream].computing;

	if (more ? ++*computing == 1 : --*computing == 0) {
		sweep->computing_streams ^= stream;
		sweep->computing += more ? 1 : (size_t)-1;
	}
}

static int by_time(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

static void forget(struct sweep *sweep)
{
	size_t count = sweep->ends.count;
	int64_t *starts = xreallocarray(NULL, count, sizeof(*starts));

	for (size_t i = 0; i < count; i++)
		starts[i] = sweep->running[sweep->ends.item[i].id].kernel.start;
	qsort(starts, count, sizeof(*starts), by_time);
	ledger_forget(&sweep->ledger, starts, count);
	free(starts);
}

static void end_kernel(struct sweep *sweep)
{
	uint32_t slot = sweep->ends.item[0].id;
	struct sweep_running *running = &sweep->running[slot];
	struct sweep_kernel kernel = running->kernel;
	struct sweep_stream *stream = &sweep->stream[kernel.stream];
	struct sweep_result *result = &sweep->result;

	result->hidden = sweep->window.overlap - running->overlap_before;
	result->exclusive = kernel.end - kernel.start - result->hidden;
	result->hidden_compute = others_compute(sweep, kernel.stream) - running->compute_before;
	result->covers.count = 0;
	if (result->hidden)
		ledger_read(&sweep->ledger, kernel.stream, kernel.start, &result->covers);

	item_heap_remove(&sweep->ends, &by_end, sweep, 0);
	item_heap_remove(&stream->running, &by_dominance, sweep, running->place);
	if (stream->running.count) {
		item_heap_change(&sweep->dominant, &by_dominant_kernel, sweep, stream->place,
				 stream->running.item[0].key);
	} else {
		item_heap_remove(&sweep->dominant, &by_dominant_kernel, sweep, stream->place);
		stream->place = NONE;
	}
	if (kernel.compute)
		change_computing(sweep, kernel.stream, false);
	running->place = sweep->vacant;
	sweep->vacant = slot;
	sweep->ended(sweep->context, &kernel, result);
}

static void end_until(struct sweep *sweep, int64_t then)
{
	while (sweep->ends.count) {
		int64_t end = sweep->ends.item[0].key;

		if (end > then)
			break;
		pass_time(sweep, end);
		end_kernel(sweep);
	}
}

static uint32_t vacant_slot(struct sweep *sweep)
{
	uint32_t slot = sweep->vacant;

	if (slot != NONE) {
		sweep->vacant = sweep->running[slot].place;
		return slot;
	}
	sweep->running =
		xgrow(sweep->running, &sweep->room, sweep->slots + 1, sizeof(*sweep->running));
	return (uint32_t)sweep->slots++;
}

static void make_stream(struct sweep *sweep, uint32_t stream)
{
	while (stream >= sweep->stream_count) {
		sweep->stream = xgrow(sweep->stream, &sweep->stream_capacity,
				      sweep->stream_count + 1, sizeof(*sweep->stream));
		sweep->stream[sweep->stream_count++] = (struct sweep_stream){.place = NONE};
	}
}

static void start_kernel(struct sweep *sweep, const struct sweep_kernel *kernel)
{
	uint32_t slot = vacant_slot(sweep);
	struct sweep_stream *stream;
	int64_t key;

	make_stream(sweep, kernel->stream);
	stream = &sweep->stream[kernel->stream];
	sweep->running[slot] = (struct sweep_running){
		.kernel = *kernel,
		.overlap_before = sweep->window.overlap,
		.compute_before = others_compute(sweep, kernel->stream),
	};
	item_heap_add(&sweep->ends, &by_end, sweep, slot, kernel->end);
	item_heap_add(&stream->running, &by_dominance, sweep, slot, dominance_key(kernel));
	key = stream->running.item[0].key;
	if (stream->place == NONE)
		item_heap_add(&sweep->dominant, &by_dominant_kernel, sweep, kernel->stream, key);
	else
		item_heap_change(&sweep->dominant, &by_dominant_kernel, sweep, stream->place, key);
	if (kernel->compute)
		change_computing(sweep, kernel->stream, true);
}

void sweep_add(struct sweep *sweep, const struct sweep_kernel *kernel)
{
	end_until(sweep, kernel->start);
	pass_time(sweep, kernel->start);
	sweep->start = kernel->start;
	sweep->window.kernels++;
	if (kernel->start < sweep->window.start)
		sweep->window.start = kernel->start;
	if (kernel->end > sweep->window.end)
		sweep->window.end = kernel->end;
	start_kernel(sweep, kernel);
	if (sweep->ledger.tallies >= sweep->ledger.limit)
		forget(sweep);
}

void sweep_finish(struct sweep *sweep)
{
	end_until(sweep, INT64_MAX);
}
