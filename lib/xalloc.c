#include "xalloc.h"

#include "diag.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_ARRAY ((size_t)256 << 10)
#define HUGE_PAGE ((size_t)2 << 20)

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

static size_t whole_pages(size_t bytes)
{
	return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

void *xmalloc_large(size_t size)
{
	size_t bytes = whole_pages(size);
	void *memory = aligned_alloc(HUGE_PAGE, bytes);

	if (!memory)
		out_of_memory(1, size);
	madvise(memory, bytes, MADV_HUGEPAGE);
	return memory;
}

/* realloc would not have huge pages */
static void *grow_large(void *old, size_t *capacity, size_t wanted, size_t size)
{
	size_t bytes = whole_pages(wanted * size);
	void *fresh = xmalloc_large(bytes);

	if (old)
		memcpy(fresh, old, *capacity * size);
	free(old);
	*capacity = bytes / size;
	return fresh;
}

/* Not less than `need`, and half as much again as before. */
static size_t grown(size_t capacity, size_t need)
{
	size_t wanted = capacity + capacity / 2 + 16;

	return wanted < need ? need : wanted;
}

void *xgrow_now(void *old, size_t *capacity, size_t need, size_t size)
{
	size_t wanted = grown(*capacity, need);

	/* of half a huge page, so that a thousand arrays do not take much more than they hold */
	if (wanted >= HUGE_PAGE / 2 / size && wanted <= PTRDIFF_MAX / 2 / size)
		return grow_large(old, capacity, wanted, size);
	old = xreallocarray(old, wanted, size);
	*capacity = wanted;
	return old;
}

/*
 * A stretched array begins as any other and is mapped, in whole huge pages, from
 * half a huge page on.  The first few are so much earlier: that costs less than to
 * touch small pages, but a thousand of them must not take more than they hold.
 */
#define EARLY_SIZE  ((size_t)32 << 10)
#define EARLY_PAGES 4

static unsigned single_pages; /* mapped arrays of one huge page */

static bool is_mapped(size_t capacity, size_t size)
{
	return capacity * size > HUGE_PAGE / 2;
}

/* NULL if there is no memory. */
static char *map_pages(size_t bytes)
{
	char *start = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (start == MAP_FAILED)
		return NULL;
	before = whole_pages((uintptr_t)start) - (uintptr_t)start;
	if (before)
		munmap(start, before);
	if (before < HUGE_PAGE)
		munmap(start + before + bytes, HUGE_PAGE - before);
	madvise(start + before, bytes, MADV_HUGEPAGE);
	return start + before;
}

/* The array in that many bytes, mapped; NULL if there is no memory. */
static void *stretch_mapped(void *old, size_t capacity, size_t size, size_t bytes)
{
	size_t held = whole_pages(capacity * size);
	char *fresh = map_pages(bytes);

	if (!fresh)
		return NULL;
	if (!is_mapped(capacity, size)) {
		if (old)
			memcpy(fresh, old, capacity * size);
		free(old);
	} else {
		single_pages -= held == HUGE_PAGE;
		fresh = mremap(old, held, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, fresh);
		if (fresh == MAP_FAILED)
			out_of_memory(1, bytes);
	}
	single_pages += bytes == HUGE_PAGE;
	return fresh;
}

void *xstretch_now(void *old, size_t *capacity, size_t need, size_t size)
{
	size_t wanted = grown(*capacity, need), bytes;
	bool early = wanted >= EARLY_SIZE / size && single_pages < EARLY_PAGES;
	void *fresh = NULL;

	if (wanted > PTRDIFF_MAX / 2 / size)
		out_of_memory(wanted, size);
	bytes = whole_pages(wanted * size);
	if (early || is_mapped(wanted, size))
		fresh = stretch_mapped(old, *capacity, size, bytes);
	if (fresh) {
		*capacity = bytes / size;
		return fresh;
	}
	if (is_mapped(wanted, size))
		out_of_memory(wanted, size);
	*capacity = wanted;
	return xreallocarray(old, wanted, size);
}

void xstretch_free(void *old, size_t capacity, size_t size)
{
	size_t held = whole_pages(capacity * size);

	if (!old || !is_mapped(capacity, size)) {
		free(old);
		return;
	}
	single_pages -= held == HUGE_PAGE;
	munmap(old, held);
}
