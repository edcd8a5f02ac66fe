#include "fmt_timeline.h"

#include "number.h"
#include "sort.h"

#include <stdlib.h>

#define KERNELS_SHOWN 300 /* about as many as a stretch chosen by us holds */

static int by_start(const void *a, const void *b, const void *context)
{
	const struct shown_kernel *const *left = a, *const *right = b;

	(void)context;
	return ((*left)->ts > (*right)->ts) - ((*left)->ts < (*right)->ts);
}

static const struct shown_kernel **sorted_by_start(const struct shown_kernels *kernels)
{
	const struct shown_kernel **order = xreallocarray(NULL, kernels->count, sizeof(*order));

	for (size_t i = 0; i < kernels->count; i++)
		order[i] = &kernels->item[i];
	stable_sort(order, kernels->count, sizeof(*order), by_start, NULL);
	return order;
}

/* The start of the stretch of that length in which the kernels that start have most time. */
static int64_t busiest(const struct shown_kernels *kernels, int64_t length)
{
	const struct shown_kernel **order = sorted_by_start(kernels);
	int64_t sum = 0, best = -1, start = order[0]->ts;
	size_t first = 0;

	for (size_t i = 0; i < kernels->count; i++) {
		sum = time_add(sum, order[i]->end - order[i]->ts);
		for (; order[first]->ts < time_add(order[i]->ts, -length); first++)
			sum -= order[first]->end - order[first]->ts;
		if (sum > best) {
			best = sum;
			start = order[first]->ts;
		}
	}
	free(order);
	return start;
}

static void find_extent(const struct shown_kernels *kernels, int64_t *from, int64_t *to)
{
	*from = kernels->item[0].ts;
	*to = kernels->item[0].end;
	for (size_t i = 1; i < kernels->count; i++) {
		const struct shown_kernel *kernel = &kernels->item[i];

		*from = kernel->ts < *from ? kernel->ts : *from;
		*to = kernel->end > *to ? kernel->end : *to;
	}
}

bool stretch_choose(const struct shown_kernels *kernels, const struct stretch *asked, int64_t *from,
		    int64_t *to)
{
	const struct shown_kernel *around = NULL;
	int64_t first, last, length;

	if (!kernels->count)
		return false;
	find_extent(kernels, &first, &last);
	length = time_add(last, -first);
	if (kernels->count > KERNELS_SHOWN)
		length = (int64_t)((double)length * KERNELS_SHOWN / (double)kernels->count) + 1;
	for (uint32_t group = 0; asked->has_around && !around && group < kernels->groups.count; group++)
		around = shown_kernels_find(kernels, group, asked->around);
	if (asked->has_around && !around)
		return false;
	if (around) {
		int64_t dur = around->end - around->ts;

		length = length < 2 * dur ? 2 * dur : length;
		*from = time_add(around->ts, -((length - dur) / 2));
		*to = time_add(*from, length);
	} else if (asked->has_from || asked->has_to) {
		*from = asked->has_from ? asked->from : first;
		*to = asked->has_to ? asked->to : last;
	} else {
		*from = busiest(kernels, length);
		*to = time_add(*from, length);
	}
	return *to > *from;
}

static int by_lane_and_start(const void *a, const void *b, const void *context)
{
	const struct timeline_kernel *left = a, *right = b;

	(void)context;
	if (left->kernel->lane != right->kernel->lane)
		return left->kernel->lane < right->kernel->lane ? -1 : 1;
	if (left->kernel->group != right->kernel->group)
		return left->kernel->group < right->kernel->group ? -1 : 1;
	return (left->ts > right->ts) - (left->ts < right->ts);
}

static void cut_lanes(struct timeline *timeline, size_t count)
{
	size_t capacity = 0;

	for (size_t i = 0; i < count; i++) {
		const struct shown_kernel *kernel = timeline->kernel[i].kernel;
		struct timeline_lane *lane =
			timeline->lanes ? &timeline->lane[timeline->lanes - 1] : NULL;

		if (!lane || lane->lane != kernel->lane || lane->group != kernel->group) {
			timeline->lane = xgrow(timeline->lane, &capacity, timeline->lanes + 1,
					       sizeof(*timeline->lane));
			lane = &timeline->lane[timeline->lanes++];
			*lane = (struct timeline_lane){.lane = kernel->lane,
						       .group = kernel->group,
						       .kernel = &timeline->kernel[i]};
		}
		lane->kernels++;
	}
}

