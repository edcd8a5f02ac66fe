#include "srcmap_moments.h"

#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

void moments_add(struct moments *moments, int64_t from, int64_t until, uint32_t thread,
		 size_t sample)
{
	moments->item =
	    xgrow(moments->item, &moments->capacity, moments->count + 1, sizeof(*moments->item));
	moments->item[moments->count++] = (struct moment){
	    .from = from, .until = until, .thread = thread, .answer = UINT32_MAX, .sample = sample};
}

static int by_thread_and_time(const void *a, const void *b, const void *context)
{
	const struct moment *left = a, *right = b;

	(void)context;
	if (left->thread != right->thread)
		return left->thread < right->thread ? -1 : 1;
	return (left->from > right->from) - (left->from < right->from);
}

void moments_sort(struct moments *moments)
{
	stable_sort(moments->item, moments->count, sizeof(*moments->item), by_thread_and_time,
		    NULL);
}

size_t moments_thread_end(const struct moments *moments, size_t start)
{
	size_t end = start + 1;

	while (end < moments->count && moments->item[end].thread == moments->item[start].thread)
		end++;
	return end;
}

void moments_release(struct moments *moments)
{
	free(moments->item);
	*moments = (struct moments)MOMENTS_INIT;
}
