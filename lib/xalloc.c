#include "xalloc.h"

#include "diag.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_ARRAY ((size_t)256 << 10)

static _Noreturn void out_of_memory(size_t count, size_t size)
{
	if (count > 1)
		diag_die("out of memory (%zu times %zu bytes wanted)", count, size);
	diag_die("out of memory (%zu bytes wanted)", size);
}

void xalloc_large(void)
{
	/* once set it stays; by itself glibc raises it with each large array freed */
	mallopt(M_MMAP_THRESHOLD, (int)LARGE_ARRAY);
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

void *xmalloc_pages(size_t size)
{
	void *memory = aligned_alloc(HUGE_PAGE, size);

	if (!memory)
		out_of_memory(1, size);
	madvise(memory, size, MADV_HUGEPAGE);
	return memory;
}

/* realloc would not have huge pages */
static void *grow_large(void *old, size_t *capacity, size_t wanted, size_t size)
{
	size_t bytes = (wanted * size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	void *fresh = xmalloc_pages(bytes);

	if (old)
		memcpy(fresh, old, *capacity * size);
	free(old);
	*capacity = bytes / size;
	return fresh;
}

void *xgrow_now(void *old, size_t *capacity, size_t need, size_t size)
{
	size_t wanted = *capacity + *capacity / 2 + 16;

	if (wanted < need)
		wanted = need;
	/* of half a huge page, so that a thousand arrays do not take much more than they hold */
	if (wanted >= HUGE_PAGE / 2 / size && wanted <= PTRDIFF_MAX / 2 / size)
		return grow_large(old, capacity, wanted, size);
	old = xreallocarray(old, wanted, size);
	*capacity = wanted;
	return old;
}
