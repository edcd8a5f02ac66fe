/*
 * intern: each distinct text once, as a small number.
 *
 *	uint32_t id = intern(&names, text, length);	same text, same id
 *	names.item[id].text, .length			never moves
 *
 * Ids count from 0 in the order of first sight, so nothing depends on the hash.
 * Texts are copied, and live until intern_release.
 */
#ifndef TPA_INTERN_H
#define TPA_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct interned {
	const char *text; /* not terminated */
	uint32_t length;
	uint32_t hash;
};

struct intern {
	struct interned *item;
	uint32_t count;
	size_t capacity;
	uint32_t *slot; /* id + 1, or 0 */
	uint32_t slots; /* a power of two, or 0 */
	struct intern_block *blocks;
};

#define INTERN_INIT {0}
#define INTERN_NONE UINT32_MAX

uint32_t intern(struct intern *table, const char *text, size_t length);

/* The id of a text that is there, or INTERN_NONE. */
uint32_t intern_find(const struct intern *table, const char *text, size_t length);

/* Frees everything; it may be used again as if new. */
void intern_release(struct intern *table);

/* A hash of bytes for tables of one's own; the order of nothing may depend on it. */
uint64_t hash_bytes(const char *bytes, size_t length);

/* The same for a number. */
static inline uint64_t hash_number(uint64_t value)
{
	value ^= value >> 32;
	value *= 0x9e3779b97f4a7c15u;
	value ^= value >> 29;
	return value * 0xbf58476d1ce4e5b9u;
}

#endif
