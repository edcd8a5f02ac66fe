#include "rank_merge.h"

#include "counter.h"
#include "diag.h"
#include "rank_dependency.h"
#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

/* The kernels that are kept of a total, in the order of their stream. */
enum place { PLACE_PREV, PLACE_SELF, PLACE_NEXT, PLACES };

struct sample {
	struct kernel kernel[PLACES]; /* of the merged stage's texts */
	bool has[PLACES];
	struct counter covers;
};

struct merged {
	struct rank_kernels held; /* its texts and, when written, its kernels */
	struct totals totals;
	uint32_t *first; /* for totals_find */
	size_t first_capacity;
	uint32_t firsts;
	struct sample *sample; /* of each total */
	size_t sample_capacity;
	uint32_t samples;
	int64_t covered;
};

/* A group on its way into the stage. */
struct addition {
	struct merged *into;
	const struct rank_kernels *held;
	const struct group *group;
	const struct totals *totals;
	uint32_t *text;	  /* of the group's texts, those of the stage, plus 1 */
	uint32_t *target; /* of the group's totals, those of the stage */
};

static void sum(int64_t *into, int64_t value)
{
	if (__builtin_add_overflow(*into, value, into))
		diag_die("the times of the ranks are too large to add up");
}

static struct merged *merged_stage(struct rank_merge *merge, struct field stage)
{
	uint32_t known = merge->stages.count, id = intern(&merge->stages, stage.text, stage.length);

	if (id == known) {
		merge->merged = xgrow(merge->merged, &merge->capacity, (size_t)known + 1,
				      sizeof(*merge->merged));
		merge->merged[id] = (struct merged){0};
	}
	return &merge->merged[id];
}

static uint32_t translate(struct addition *adding, uint32_t text)
{
	struct merged *into = adding->into;

	if (!adding->text[text]) {
		const struct interned *item = &adding->held->texts.item[text];

		adding->text[text] = intern(&into->held.texts, item->text, item->length) + 1;
		into->first = xgrow(into->first, &into->first_capacity, into->held.texts.count,
				    sizeof(*into->first));
		while (into->firsts < into->held.texts.count)
			into->first[into->firsts++] = 0;
	}
	return adding->text[text] - 1;
}

static void add_total(struct addition *adding, uint32_t at)
{
	const struct total *item = &adding->totals->item[at];
	struct merged *into = adding->into;
	uint32_t name = translate(adding, item->name);
	uint32_t category = translate(adding, item->category);
	struct total *total = totals_find(&into->totals, into->first, name, category);

	adding->target[at] = (uint32_t)(total - into->totals.item);
	total->count += item->count;
	sum(&total->total, item->total);
	sum(&total->hidden, item->hidden);
	sum(&total->exclusive, item->exclusive);
	sum(&total->hidden_compute, item->hidden_compute);
	if (item->longest > total->longest)
		total->longest = item->longest;
	if (into->samples == into->totals.count)
		return;
	into->sample = xgrow(into->sample, &into->sample_capacity, into->totals.count,
			     sizeof(*into->sample));
	into->sample[into->samples++] = (struct sample){.covers = COUNTER_INIT};
}

static void keep(struct addition *adding, struct sample *sample, enum place place,
		 const struct kernel *kernel)
{
	sample->has[place] = kernel;
	if (!kernel)
		return;
	sample->kernel[place] = *kernel;
	sample->kernel[place].name = translate(adding, kernel->name);
	sample->kernel[place].category = translate(adding, kernel->category);
}

static int by_stream(const void *a, const void *b, const void *context)
{
	const struct kernel *left = process_kernel(context, *(const uint32_t *)a);
	const struct kernel *right = process_kernel(context, *(const uint32_t *)b);

	if (left->stream != right->stream)
		return left->stream < right->stream ? -1 : 1;
	return dependency_order(left, right);
}

