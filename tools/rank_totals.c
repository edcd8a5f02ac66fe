#include "rank_totals.h"

#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

struct total *totals_find(struct totals *totals, uint32_t *first, uint32_t name, uint32_t category)
{
	struct total *item = NULL;

	for (uint32_t at = first[name]; at; at = item->next) {
		item = &totals->item[at - 1];
		if (item->category == category)
			return item;
	}
	if (item)
		item->next = totals->count + 1;
	else
		first[name] = totals->count + 1;
	totals->item = xgrow(totals->item, &totals->capacity, totals->count + 1,
			     sizeof(*totals->item));
	item = &totals->item[totals->count++];
	*item = (struct total){.name = name, .category = category};
	return item;
}

bool totals_outlasts(const struct kernel *kernel, const struct kernel *best)
{
	return (double)kernel->hidden + (double)kernel->exclusive >
	       (double)best->hidden + (double)best->exclusive;
}

static void add(struct total *item, const struct kernel *kernel)
{
	item->count++;
	item->total += kernel->dur;
	item->hidden += kernel->hidden;
	item->exclusive += kernel->exclusive;
	item->hidden_compute += kernel->hidden_compute;
	if (kernel->dur > item->longest)
		item->longest = kernel->dur;
	if (!item->representative || totals_outlasts(kernel, item->representative))
		item->representative = kernel;
}

static int by_start(const void *a, const void *b, const void *context)
{
	const struct kernel *left = process_kernel(context, *(const uint32_t *)a);
	const struct kernel *right = process_kernel(context, *(const uint32_t *)b);

	return (left->ts > right->ts) - (left->ts < right->ts);
}

/* How long at least one of the kernels ran. */
static int64_t busy_time(const struct rank_kernels *held, const struct group *group)
{
	const struct process *process = &held->process[group->process];
	uint32_t *place = xreallocarray(NULL, group->count, sizeof(*place));
	int64_t busy = 0, reached = INT64_MIN;

	memcpy(place, group->member, group->count * sizeof(*place));
	stable_sort(place, group->count, sizeof(*place), by_start, process);
	for (uint32_t i = 0; i < group->count; i++) {
		const struct kernel *kernel = process_kernel(process, place[i]);
		int64_t start = kernel->ts > reached ? kernel->ts : reached;

		if (kernel_end(kernel) > start) {
			busy += kernel_end(kernel) - start;
			reached = kernel_end(kernel);
		}
	}
	free(place);
	return busy;
}

void totals_collect(struct totals *totals, const struct rank_kernels *held,
		    const struct group *group)
{
	uint32_t *first = xcalloc(held->texts.count, sizeof(*first));

	for (uint32_t i = 0; i < group->count; i++) {
		const struct kernel *kernel = group_kernel(held, group, i);

		add(totals_find(totals, first, kernel->name, kernel->category), kernel);
		totals->sum += kernel->dur;
	}
	free(first);
	totals->busy = group->busy >= 0 ? group->busy : busy_time(held, group);
}

double totals_ratio(int64_t part, int64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : 0.0;
}

double totals_percent(int64_t part, int64_t whole)
{
	return totals_ratio(part, whole) * 100.0;
}

static int by_falling_total(const void *a, const void *b, const void *context)
{
	const struct totals *totals = context;
	int64_t left = totals->item[*(const uint32_t *)a].total;
	int64_t right = totals->item[*(const uint32_t *)b].total;

	return (left < right) - (left > right);
}

static void put_source(struct record_writer *out, const struct total *item,
		       struct rank_sources *sources)
{
	const struct source *source = rank_sources_find(sources, item->name);
	const struct interned *op = NULL, *scope = NULL;

	if (source) {
		op = source_best(sources->map, source, SITES_LAUNCH);
		scope = source_best(sources->map, source, SITES_SCOPE);
		if (!op)
			op = rank_sources_op(sources, source);
	}
	record_put_text(out, op ? op->text : "", op ? op->length : 0);
	record_put_text(out, scope ? scope->text : "", scope ? scope->length : 0);
}

static void write_total(struct record_writer *out, const struct totals *totals,
			const struct total *item, const struct rank_kernels *held,
			struct rank_sources *sources)
{
	const struct interned *category = &held->texts.item[item->category];
	const struct interned *name = &held->texts.item[item->name];

	record_put_escaped(out, category->text, category->length);
	record_put_int(out, item->count);
	record_put_time(out, item->total);
	record_put_time(out, item->longest);
	record_put_time(out, item->hidden);
	record_put_time(out, item->exclusive);
	record_put_time(out, item->hidden_compute);
	record_put_ratio(out, totals_percent(item->total, totals->busy), 3);
	record_put_ratio(out, totals_percent(item->total, totals->sum), 3);
	put_source(out, item, sources);
	record_put_escaped(out, name->text, name->length);
	record_end(out);
}

void totals_write(struct record_writer *out, const struct totals *totals,
		  const struct rank_kernels *held, const struct group *group,
		  struct rank_sources *sources)
{
	const struct interned *key = &held->group_keys.item[group - held->group];
	uint32_t *order = xreallocarray(NULL, totals->count, sizeof(*order));

	for (uint32_t i = 0; i < totals->count; i++)
		order[i] = i;
	stable_sort(order, totals->count, sizeof(*order), by_falling_total, totals);
	for (uint32_t i = 0; i < totals->count; i++) {
		record_begin(out, RECORD_TOTAL);
		record_put_escaped(out, key->text, key->length);
		record_put_int(out, (int64_t)i + 1);
		write_total(out, totals, &totals->item[order[i]], held, sources);
	}
	free(order);
}

void totals_release(struct totals *totals)
{
	free(totals->item);
	*totals = (struct totals)TOTALS_INIT;
}
