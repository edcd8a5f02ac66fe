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

/*
 * As xmalloc, in whole huge pages where the system has them: for what will be
 * touched all over, since the first touch of each page is what it costs most.
 */
void *xmalloc_large(size_t size) __attribute__((malloc, returns_nonnull));

/*
 * Makes room for at least `need` elements of `size` bytes in the array `old`
 * of *capacity elements, growing by half as much again or, if it is large, to
 * whole huge pages as xmalloc_large.  Returns the array, moved or not; the new elements are
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

/*
 * The same for what there are millions of.  Once large, the array is never
 * copied: its pages, huge ones where the system has them, are moved.  It has to
 * be released by xstretch_free, with the capacity that it has by then.  For one
 * thread of a tool.
 *
 *	list = xstretch(list, &capacity, count + 1, sizeof(*list));
 *	...
 *	xstretch_free(list, capacity, sizeof(*list));
 */
static inline void *xstretch(void *old, size_t *capacity, size_t need, size_t size);
void xstretch_free(void *old, size_t capacity, size_t size);

/* The part of xstretch that is seldom needed. */
void *xstretch_now(void *old, size_t *capacity, size_t need, size_t size)
	__attribute__((returns_nonnull));

static inline void *xstretch(void *old, size_t *capacity, size_t need, size_t size)
{
	return old && need <= *capacity ? old : xstretch_now(old, capacity, need, size);
}

#endif
