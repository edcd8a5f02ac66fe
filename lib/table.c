#include "table.h"

#include <stdlib.h>

void table_room(struct table *table, size_t size)
{
	size_t full = (size_t)1 << table_bits(size);
	size_t block = table->count / full;

	if (block && block < table->blocks)
		return;
	table->block = xgrow(table->block, &table->block_capacity, block + 1, sizeof(*table->block));
	if (block) {
		table->block[block] = xmalloc_pages(HUGE_PAGE);
	} else {
		table->block[0] = xgrow(table->blocks ? table->block[0] : NULL,
					&table->first_capacity, table->count + 1, size);
		if (table->first_capacity > full)
			table->first_capacity = full;
	}
	table->blocks = block + 1;
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->blocks; i++)
		free(table->block[i]);
	free(table->block);
	*table = (struct table){0};
}
