#include "rank_totals.h"

#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

/* The total that a kernel adds to; first[] is the place of a name's first, plus 1. */
static struct total *find(struct totals *totals, uint32_t *first, const struct kernel *kernel)
{
	struct total *item = NULL;

	for (uint32_t at = first[kernel->name]; at; at = item->next) {
		item = &totals->item[at - 1];
		if (item->category == kernel->category)
			return item;
	}
	if (item)
		item->next = totals->count + 1;
	else
		first[kernel->name] = totals->count + 1;
	totals->item = xgrow(totals->item, &totals->capacity, totals->count + 1,
			     sizeof(*totals->item));
	item = &totals->item[totals->count++];
	*item = (struct total){.name = kernel->name, .category = kernel->category};
	return item;
}

static void add(struct total *item, const struct kernel *kernel)
{
	const struct kernel *best = item->representative;

	item->count++;
	item->total += kernel->dur;
	item->hidden += kernel->hidden;
	item->exclusive += kernel->exclusive;
	item->hidden_compute += kernel->hidden_compute;
	if (kernel->dur > item->longest)
		item->longest = kernel->dur;
	if (!best || (double)kernel->hidden + (double)kernel->exclusive >
			     (double)best->hidden + (double)best->exclusive)
		item->representative = kernel;
}

struct span {
	int64_t start, end;
};

static int by_start(const void *a, const void *b, const void *context)
{
	const struct span *left = a, *right = b;

	(void)context;
	return (left->start > right->start) - (left->start < right->start);
}

/* How long at least one of the kernels ran. */
static int64_t busy_time(const struct rank_kernels *held, const struct group *group)
{
	struct span *span = xreallocarray(NULL, group->count, sizeof(*span));
	int64_t busy = 0, reached = INT64_MIN;

	for (uint32_t i = 0; i < group->count; i++) {
		const struct kernel *kernel = group_kernel(held, group, i);

		span[i] = (struct span){kernel->ts, kernel_end(kernel)};
	}
	stable_sort(span, group->count, sizeof(*span), by_start, NULL);
	for (uint32_t i = 0; i < group->count; i++) {
		int64_t start = span[i].start > reached ? span[i].start : reached;

		if (span[i].end > start) {
			busy += span[i].end - start;
			reached = span[i].end;
		}
	}
	free(span);
	return busy;
}

void totals_collect(struct totals *totals, const struct rank_kernels *held,
		    const struct group *group)
{
	uint32_t *first = xcalloc(held->texts.count, sizeof(*first));

	for (uint32_t i = 0; i < group->count; i++) {
		const struct kernel *kernel = group_kernel(held, group, i);

		add(find(totals, first, kernel), kernel);
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
