#include "srcmap_nearest.h"

#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

void candidates_add(struct candidates *candidates, int64_t id, int64_t dur, struct call call)
{
	candidates->item = xgrow(candidates->item, &candidates->capacity, candidates->count + 1,
				 sizeof(*candidates->item));
	candidates->item[candidates->count++] = (struct candidate){id, dur, call};
}

static int by_id(const void *a, const void *b, const void *context)
{
	const struct candidate *left = a, *right = b;

	(void)context;
	if (left->id != right->id)
		return left->id < right->id ? -1 : 1;
	if (left->call.ts != right->call.ts)
		return left->call.ts < right->call.ts ? -1 : 1;
	return (left->dur > right->dur) - (left->dur < right->dur);
}

void candidates_sort(struct candidates *candidates)
{
	stable_sort(candidates->item, candidates->count, sizeof(*candidates->item), by_id, NULL);
}

/* The first candidate not before (id, ts). */
static size_t lower_bound(const struct candidates *candidates, int64_t id, int64_t ts)
{
	size_t low = 0, high = candidates->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct candidate *candidate = &candidates->item[middle];

		if (candidate->id < id || (candidate->id == id && candidate->call.ts < ts))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct call *candidates_nearest(const struct candidates *candidates, int64_t id, int64_t ts)
{
	size_t at = lower_bound(candidates, id, ts);
	const struct candidate *after = NULL, *before = NULL;
	int64_t ahead, behind;

	if (at < candidates->count && candidates->item[at].id == id)
		after = &candidates->item[at];
	if (at && candidates->item[at - 1].id == id) {
		/* of those that start together the shortest comes first */
		size_t first = lower_bound(candidates, id, candidates->item[at - 1].call.ts);

		before = &candidates->item[first];
	}
	if (!after || !before)
		return after ? &after->call : before ? &before->call : NULL;
	ahead = after->call.ts - ts;
	behind = ts - before->call.ts;
	if (ahead < behind || (ahead == behind && after->dur < before->dur))
		return &after->call;
	return &before->call;
}

void candidates_release(struct candidates *candidates)
{
	free(candidates->item);
	*candidates = (struct candidates)CANDIDATES_INIT;
}
