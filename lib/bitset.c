#include "bitset.h"

#include "xalloc.h"

#include <stdlib.h>
#include <string.h>

static void reach(struct bitset_level *level, size_t word)
{
	if (word < level->words)
		return;
	level->word = xgrow(level->word, &level->capacity, word + 1, sizeof(*level->word));
	memset(level->word + level->words, 0, (word + 1 - level->words) * sizeof(*level->word));
	level->words = word + 1;
}

void bitset_add(struct bitset *set, size_t number)
{
	for (int i = 0; i < BITSET_LEVELS; i++, number /= 64) {
		struct bitset_level *level = &set->level[i];

		reach(level, number / 64);
		level->word[number / 64] |= (uint64_t)1 << number % 64;
	}
}

void bitset_remove(struct bitset *set, size_t number)
{
	for (int i = 0; i < BITSET_LEVELS; i++, number /= 64) {
		uint64_t *word = &set->level[i].word[number / 64];

		*word &= ~((uint64_t)1 << number % 64);
		if (*word)
			break;
	}
}

static size_t highest(uint64_t word)
{
	return 63 - (size_t)__builtin_clzll(word);
}

size_t bitset_below(const struct bitset *set, size_t limit)
{
	if (limit / 64 > set->level[0].words)
		limit = set->level[0].words * 64;
	for (int i = 0; i < BITSET_LEVELS; i++, limit /= 64) {
		const struct bitset_level *level = &set->level[i];
		uint64_t below = 0;
		size_t found;

		if (limit / 64 < level->words)
			below = level->word[limit / 64] & (((uint64_t)1 << limit % 64) - 1);
		if (!below)
			continue;
		found = limit / 64 * 64 + highest(below);
		while (i-- > 0)
			found = found * 64 + highest(set->level[i].word[found]);
		return found;
	}
	return BITSET_NONE;
}

void bitset_release(struct bitset *set)
{
	for (int i = 0; i < BITSET_LEVELS; i++)
		free(set->level[i].word);
	*set = (struct bitset)BITSET_INIT;
}