/* Where a kernel is in places sorted by stream. */
static uint32_t find_place(const struct process *process, const uint32_t *place, uint32_t count,
			   const struct kernel *kernel)
{
	uint32_t low = 0, high = count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		const struct kernel *here = process_kernel(process, place[middle]);
		int order = here->stream != kernel->stream
				    ? (here->stream < kernel->stream ? -1 : 1)
				    : dependency_order(here, kernel);

		if (order <= 0)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static const struct kernel *on_stream(const struct process *process, const uint32_t *place,
				      uint32_t at, const struct kernel *kernel)
{
	const struct kernel *other = process_kernel(process, place[at]);

	return other->stream == kernel->stream ? other : NULL;
}

/* Keeps the kernels of these totals, with their neighbours. */
static void keep_samples(struct addition *adding, const uint32_t *chosen, uint32_t count)
{
	const struct group *group = adding->group;
	const struct process *process = &adding->held->process[group->process];
	uint32_t *place = xreallocarray(NULL, group->count, sizeof(*place));

	memcpy(place, group->member, group->count * sizeof(*place));
	stable_sort(place, group->count, sizeof(*place), by_stream, process);
	for (uint32_t i = 0; i < count; i++) {
		const struct kernel *kernel = adding->totals->item[chosen[i]].representative;
		struct sample *sample = &adding->into->sample[adding->target[chosen[i]]];
		uint32_t at = find_place(process, place, group->count, kernel);

		keep(adding, sample, PLACE_PREV,
		     at ? on_stream(process, place, at - 1, kernel) : NULL);
		keep(adding, sample, PLACE_SELF, kernel);
		keep(adding, sample, PLACE_NEXT,
		     at + 1 < group->count ? on_stream(process, place, at + 1, kernel) : NULL);
	}
	free(place);
}

/* The representative is the longest of all ranks, the first rank's of equal ones. */
static void add_samples(struct addition *adding)
{
	uint32_t *chosen = xreallocarray(NULL, adding->totals->count, sizeof(*chosen));
	uint32_t count = 0;

	for (uint32_t i = 0; i < adding->totals->count; i++) {
		const struct sample *sample = &adding->into->sample[adding->target[i]];

		if (!sample->has[PLACE_SELF] ||
		    totals_outlasts(adding->totals->item[i].representative,
				    &sample->kernel[PLACE_SELF]))
			chosen[count++] = i;
	}
	if (count)
		keep_samples(adding, chosen, count);
	free(chosen);
}

static void add_cover(struct addition *adding, const struct kernel *kernel,
		      const struct cover *cover)
{
	struct merged *into = adding->into;
	uint32_t name = translate(adding, cover->name);
	struct total *total = totals_find(&into->totals, into->first,
					  translate(adding, kernel->name),
					  translate(adding, kernel->category));

	sum(&into->covered, cover->ns);
	counter_add(&into->sample[total - into->totals.item].covers, name, cover->ns);
}

/* Under what the group's kernels were hidden, in the order of idx and falling time. */
static void add_covers(struct addition *adding)
{
	const struct group *group = adding->group;
	const struct process *process = &adding->held->process[group->process];
	size_t at = 0;

	for (uint32_t i = 0; i < group->count && at < process->covers; i++) {
		const struct kernel *kernel = group_kernel(adding->held, group, i);

		for (; at < process->covers; at++) {
			const struct cover *cover =
				process_cover(process, process->cover_order[at]);

			if (cover->idx > kernel->idx)
				break;
			if (cover->idx == kernel->idx)
				add_cover(adding, kernel, cover);
		}
	}
}

void rank_merge_add(struct rank_merge *merge, const struct rank_kernels *held,
		    const struct group *group, const struct totals *totals)
{
	struct addition adding = {
		.into = merged_stage(merge, group_stage(held, group)),
		.held = held,
		.group = group,
		.totals = totals,
		.text = xcalloc(held->texts.count, sizeof(*adding.text)),
		.target = xreallocarray(NULL, totals->count, sizeof(*adding.target)),
	};

	sum(&adding.into->totals.sum, totals->sum);
	sum(&adding.into->totals.busy, totals->busy);
	for (uint32_t i = 0; i < totals->count; i++)
		add_total(&adding, i);
	add_samples(&adding);
	add_covers(&adding);
	free(adding.text);
	free(adding.target);
}

/* A group of its own for the stage, of rank "*" and pid "*". */
static void open_group(struct merged *merged, const struct interned *stage)
{
	struct rank_kernels *held = &merged->held;
	struct buffer key = BUFFER_INIT;

	buffer_add_string(&key, "*\t*");
	intern(&held->process_keys, key.data, key.length);
	buffer_add_char(&key, '\t');
	buffer_add(&key, stage->text, stage->length);
	intern(&held->group_keys, key.data, key.length);
	buffer_release(&key);
	held->process = xgrow(held->process, &held->process_capacity, 1, sizeof(*held->process));
	held->process[0] = (struct process){0};
	held->group = xgrow(held->group, &held->group_capacity, 1, sizeof(*held->group));
	held->group[0] = (struct group){.busy = merged->totals.busy};
}

/* Each total's kernels are on a stream of their own, so they alone are neighbours. */
static void put_kernels(struct merged *merged, uint32_t at)
{
	struct process *process = &merged->held.process[0];
	const struct sample *sample = &merged->sample[at];

	for (int place = 0; place < PLACES; place++) {
		struct kernel kernel = sample->kernel[place];

		if (!sample->has[place])
			continue;
		kernel.idx = at * PLACES + (uint32_t)place;
		kernel.stream = at;
		kernel.group = 0;
		process_add_kernel(process, &kernel);
		merged->held.group[0].count++;
	}
	for (uint32_t i = 0; i < sample->covers.items; i++) {
		struct cover cover = {
			.ns = sample->covers.item[i].count,
			.idx = at * PLACES + PLACE_SELF,
			.name = sample->covers.item[i].key,
		};

		process_add_cover(process, &cover);
	}
}

static void find_representatives(struct merged *merged)
{
	const struct process *process = &merged->held.process[0];

	for (size_t i = 0; i < process->kernels; i++) {
		const struct kernel *kernel = process_kernel(process, i);

		if (kernel->idx % PLACES == PLACE_SELF)
			merged->totals.item[kernel->idx / PLACES].representative = kernel;
	}
}

static void write_stage(struct merged *merged, const struct interned *stage,
			struct record_writer *out, struct source_map *map, bool totals,
			const struct action_limits *limits)
{
	struct rank_sources sources;

	open_group(merged, stage);
	for (uint32_t i = 0; i < merged->totals.count; i++)
		put_kernels(merged, i);
	if (!rank_kernels_settle(&merged->held, 0))
		abort(); /* each has an idx of its own */
	find_representatives(merged);
	sources = rank_sources_init(map, &merged->held, &merged->held.group[0]);
	if (totals)
		totals_write(out, &merged->totals, &merged->held, &merged->held.group[0],
			     &sources);
	actions_write(out, &merged->totals, &merged->held, &merged->held.group[0], &sources,
		      limits);
	rank_sources_release(&sources);
}

static int by_stage(const void *a, const void *b, const void *context)
{
	const struct intern *stages = context;
	const struct interned *left = &stages->item[*(const uint32_t *)a];
	const struct interned *right = &stages->item[*(const uint32_t *)b];

	return stage_order((struct field){left->text, left->length}) -
	       stage_order((struct field){right->text, right->length});
}

void rank_merge_write(struct rank_merge *merge, struct record_writer *out, struct source_map *map,
		      bool totals, const struct action_limits *limits)
{
	uint32_t count = merge->stages.count;
	uint32_t *order = xreallocarray(NULL, count, sizeof(*order));

	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	stable_sort(order, count, sizeof(*order), by_stage, &merge->stages);
	for (uint32_t i = 0; i < count; i++)
		write_stage(&merge->merged[order[i]], &merge->stages.item[order[i]], out, map,
			    totals, limits);
	free(order);
}

void rank_merge_release(struct rank_merge *merge)
{
	for (uint32_t id = 0; id < merge->stages.count; id++) {
		struct merged *merged = &merge->merged[id];

		for (uint32_t i = 0; i < merged->samples; i++)
			counter_release(&merged->sample[i].covers);
		rank_kernels_release(&merged->held);
		totals_release(&merged->totals);
		free(merged->sample);
		free(merged->first);
	}
	intern_release(&merge->stages);
	free(merge->merged);
	*merge = (struct rank_merge)RANK_MERGE_INIT;
}
