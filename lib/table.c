#include "table.h"

#include <stdlib.h>

void table_room(struct table *table, size_t size)
{
	size_t block = table->count >> table_bits(size);

	if (block < table->blocks && block)
		return;
	table->block = xgrow(table->block, &table->block_capacity, block + 1, sizeof(*table->block));
	if (!block)
		table->block[0] = xgrow(table->blocks ? table->block[0] : NULL,
					&table->first_capacity, table->count + 1, size);
	else
		table->block[block] = xmalloc_pages(HUGE_PAGE);
	table->blocks = block + 1;
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->blocks; i++)
		free(table->block[i]);
	free(table->block);
	*table = (struct table){0};
}
