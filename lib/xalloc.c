#include "xalloc.h"

#include "diag.h"

#include <stdint.h>
#include <stdlib.h>

static _Noreturn void out_of_memory(size_t count, size_t size)
{
	if (count > 1)
		diag_die("out of memory (%zu times %zu bytes wanted)", count, size);
	diag_die("out of memory (%zu bytes wanted)", size);
}

void *xmalloc(size_t size)
{
	void *memory = malloc(size ? size : 1);

	if (!memory)
		out_of_memory(1, size);
	return memory;
}

void *xcalloc(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);

	if (!memory)
		out_of_memory(count, size);
	return memory;
}

void *xreallocarray(void *old, size_t count, size_t size)
{
	void *memory;

	if (size && count > PTRDIFF_MAX / size)
		out_of_memory(count, size);
	memory = realloc(old, count && size ? count * size : 1);
	if (!memory)
		out_of_memory(count, size);
	return memory;
}

void *xgrow(void *old, size_t *capacity, size_t need, size_t size)
{
	size_t wanted = *capacity + *capacity / 2 + 16;

	if (old && need <= *capacity)
		return old;
	if (wanted < need)
		wanted = need;
	old = xreallocarray(old, wanted, size);
	*capacity = wanted;
	return old;
}
