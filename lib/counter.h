/*
 * counter: how often, or for how long, each of some texts was counted.
 *
 * Like Python's Counter: keys are kept in the order in which they were first
 * counted, and of equal counts the one counted first comes first.  Keys are ids
 * of an intern table.  A counter of few keys, as most are, is a short list.
 */
#ifndef TPA_COUNTER_H
#define TPA_COUNTER_H

#include <stddef.h>
#include <stdint.h>

struct count {
	uint32_t key;
	int64_t count;
};

struct counter {
	struct count *item;
	uint32_t items;
	size_t capacity;
	uint32_t *slot; /* an index by key once the list is long */
	uint32_t slots;
};

#define COUNTER_INIT {0}
#define COUNTER_NONE UINT32_MAX

void counter_add(struct counter *counter, uint32_t key, int64_t count);

/* The key with the largest count, or COUNTER_NONE. */
uint32_t counter_best(const struct counter *counter);

/* Sorts the items by falling count; nothing may be counted after it. */
void counter_sort(struct counter *counter);

void counter_release(struct counter *counter);

#endif
