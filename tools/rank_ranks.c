#include "rank_ranks.h"

#include "diag.h"
#include "rank_kernels.h"
#include "rank_totals.h"
#include "xalloc.h"

#include <stdlib.h>

struct held_rank {
	struct rank_kernels kernels;
	struct source_map map;
};

void rank_ranks_init(struct rank_ranks *all, const struct ranking *ranking,
		     struct record_writer *out)
{
	*all = (struct rank_ranks){.ranking = ranking, .out = out};
	ranks_init(&all->ranks, RECORD_BIT(RECORD_KERNEL));
}

static struct held_rank *held_of(struct rank_ranks *all, uint32_t id)
{
	while (all->known <= id) {
		all->held = xgrow(all->held, &all->capacity, (size_t)all->known + 1,
				  sizeof(*all->held));
		all->held[all->known++] = (struct held_rank){0};
	}
	return &all->held[id];
}

static bool ranks_together(const struct rank_ranks *all)
{
	return all->ranking->merge || all->ranking->spread;
}

static void add_group(struct rank_ranks *all, const struct rank_kernels *kernels,
		      const struct group *group, uint32_t rank)
{
	struct totals totals = TOTALS_INIT;

	totals_collect(&totals, kernels, group);
	if (all->ranking->merge)
		rank_merge_add(&all->merge, kernels, group, &totals);
	if (all->ranking->spread)
		rank_spread_add(&all->spread, rank, kernels, group, &totals);
	totals_release(&totals);
}

static void rank_group(struct rank_ranks *all, const struct rank_kernels *kernels,
		       const struct group *group, struct source_map *map)
{
	struct rank_sources sources = rank_sources_init(map, kernels, group);
	struct totals totals = TOTALS_INIT;

	totals_collect(&totals, kernels, group);
	if (all->ranking->totals)
		totals_write(all->out, &totals, kernels, group, &sources);
	actions_write(all->out, &totals, kernels, group, &sources, &all->ranking->limits);
	totals_release(&totals);
	rank_sources_release(&sources);
}

/* `map`, or NULL: only adds them to those of other ranks. */
static void rank_processes(struct rank_ranks *all, uint32_t id, struct source_map *map)
{
	struct rank_kernels *kernels = &all->held[id].kernels;

	for (uint32_t i = 0; i < kernels->process_keys.count; i++) {
		const struct process *process = &kernels->process[i];

		if (!rank_kernels_settle(kernels, i)) {
			all->failed = true;
			continue;
		}
		for (uint32_t at = 0; at < process->shown_count; at++) {
			const struct group *group = &kernels->group[process->shown[at]];

			if (map)
				rank_group(all, kernels, group, map);
			else
				add_group(all, kernels, group, id);
		}
	}
}

static void rank_one(struct rank_ranks *all, uint32_t id)
{
	struct source_map both = SOURCE_MAP_INIT, *map = &all->held[id].map;

	if (ranks_together(all)) {
		rank_processes(all, id, NULL);
		source_map_merge(&all->base, map);
		return;
	}
	if (source_map_empty(map)) {
		map = &all->base;
	} else if (!source_map_empty(&all->base)) {
		source_map_merge(&both, &all->base);
		source_map_merge(&both, &all->held[id].map);
		map = &both;
	}
	rank_processes(all, id, map);
	source_map_release(&both);
	all->ranked++;
}

static bool has_kernels(const struct rank_ranks *all, uint32_t id)
{
	return all->ranks.rank[id].seen[RECORD_KERNEL] > 0;
}

/* The source map of a rank without kernels serves all ranks. */
static void put_in(struct rank_ranks *all, uint32_t id)
{
	const struct interned *label = &all->ranks.labels.item[id];

	if (source_map_empty(&all->held[id].map))
		return;
	all->pending--;
	if (all->ranked) {
		diag_error("the source map of rank %.*s came too late for the ranks before it; put "
			   "it first or give it with -m", (int)label->length, label->text);
		all->failed = true;
		return;
	}
	source_map_merge(&all->base, &all->held[id].map);
}

