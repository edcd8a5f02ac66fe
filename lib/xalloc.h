/*
 * xalloc: memory that is there or the tool ends with a clear error (exit 1).
 *
 * Sizes that come from input are multiplied with overflow checks.  What these
 * return is released with free().
 */
#ifndef TPA_XALLOC_H
#define TPA_XALLOC_H

#include <stddef.h>

/*
 * For a tool that holds large arrays; to be called first.  They then go back to
 * the system as soon as they are freed.
 */
void xalloc_large(void);

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
void *xreallocarray(void *old, size_t count, size_t size) __attribute__((returns_nonnull));

#define HUGE_PAGE ((size_t)2 << 20)

/*
 * A multiple of HUGE_PAGE bytes, of huge pages where the system has them: the
 * first touch of each page is what large arrays cost most.
 */
void *xmalloc_pages(size_t size) __attribute__((malloc, returns_nonnull));

/*
 * Makes room for at least `need` elements of `size` bytes in the array `old`
 * of *capacity elements, growing by half as much again or, if it is large, to
 * whole huge pages.  Returns the array, moved or not; the new elements are
 * uninitialised.
 *
 *	list = xgrow(list, &capacity, count + 1, sizeof(*list));
 *	list[count++] = value;
 */
static inline void *xgrow(void *old, size_t *capacity, size_t need, size_t size);

/* The part of xgrow that is seldom needed. */
void *xgrow_now(void *old, size_t *capacity, size_t need, size_t size)
	__attribute__((returns_nonnull));

static inline void *xgrow(void *old, size_t *capacity, size_t need, size_t size)
{
	return old && need <= *capacity ? old : xgrow_now(old, capacity, need, size);
}

#endif
