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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct interned {
	const char *text; /* not terminated */
	uint32_t length;
	uint32_t hash;
	uint32_t next; /* what came after it the last time, see intern_next */
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

static inline uint64_t read_eight(const char *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static inline uint32_t read_four(const char *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

/* Whether two texts of one length are the same; most are short, and cost no call. */
static inline bool same_bytes(const char *a, const char *b, size_t length)
{
	if (length > 16)
		return !memcmp(a, b, length);
	if (length >= 8)
		return read_eight(a) == read_eight(b) &&
		       read_eight(a + length - 8) == read_eight(b + length - 8);
	if (length >= 4)
		return read_four(a) == read_four(b) &&
		       read_four(a + length - 4) == read_four(b + length - 4);
	return !length || (a[0] == b[0] && a[length / 2] == b[length / 2] &&
			   a[length - 1] == b[length - 1]);
}

/*
 * The same for texts that come in much the same sequence again and again, as the
 * names of kernels and frames do: the one that came after *last the last time is
 * tried first, which costs a comparison.  *last becomes the new id; it is the
 * caller's, who may keep several sequences in one table.  Any number may begin one.
 */
static inline uint32_t intern_next(struct intern *table, uint32_t *last, const char *text,
				   size_t length);

/* The part of intern_next that is less often needed. */
uint32_t intern_other(struct intern *table, uint32_t *last, const char *text, size_t length);

static inline uint32_t intern_next(struct intern *table, uint32_t *last, const char *text,
				   size_t length)
{
	if (*last < table->count) {
		uint32_t next = table->item[*last].next;
		const struct interned *item = &table->item[next];

		if (item->length == length && same_bytes(item->text, text, length))
			return *last = next;
	}
	return intern_other(table, last, text, length);
}

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
