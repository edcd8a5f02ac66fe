/*
 * heap: numbers with keys, the smallest key first.
 *
 *	heap_push(&heap, end, index);
 *	while (heap.count && heap.item[0].key <= now)
 *		index = heap_pop(&heap);
 *
 * Which of equal keys comes first is not promised.
 */
#ifndef TPA_HEAP_H
#define TPA_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct heap_item {
	int64_t key;
	size_t value;
};

struct heap {
	struct heap_item *item; /* item[0] is the smallest */
	size_t count;
	size_t capacity;
};

#define HEAP_INIT {0}

void heap_push(struct heap *heap, int64_t key, size_t value);

/* Takes the item with the smallest key, which must be there. */
size_t heap_pop(struct heap *heap);

void heap_release(struct heap *heap);

#endif
