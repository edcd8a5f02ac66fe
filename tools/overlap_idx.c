#include "overlap_idx.h"

#include "intern.h"
#include "xalloc.h"

#include <stdlib.h>

#define CHUNK_BITS 12
#define CHUNK_SIZE (1u << CHUNK_BITS)

struct chunk_bits {
	uint64_t word[CHUNK_SIZE / 64];
};

struct idx_chunk {
	int64_t from; /* idx >> CHUNK_BITS */
	uint32_t process;
	uint32_t seen;		 /* how many; 0: nothing is in this slot */
	struct chunk_bits *bits; /* NULL: all were seen */
};

static size_t place(const struct idx_set *set, uint32_t process, int64_t from)
{
	uint64_t hash = hash_number(hash_number((uint64_t)from) + process);
	size_t at = (size_t)(hash >> 20) & (set->slots - 1);

	while (set->slot[at].seen &&
	       (set->slot[at].from != from || set->slot[at].process != process))
		at = (at + 1) & (set->slots - 1);
	return at;
}

static void grow(struct idx_set *set)
{
	struct idx_set old = *set;

	set->slots = old.slots ? old.slots * 2 : 16;
	set->slot = xcalloc(set->slots, sizeof(*set->slot));
	for (size_t i = 0; i < old.slots; i++)
		if (old.slot[i].seen)
			set->slot[place(set, old.slot[i].process, old.slot[i].from)] = old.slot[i];
	free(old.slot);
}

/* The chunk that holds it; a new one if need be. */
static struct idx_chunk *find(struct idx_set *set, uint32_t process, int64_t from)
{
	struct idx_chunk *chunk = set->slots ? &set->slot[set->last] : NULL;

	if (chunk && chunk->seen && chunk->from == from && chunk->process == process)
		return chunk;
	if (set->chunks >= set->slots / 2)
		grow(set);
	set->last = place(set, process, from);
	chunk = &set->slot[set->last];
	if (!chunk->seen) {
		*chunk = (struct idx_chunk){from, process, 0, xcalloc(1, sizeof(*chunk->bits))};
		set->chunks++;
	}
	return chunk;
}

bool idx_set_add(struct idx_set *set, uint32_t process, int64_t idx)
{
	uint32_t below = (uint32_t)((uint64_t)idx & (CHUNK_SIZE - 1));
	/* rounds down for numbers below zero too */
	struct idx_chunk *chunk = find(set, process, (idx - (int64_t)below) / (int64_t)CHUNK_SIZE);
	uint64_t bit = (uint64_t)1 << below % 64;

	if (!chunk->bits || chunk->bits->word[below / 64] & bit)
		return false;
	chunk->bits->word[below / 64] |= bit;
	if (++chunk->seen == CHUNK_SIZE) {
		free(chunk->bits);
		chunk->bits = NULL;
	}
	return true;
}

void idx_set_release(struct idx_set *set)
{
	for (size_t i = 0; i < set->slots; i++)
		free(set->slot[i].bits);
	free(set->slot);
	*set = (struct idx_set){0};
}