/* A start or an end of a kernel, for the count of lanes that run. */
struct edge {
	int64_t time;
	uint32_t group;
	uint32_t lane; /* its place in timeline->lane */
	bool start;
};

static int by_group_and_time(const void *a, const void *b, const void *context)
{
	const struct edge *left = a, *right = b;

	(void)context;
	if (left->group != right->group)
		return left->group < right->group ? -1 : 1;
	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return left->start - right->start;
}

static void add_exposure(struct timeline_lane *lane, int64_t start, int64_t end)
{
	struct exposure *last = lane->exposures ? &lane->exposure[lane->exposures - 1] : NULL;

	if (last && last->end == start) {
		last->end = end;
		return;
	}
	lane->exposure = xgrow(lane->exposure, &lane->capacity, lane->exposures + 1,
			       sizeof(*lane->exposure));
	lane->exposure[lane->exposures++] = (struct exposure){start, end};
}

static void add_load(struct timeline *timeline, const struct edge *edge, uint32_t lanes)
{
	struct load *last = timeline->loads ? &timeline->load[timeline->loads - 1] : NULL;

	if (!last || last->group != edge->group || last->time != edge->time)
		last = &timeline->load[timeline->loads++];
	*last = (struct load){edge->time, edge->group, lanes};
}

static void find_exposures(struct timeline *timeline, size_t count)
{
	struct edge *edge = xreallocarray(NULL, 2 * count, sizeof(*edge));
	uint32_t *running = xcalloc(timeline->lanes, sizeof(*running));
	uint32_t lanes = 0, which = 0; /* how many lanes run, and their places, xored */
	size_t edges = 0;

	timeline->load = xreallocarray(NULL, 2 * count, sizeof(*timeline->load));
	for (uint32_t i = 0; i < timeline->lanes; i++) {
		const struct timeline_lane *lane = &timeline->lane[i];

		for (size_t k = 0; k < lane->kernels; k++) {
			edge[edges++] = (struct edge){lane->kernel[k].ts, lane->group, i, true};
			edge[edges++] = (struct edge){lane->kernel[k].end, lane->group, i, false};
		}
	}
	stable_sort(edge, edges, sizeof(*edge), by_group_and_time, NULL);
	for (size_t i = 0; i < edges; i++) {
		if (lanes == 1 && edge[i].time > edge[i - 1].time)
			add_exposure(&timeline->lane[which], edge[i - 1].time, edge[i].time);
		if (edge[i].start ? !running[edge[i].lane]++ : !--running[edge[i].lane]) {
			lanes += edge[i].start ? 1 : (uint32_t)-1;
			which ^= edge[i].lane;
		}
		add_load(timeline, &edge[i], lanes);
	}
	free(running);
	free(edge);
}

void timeline_make(struct timeline *timeline, const struct shown_kernels *kernels, int64_t from,
		   int64_t to)
{
	size_t count = 0, capacity = 0;

	*timeline = (struct timeline){.from = from, .to = to};
	for (size_t i = 0; i < kernels->count; i++) {
		const struct shown_kernel *kernel = &kernels->item[i];

		if (kernel->ts >= to || kernel->end <= from)
			continue;
		timeline->kernel = xgrow(timeline->kernel, &capacity, count + 1,
					 sizeof(*timeline->kernel));
		timeline->kernel[count++] = (struct timeline_kernel){
			kernel->ts > from ? kernel->ts : from, kernel->end < to ? kernel->end : to, kernel};
	}
	stable_sort(timeline->kernel, count, sizeof(*timeline->kernel), by_lane_and_start, NULL);
	cut_lanes(timeline, count);
	find_exposures(timeline, count);
}

void timeline_release(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->lanes; i++)
		free(timeline->lane[i].exposure);
	free(timeline->lane);
	free(timeline->kernel);
	free(timeline->load);
	*timeline = (struct timeline){0};
}
