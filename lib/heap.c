#include "heap.h"

#include "xalloc.h"

#include <stdlib.h>

void heap_push(struct heap *heap, int64_t key, size_t value)
{
	size_t at;

	heap->item = xgrow(heap->item, &heap->capacity, heap->count + 1, sizeof(*heap->item));
	for (at = heap->count++; at && heap->item[(at - 1) / 2].key > key; at = (at - 1) / 2)
		heap->item[at] = heap->item[(at - 1) / 2];
	heap->item[at] = (struct heap_item){key, value};
}

size_t heap_pop(struct heap *heap)
{
	size_t value = heap->item[0].value, at = 0, child;
	struct heap_item last = heap->item[--heap->count];

	while ((child = at * 2 + 1) < heap->count) {
		if (child + 1 < heap->count && heap->item[child + 1].key < heap->item[child].key)
			child++;
		if (heap->item[child].key >= last.key)
			break;
		heap->item[at] = heap->item[child];
		at = child;
	}
	heap->item[at] = last;
	return value;
}

void heap_release(struct heap *heap)
{
	free(heap->item);
	*heap = (struct heap)HEAP_INIT;
}
