/*
 * sort: a stable merge sort that takes advantage of what is sorted already.
 *
 * A trace's events come in a few sorted runs; those are found and merged, so
 * sorted input costs one comparison an element.  Otherwise N log N at worst,
 * and as much memory again as the elements take, only when there is more than
 * one run.
 */
#ifndef TPA_SORT_H
#define TPA_SORT_H

#include <stddef.h>

/* `compare` is as for qsort; `context` is handed to it. */
void stable_sort(void *base, size_t count, size_t size,
		 int (*compare)(const void *, const void *, const void *context),
		 const void *context);

#endif
