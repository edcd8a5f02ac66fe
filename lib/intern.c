#include "intern.h"

#include "xalloc.h"

#include "diag.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 << 10)

struct intern_block {
	struct intern_block *next;
	size_t used, size;
	char bytes[];
};

/* Up to eight bytes as one number; the reads of the longer ones overlap. */
static uint64_t word_of_bytes(const char *bytes, size_t length)
{
	if (length >= 4)
		return (uint64_t)read_four(bytes) << 32 | read_four(bytes + length - 4);
	if (length)
		return (uint64_t)(unsigned char)bytes[0] << 16 |
		       (uint64_t)(unsigned char)bytes[length / 2] << 8 |
		       (unsigned char)bytes[length - 1];
	return 0;
}

uint64_t hash_bytes(const char *bytes, size_t length)
{
	uint64_t hash = length * 0x9e3779b97f4a7c15u;
	const char *end;

	if (length <= 8)
		return hash_number(hash ^ word_of_bytes(bytes, length));
	end = bytes + length;
	for (; end - bytes > 8; bytes += 8) {
		hash = (hash ^ read_eight(bytes)) * 0x94d049bb133111ebu;
		hash ^= hash >> 31;
	}
	return hash_number(hash ^ read_eight(end - 8));
}

static const char *keep(struct intern *table, const char *text, size_t length)
{
	struct intern_block *block = table->blocks;
	char *copy;

	if (!block || block->size - block->used < length) {
		size_t size = length > BLOCK_SIZE / 4 ? length : BLOCK_SIZE;
		struct intern_block *fresh = xmalloc(sizeof(*fresh) + size);

		fresh->used = 0;
		fresh->size = size;
		/* a block for one long text goes behind the one that has room left */
		if (block && size != BLOCK_SIZE) {
			fresh->next = block->next;
			block->next = fresh;
		} else {
			fresh->next = block;
			table->blocks = fresh;
		}
		block = fresh;
	}
	copy = block->bytes + block->used;
	if (length)
		memcpy(copy, text, length);
	block->used += length;
	return copy;
}

static void rehash(struct intern *table)
{
	uint32_t slots = table->slots ? table->slots * 2 : 64;

	free(table->slot);
	table->slot = xcalloc(slots, sizeof(*table->slot));
	table->slots = slots;
	for (uint32_t id = 0; id < table->count; id++) {
		uint32_t at = table->item[id].hash & (slots - 1);

		while (table->slot[at])
			at = (at + 1) & (slots - 1);
		table->slot[at] = id + 1;
	}
}

/* Where the text is, or would be. */
static uint32_t place(const struct intern *table, const char *text, size_t length, uint32_t hash)
{
	uint32_t at = hash & (table->slots - 1);

	for (; table->slot[at]; at = (at + 1) & (table->slots - 1)) {
		const struct interned *item = &table->item[table->slot[at] - 1];

		if (item->hash == hash && item->length == length &&
		    same_bytes(item->text, text, length))
			break;
	}
	return at;
}

uint32_t intern(struct intern *table, const char *text, size_t length)
{
	uint32_t hash = (uint32_t)(hash_bytes(text, length) >> 32), at;

	if (table->count >= table->slots / 2)
		rehash(table);
	at = place(table, text, length, hash);
	if (table->slot[at])
		return table->slot[at] - 1;
	if (table->count >= UINT32_MAX / 4 || length > UINT32_MAX)
		diag_die("too many distinct names");
	table->item = xgrow(table->item, &table->capacity, table->count + 1, sizeof(*table->item));
	table->item[table->count] = (struct interned){
		.text = keep(table, text, length), .length = (uint32_t)length, .hash = hash};
	table->slot[at] = ++table->count;
	return table->count - 1;
}

uint32_t intern_other(struct intern *table, uint32_t *last, const char *text, size_t length)
{
	uint32_t id = intern(table, text, length);

	if (*last < table->count)
		table->item[*last].next = id;
	return *last = id;
}

uint32_t intern_find(const struct intern *table, const char *text, size_t length)
{
	uint32_t hash = (uint32_t)(hash_bytes(text, length) >> 32);

	if (!table->slots)
		return INTERN_NONE;
	return table->slot[place(table, text, length, hash)] - 1;
}

void intern_release(struct intern *table)
{
	while (table->blocks) {
		struct intern_block *block = table->blocks;

		table->blocks = block->next;
		free(block);
	}
	free(table->item);
	free(table->slot);
	*table = (struct intern)INTERN_INIT;
}
