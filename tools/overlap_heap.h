/*
 * overlap_heap: a binary heap of small numbers, the first of them in front.
 *
 * The numbers stand for things that the caller keeps (kernels, streams); an
 * order says which of two comes first, and is told where each one is, so that
 * any of them can be taken out or moved when it has changed:
 *
 *	heap.item[0]		the first of all; the second is item[1] or item[2]
 *	item_heap_add(&heap, &by_end, sweep, slot);
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

struct item_heap {
	uint32_t *item;
	size_t count;
	size_t capacity;
};

struct item_order {
	bool (*before)(const void *context, uint32_t a, uint32_t b);
	void (*moved)(void *context, uint32_t item, size_t place); /* may be NULL */
};

static inline void item_heap_put(struct item_heap *heap, const struct item_order *order,
				 void *context, size_t place, uint32_t item)
{
	heap->item[place] = item;
	if (order->moved)
		order->moved(context, item, place);
}

/* Puts an item that has changed where it now belongs. */
static inline void item_heap_fix(struct item_heap *heap, const struct item_order *order,
				 void *context, size_t place)
{
	uint32_t item = heap->item[place];

	while (place && order->before(context, item, heap->item[(place - 1) / 2])) {
		item_heap_put(heap, order, context, place, heap->item[(place - 1) / 2]);
		place = (place - 1) / 2;
	}
	for (size_t child; (child = 2 * place + 1) < heap->count; place = child) {
		if (child + 1 < heap->count &&
		    order->before(context, heap->item[child + 1], heap->item[child]))
			child++;
		if (!order->before(context, heap->item[child], item))
			break;
		item_heap_put(heap, order, context, place, heap->item[child]);
	}
	item_heap_put(heap, order, context, place, item);
}

static inline void item_heap_add(struct item_heap *heap, const struct item_order *order,
				 void *context, uint32_t item)
{
	heap->item = xgrow(heap->item, &heap->capacity, heap->count + 1, sizeof(*heap->item));
	heap->item[heap->count] = item;
	item_heap_fix(heap, order, context, heap->count++);
}

static inline void item_heap_remove(struct item_heap *heap, const struct item_order *order,
				    void *context, size_t place)
{
	uint32_t last = heap->item[--heap->count];

	if (place == heap->count)
		return;
	heap->item[place] = last;
	item_heap_fix(heap, order, context, place);
}

static inline void item_heap_release(struct item_heap *heap)
{
	free(heap->item);
	*heap = (struct item_heap){0};
}

#endif