static void forget(struct rank_ranks *all, uint32_t id)
{
	rank_kernels_release(&all->held[id].kernels);
	source_map_release(&all->held[id].map);
	ranks_end(&all->ranks, id);
}

static bool is_complete(const struct rank_ranks *all, uint32_t id)
{
	const struct rank *rank = &all->ranks.rank[id];

	for (int type = RECORD_SOURCE; type <= RECORD_SITE; type++)
		if (rank->announced[type] >= 0 && rank->announced[type] != rank->seen[type])
			return false;
	return rank_kernels_covered(&all->held[id].kernels);
}

static void take_meta(struct rank_ranks *all, const struct record *record)
{
	uint32_t id;

	if (!ranks_meta(&all->ranks, record, &id))
		return;
	held_of(all, id);
	if (!is_complete(all, id))
		return;
	if (has_kernels(all, id)) {
		if (all->pending && !ranks_together(all))
			return;
		rank_one(all, id);
	} else {
		put_in(all, id);
	}
	forget(all, id);
}

static bool take_source(struct rank_ranks *all, struct record *record)
{
	struct held_rank *held;
	bool was_empty;
	uint32_t id;

	if (!ranks_count(&all->ranks, record, &id))
		return record_fault(record, SOURCE_RANK, "the rank was complete without it; put "
				    "the source map first or give it with -m");
	held = held_of(all, id);
	was_empty = source_map_empty(&held->map);
	if (!source_map_take(&held->map, record))
		return false;
	if (was_empty && !has_kernels(all, id))
		all->pending++;
	return true;
}

static bool take_kernel(struct rank_ranks *all, struct record *record)
{
	struct held_rank *held;
	uint32_t id;

	if (!ranks_count(&all->ranks, record, &id))
		return false;
	held = held_of(all, id);
	if (all->ranks.rank[id].seen[RECORD_KERNEL] == 1 && !source_map_empty(&held->map))
		all->pending--;
	return rank_kernels_take(&held->kernels, record);
}

bool rank_ranks_take(struct rank_ranks *all, struct record *record)
{
	uint32_t id;

	switch (record->type) {
	case RECORD_META:
		take_meta(all, record);
		return true;
	case RECORD_KERNEL:
		return take_kernel(all, record);
	case RECORD_SOURCE:
	case RECORD_SITE:
		return take_source(all, record);
	default:
		id = ranks_find(&all->ranks, record->field[1]);
		/* a complete rank can do without: nothing new can be in it */
		if (all->ranks.rank && all->ranks.rank[id].ended)
			return true;
		return rank_kernels_take(&held_of(all, id)->kernels, record);
	}
}

void rank_ranks_finish(struct rank_ranks *all)
{
	uint32_t count = all->ranks.labels.count;

	if (count)
		held_of(all, count - 1);
	for (uint32_t id = 0; id < count; id++)
		if (!all->ranks.rank[id].ended && !has_kernels(all, id))
			put_in(all, id);
	for (uint32_t id = 0; id < count; id++) {
		if (all->ranks.rank[id].ended || !has_kernels(all, id))
			continue;
		rank_one(all, id);
		forget(all, id);
	}
	if (all->ranking->spread)
		rank_spread_write(&all->spread, all->out, &all->ranks.labels,
				  all->ranking->limits.rows);
	if (all->ranking->merge)
		rank_merge_write(&all->merge, all->out, &all->base, all->ranking->totals,
				 &all->ranking->limits);
}

void rank_ranks_release(struct rank_ranks *all)
{
	for (uint32_t id = 0; id < all->known; id++) {
		rank_kernels_release(&all->held[id].kernels);
		source_map_release(&all->held[id].map);
	}
	free(all->held);
	source_map_release(&all->base);
	rank_merge_release(&all->merge);
	rank_spread_release(&all->spread);
	ranks_release(&all->ranks);
}
