#include "sort.h"

#include "xalloc.h"

#include <stdlib.h>
#include <string.h>

#define RUN_MIN 16 /* shorter runs are lengthened by insertion */

struct sort {
	char *base;
	size_t size;
	int (*compare)(const void *, const void *, const void *);
	const void *context;
	char *spare; /* room for what is set aside, once needed */
	size_t spare_capacity;
};

static char *element(const struct sort *sort, size_t index)
{
	return sort->base + index * sort->size;
}

/* The sizes that are common cost no call. */
static inline void copy_one(char *to, const char *from, size_t size)
{
	switch (size) {
	case 4:
		memcpy(to, from, 4);
		break;
	case 8:
		memcpy(to, from, 8);
		break;
	case 16:
		memcpy(to, from, 16);
		break;
	default:
		memcpy(to, from, size);
	}
}

/* Element `from` goes before all of [low, from) that are greater. */
static void insert(const struct sort *sort, size_t low, size_t from)
{
	char held[256];
	char *moving = element(sort, from);
	size_t high = from;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sort->compare(element(sort, middle), moving, sort->context) > 0)
			high = middle;
		else
			low = middle + 1;
	}
	memcpy(held, moving, sort->size);
	memmove(element(sort, low + 1), element(sort, low), (from - low) * sort->size);
	memcpy(element(sort, low), held, sort->size);
}

/* The end of the sorted run that begins at `start`. */
static size_t find_run(const struct sort *sort, size_t start, size_t count)
{
	size_t end = start + 1;

	while (end < count &&
	       sort->compare(element(sort, end - 1), element(sort, end), sort->context) <= 0)
		end++;
	while (end < count && end - start < RUN_MIN) {
		insert(sort, start, end);
		end++;
	}
	return end;
}

/* Merges [low, middle) with [middle, high); the left part is set aside. */
static void merge(struct sort *sort, size_t low, size_t middle, size_t high)
{
	char *left = sort->spare, *left_end, *right = element(sort, middle);
	char *right_end = element(sort, high), *out;

	/* what is in its place already stays there */
	while (low < middle && sort->compare(element(sort, low), right, sort->context) <= 0)
		low++;
	out = element(sort, low);
	left_end = left + (middle - low) * sort->size;
	memcpy(left, out, (middle - low) * sort->size);
	while (left < left_end && right < right_end) {
		char **from = sort->compare(left, right, sort->context) <= 0 ? &left : &right;

		copy_one(out, *from, sort->size);
		*from += sort->size;
		out += sort->size;
	}
	memcpy(out, left, (size_t)(left_end - left));
}

void stable_sort(void *base, size_t count, size_t size,
		 int (*compare)(const void *, const void *, const void *context),
		 const void *context)
{
	struct sort sort = {base, size, compare, context, NULL, 0};
	size_t *ends, capacity = 0, runs = 0;

	if (count < 2 || size > 256)
		return;
	ends = NULL;
	for (size_t start = 0; start < count;) {
		ends = xgrow(ends, &capacity, runs + 1, sizeof(*ends));
		start = ends[runs++] = find_run(&sort, start, count);
	}
	if (runs > 1)
		sort.spare = xstretch(NULL, &sort.spare_capacity, count, size);
	while (runs > 1) {
		size_t kept = 0, low = 0;

		for (size_t i = 0; i + 1 < runs; i += 2) {
			merge(&sort, low, ends[i], ends[i + 1]);
			low = ends[kept++] = ends[i + 1];
		}
		if (runs % 2)
			ends[kept++] = ends[runs - 1];
		runs = kept;
	}
	xstretch_free(sort.spare, sort.spare_capacity, size);
	free(ends);
}
