#include "counter.h"

#include "intern.h"
#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

#define LIST_MAX 16 /* above this many keys an index is worth its memory */

static void reindex(struct counter *counter)
{
	counter->slots = counter->slots ? counter->slots * 2 : LIST_MAX * 4;
	free(counter->slot);
	counter->slot = xcalloc(counter->slots, sizeof(*counter->slot));
	for (uint32_t i = 0; i < counter->items; i++) {
		uint32_t at = (uint32_t)(hash_number(counter->item[i].key) >> 32) & (counter->slots - 1);

		while (counter->slot[at])
			at = (at + 1) & (counter->slots - 1);
		counter->slot[at] = i + 1;
	}
}

static struct count *find(struct counter *counter, uint32_t key, uint32_t *at)
{
	if (!counter->slots) {
		for (uint32_t i = 0; i < counter->items; i++)
			if (counter->item[i].key == key)
				return &counter->item[i];
		return NULL;
	}
	*at = (uint32_t)(hash_number(key) >> 32) & (counter->slots - 1);
	for (; counter->slot[*at]; *at = (*at + 1) & (counter->slots - 1))
		if (counter->item[counter->slot[*at] - 1].key == key)
			return &counter->item[counter->slot[*at] - 1];
	return NULL;
}

void counter_add(struct counter *counter, uint32_t key, int64_t count)
{
	uint32_t at = 0;
	struct count *found = find(counter, key, &at);

	if (found) {
		found->count += count;
		return;
	}
	counter->item = xgrow(counter->item, &counter->capacity, counter->items + 1,
			      sizeof(*counter->item));
	counter->item[counter->items++] = (struct count){key, count};
	if (counter->slots)
		counter->slot[at] = counter->items;
	if (counter->items > LIST_MAX && counter->items >= counter->slots / 2)
		reindex(counter);
}

uint32_t counter_best(const struct counter *counter)
{
	uint32_t best = 0;

	if (!counter->items)
		return COUNTER_NONE;
	for (uint32_t i = 1; i < counter->items; i++)
		if (counter->item[i].count > counter->item[best].count)
			best = i;
	return counter->item[best].key;
}

static int by_falling_count(const void *a, const void *b, const void *context)
{
	const struct count *left = a, *right = b;

	(void)context;
	return (left->count < right->count) - (left->count > right->count);
}

void counter_sort(struct counter *counter)
{
	free(counter->slot);
	counter->slot = NULL;
	counter->slots = 0;
	stable_sort(counter->item, counter->items, sizeof(*counter->item), by_falling_count, NULL);
}

void counter_release(struct counter *counter)
{
	free(counter->item);
	free(counter->slot);
	*counter = (struct counter)COUNTER_INIT;
}
