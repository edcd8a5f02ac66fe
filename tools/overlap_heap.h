/*
 * overlap_heap: a binary heap of small numbers, the first of them in front.
 *
 * The numbers stand for things that the caller keeps (kernels, streams).  Each
 * has a key, which lies in the heap itself so that comparing costs no look at
 * the thing: the smaller key is first, and only of equal ones is an order asked.
 * The order is also told where each item is, so that any of them can be taken
 * out, or moved when its key has changed:
 *
 *	heap.item[0]		the first of all; the second is item[1] or item[2]
 *	item_heap_add(&heap, &by_end, sweep, slot, end);
 *	item_heap_remove(&heap, &by_end, sweep, 0);
 *
 * Each step costs O(log count).  Everything is inline, so that a constant order
 * costs no indirect call.
 */
#ifndef TPA_OVERLAP_HEAP_H
#define TPA_OVERLAP_HEAP_H

#include "xalloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct heap_key {
	int64_t key;
	uint32_t id;
};

struct item_heap {
	struct heap_key *item;
	size_t count;
	size_t capacity;
};

struct item_order {
	/* of two with one key */
	bool (*before)(const void *context, uint32_t a, uint32_t b);
	void (*moved)(void *context, uint32_t id, size_t place); /* may be NULL */
};

static inline bool item_before(const struct item_order *order, const void *context,
			       const struct heap_key *a, const struct heap_key *b)
{
	return a->key != b->key ? a->key < b->key : order->before(context, a->id, b->id);
}

static inline void item_heap_put(struct item_heap *heap, const struct item_order *order,
				 void *context, size_t place, struct heap_key item)
{
	heap->item[place] = item;
	if (order->moved)
		order->moved(context, item.id, place);
}

/* Puts an item where it belongs. */
static inline void item_heap_settle(struct item_heap *heap, const struct item_order *order,
				    void *context, size_t place)
{
	struct heap_key item = heap->item[place];

	while (place && item_before(order, context, &item, &heap->item[(place - 1) / 2])) {
		item_heap_put(heap, order, context, place, heap->item[(place - 1) / 2]);
		place = (place - 1) / 2;
	}
	for (size_t child; (child = 2 * place + 1) < heap->count; place = child) {
		if (child + 1 < heap->count &&
		    item_before(order, context, &heap->item[child + 1], &heap->item[child]))
			child++;
		if (!item_before(order, context, &heap->item[child], &item))
			break;
		item_heap_put(heap, order, context, place, heap->item[child]);
	}
	item_heap_put(heap, order, context, place, item);
}

static inline void item_heap_add(struct item_heap *heap, const struct item_order *order,
				 void *context, uint32_t id, int64_t key)
{
	heap->item = xgrow(heap->item, &heap->capacity, heap->count + 1, sizeof(*heap->item));
	heap->item[heap->count] = (struct heap_key){key, id};
	item_heap_settle(heap, order, context, heap->count++);
}

static inline void item_heap_change(struct item_heap *heap, const struct item_order *order,
				    void *context, size_t place, int64_t key)
{
	heap->item[place].key = key;
	item_heap_settle(heap, order, context, place);
}

static inline void item_heap_remove(struct item_heap *heap, const struct item_order *order,
				    void *context, size_t place)
{
	struct heap_key last = heap->item[--heap->count];

	if (place == heap->count)
		return;
	heap->item[place] = last;
	item_heap_settle(heap, order, context, place);
}

static inline void item_heap_release(struct item_heap *heap)
{
	free(heap->item);
	*heap = (struct item_heap){0};
}

#endif
