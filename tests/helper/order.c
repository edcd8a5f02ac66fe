/* heap and bitset */
#include "bitset.h"
#include "heap.h"

#include "check.h"

#include <stdlib.h>

/* A small generator, so that every run is the same. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static void heaping(void)
{
	struct heap heap = HEAP_INIT;
	uint32_t state = 1;
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < 5000; i++)
		heap_push(&heap, (int64_t)(next_random(&state) % 1000) - 500, i);
	CHECK(heap.count == 5000);
	for (size_t i = 0; i < 5000; i++) {
		int64_t key = heap.item[0].key;

		CHECK(key >= last);
		last = key;
		CHECK(heap_pop(&heap) < 5000);
	}
	CHECK(heap.count == 0);
	heap_release(&heap);
}

/* What is taken out between is the smallest of what is there; values stay with their keys. */
static void heaping_between(void)
{
	struct heap heap = HEAP_INIT;

	heap_push(&heap, INT64_MAX, 1);
	heap_push(&heap, INT64_MIN, 2);
	heap_push(&heap, 0, 3);
	CHECK(heap_pop(&heap) == 2);
	heap_push(&heap, -1, 4);
	CHECK(heap_pop(&heap) == 4);
	CHECK(heap_pop(&heap) == 3);
	heap_push(&heap, INT64_MAX - 1, 5);
	CHECK(heap_pop(&heap) == 5);
	CHECK(heap_pop(&heap) == 1);
	CHECK(heap.count == 0);
	heap_release(&heap);
}

static void bits_below(void)
{
	static const size_t numbers[] = {0, 1, 63, 64, 65, 4095, 4096, 262143, 262144, 16777216};
	size_t count = sizeof(numbers) / sizeof(*numbers);
	struct bitset set = BITSET_INIT;

	CHECK(bitset_below(&set, 0) == BITSET_NONE);
	CHECK(bitset_below(&set, SIZE_MAX) == BITSET_NONE);
	for (size_t i = 0; i < count; i++)
		bitset_add(&set, numbers[i]);
	CHECK(bitset_below(&set, 0) == BITSET_NONE);
	for (size_t i = 1; i < count; i++) {
		CHECK(bitset_below(&set, numbers[i]) == numbers[i - 1]);
		CHECK(bitset_below(&set, numbers[i] + 1) == numbers[i]);
	}
	CHECK(bitset_below(&set, SIZE_MAX) == 16777216);
	for (size_t i = count; i-- > 1;) {
		bitset_remove(&set, numbers[i]);
		CHECK(bitset_below(&set, SIZE_MAX) == numbers[i - 1]);
	}
	bitset_remove(&set, 0);
	CHECK(bitset_below(&set, SIZE_MAX) == BITSET_NONE);
	bitset_release(&set);
	CHECK(bitset_below(&set, SIZE_MAX) == BITSET_NONE);
}

/* Against a plain array. */
static void bits_random(void)
{
	enum { SIZE = 10000 };
	static bool there[SIZE];
	struct bitset set = BITSET_INIT;
	uint32_t state = 7;

	for (int turn = 0; turn < 20000; turn++) {
		size_t number = next_random(&state) % SIZE, below = next_random(&state) % SIZE;
		size_t want = below;

		if (there[number])
			bitset_remove(&set, number);
		else
			bitset_add(&set, number);
		there[number] = !there[number];
		while (want > 0 && !there[want - 1])
			want--;
		CHECK(bitset_below(&set, below) == (want ? want - 1 : BITSET_NONE));
	}
	bitset_release(&set);
}

CHECK_MAIN({"heaping", heaping}, {"heaping_between", heaping_between}, {"bits_below", bits_below},
	   {"bits_random", bits_random})
