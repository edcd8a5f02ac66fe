/*
 * table: a growable array that is never copied, for what there are millions of.
 *
 * It grows by blocks of a huge page each.  Only the first block, while it is
 * small, may move when an element is added.
 *
 *	struct kernel *kernel = table_add(&table, sizeof(*kernel));
 *	kernel = table_at(&table, sizeof(*kernel), index);
 *
 * `size` is that of an element; it divides a huge page best if it is a power of
 * two.  Elements are uninitialised.  A table that is all zero is empty.
 */
#ifndef TPA_TABLE_H
#define TPA_TABLE_H

#include "xalloc.h"

#include <stddef.h>

struct table {
	char **block;
	size_t blocks;
	size_t block_capacity;
	size_t first_capacity; /* how many elements the first block has room for */
	size_t count;
};

/* How many bits of an index are its place in the block. */
static inline unsigned table_bits(size_t size)
{
	return (unsigned)(63 - __builtin_clzll(HUGE_PAGE / size));
}

static inline void *table_at(const struct table *table, size_t size, size_t index)
{
	unsigned bits = table_bits(size);

	return table->block[index >> bits] + (index & (((size_t)1 << bits) - 1)) * size;
}

/* Makes room for one more element. */
void table_room(struct table *table, size_t size);

static inline void *table_add(struct table *table, size_t size)
{
	if (table->count >= table->first_capacity)
		table_room(table, size);
	return table_at(table, size, table->count++);
}

/* Frees it; it may be used again as if new. */
void table_release(struct table *table);

#endif
