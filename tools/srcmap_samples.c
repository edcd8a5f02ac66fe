#include "srcmap_samples.h"

#include "sort.h"
#include "srcmap_chains.h"
#include "text.h"
#include "xalloc.h"

#include <stdlib.h>

/* i * (count - 1) / (limit - 1), rounded half to even. */
static size_t position(size_t i, size_t count, size_t limit)
{
	size_t scaled, whole, rest;

	if (limit == 1)
		return 0;
	scaled = i * (count - 1);
	whole = scaled / (limit - 1);
	rest = scaled % (limit - 1);
	if (rest * 2 > limit - 1 || (rest * 2 == limit - 1 && whole % 2))
		whole++;
	return whole;
}

/* How far a cell has been gone through. */
struct progress {
	size_t seen, taken;
};

static bool is_taken(struct progress *progress, size_t count, size_t limit)
{
	size_t here = progress->seen++;

	if (limit && count > limit &&
	    (progress->taken == limit || here != position(progress->taken, count, limit)))
		return false;
	progress->taken++;
	return true;
}

/* A group on its way to its place. */
struct placing {
	uint32_t group;
	const struct interned *pid;
	int64_t pid_ts;	   /* the earliest of the process */
	int64_t first_idx; /* of the group */
	int stage_rank;
	uint32_t stage_sight; /* which stage, in the order of first sight */
};

static int stage_rank(const struct interned *stage)
{
	if (TEXT_IS(stage->text, stage->length, "extend") ||
	    TEXT_IS(stage->text, stage->length, "prefill"))
		return 0;
	if (TEXT_IS(stage->text, stage->length, "decode"))
		return 1;
	return TEXT_IS(stage->text, stage->length, "all") ? 2 : 3;
}

static int by_sight(const void *a, const void *b, const void *context)
{
	const struct placing *left = a, *right = b;
	int pid;

	(void)context;
	if (left->pid_ts != right->pid_ts)
		return left->pid_ts < right->pid_ts ? -1 : 1;
	pid =
	    text_compare(left->pid->text, left->pid->length, right->pid->text, right->pid->length);
	if (pid)
		return pid;
	return (left->first_idx > right->first_idx) - (left->first_idx < right->first_idx);
}

static int by_stage(const void *a, const void *b, const void *context)
{
	const struct placing *left = a, *right = b;

	(void)context;
	if (left->stage_rank != right->stage_rank)
		return left->stage_rank < right->stage_rank ? -1 : 1;
	return (left->stage_sight > right->stage_sight) - (left->stage_sight < right->stage_sight);
}

/* Where each pid begins, and each group. */
static void note_firsts(const struct trace *trace, struct placing *placing)
{
	int64_t *pid_ts = xcalloc(trace->pids.count, sizeof(*pid_ts));

	for (uint32_t pid = 0; pid < trace->pids.count; pid++)
		pid_ts[pid] = INT64_MAX;
	for (size_t i = trace->kernels; i-- > 0;) {
		const struct kernel *kernel = &trace->kernel[i];
		uint32_t group = trace->cell[kernel->cell].group;
		uint32_t pid = trace->group[group].pid;

		placing[group].first_idx = kernel->idx;
		if (kernel->ts < pid_ts[pid])
			pid_ts[pid] = kernel->ts;
	}
	for (uint32_t group = 0; group < trace->group_names.count; group++)
		placing[group].pid_ts = pid_ts[trace->group[group].pid];
	free(pid_ts);
}

/* The place of each group among all; the caller frees it. */
static uint32_t *place_groups(const struct trace *trace)
{
	uint32_t groups = trace->group_names.count, stages = 0;
	struct placing *placing = xcalloc(groups, sizeof(*placing));
	uint32_t *sight = xcalloc(trace->stages.count, sizeof(*sight)); /* plus one */
	uint32_t *place = xcalloc(groups, sizeof(*place));

	for (uint32_t group = 0; group < groups; group++) {
		placing[group].group = group;
		placing[group].pid = &trace->pids.item[trace->group[group].pid];
		placing[group].stage_rank =
		    stage_rank(&trace->stages.item[trace->group[group].stage]);
	}
	note_firsts(trace, placing);
	stable_sort(placing, groups, sizeof(*placing), by_sight, NULL);
	for (uint32_t i = 0; i < groups; i++) {
		uint32_t stage = trace->group[placing[i].group].stage;

		if (!sight[stage])
			sight[stage] = ++stages;
		placing[i].stage_sight = sight[stage];
	}
	stable_sort(placing, groups, sizeof(*placing), by_stage, NULL);
	for (uint32_t i = 0; i < groups; i++)
		place[placing[i].group] = i;
	free(placing);
	free(sight);
	return place;
}

struct sample_order {
	const uint32_t *place; /* of each group */
	bool by_time;
};

static int by_place(const void *a, const void *b, const void *context)
{
	const struct sample *left = a, *right = b;
	const struct sample_order *order = context;

	if (left->group != right->group)
		return order->place[left->group] < order->place[right->group] ? -1 : 1;
	if (order->by_time && left->kernel->ts != right->kernel->ts)
		return left->kernel->ts < right->kernel->ts ? -1 : 1;
	return (left->kernel->idx > right->kernel->idx) - (left->kernel->idx < right->kernel->idx);
}

struct samples samples_take(const struct trace *trace, size_t limit)
{
	struct progress *progress = xcalloc(trace->cell_names.count, sizeof(*progress));
	struct samples samples = {0};
	size_t capacity = 0;
	struct sample_order order = {.by_time = limit > 0};
	uint32_t *place;

	for (size_t i = 0; i < trace->kernels; i++) {
		const struct kernel *kernel = &trace->kernel[i];
		const struct cell *cell = &trace->cell[kernel->cell];

		if (!is_taken(&progress[kernel->cell], cell->kernels, limit))
			continue;
		samples.item =
		    xgrow(samples.item, &capacity, samples.count + 1, sizeof(*samples.item));
		samples.item[samples.count++] = (struct sample){
		    .kernel = kernel,
		    .group = cell->group,
		    .op.name = TEXT_NONE,
		    .launch.name = TEXT_NONE,
		    .chain = CHAIN_NONE,
		    .label = TEXT_NONE,
		};
	}
	free(progress);
	order.place = place = place_groups(trace);
	stable_sort(samples.item, samples.count, sizeof(*samples.item), by_place, &order);
	free(place);
	return samples;
}

void samples_release(struct samples *samples)
{
	free(samples->item);
	*samples = (struct samples){0};
}
