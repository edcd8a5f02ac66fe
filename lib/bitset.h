/*
 * bitset: a set of whole numbers that finds the next lower one at once.
 *
 * A tree of words, 64 ways: adding, taking out and looking cost six steps at
 * most, whatever the numbers.  Its memory is an eighth of a byte for each
 * number up to the largest ever in it.
 */
#ifndef TPA_BITSET_H
#define TPA_BITSET_H

#include <stddef.h>
#include <stdint.h>

#define BITSET_LEVELS 6 /* numbers below 2^36 */
#define BITSET_NONE SIZE_MAX

struct bitset {
	struct bitset_level {
		uint64_t *word;
		size_t words;
		size_t capacity;
	} level[BITSET_LEVELS];
};

#define BITSET_INIT {0}

void bitset_add(struct bitset *set, size_t number);

/* It must be there. */
void bitset_remove(struct bitset *set, size_t number);

/* The largest number in the set below `limit`, or BITSET_NONE. */
size_t bitset_below(const struct bitset *set, size_t limit);

/* Frees it; it may be used again as if new. */
void bitset_release(struct bitset *set);

#endif
