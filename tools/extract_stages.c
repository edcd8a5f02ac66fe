#include "extract_stages.h"

#include "sort.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define SLACK 1				  /* ns between two windows that are one */
#define NEAR_ENOUGH (INT64_C(20000000)) /* ns from a window's edge */

const char *const kernel_stage_names[] = {"all", "extend", "decode"};

#define PATH_COMPONENTS 6

enum kernel_stage stage_from_path(const char *path)
{
	struct buffer lowered = BUFFER_INIT, parts = BUFFER_INIT;
	const char *text;
	size_t at, components = 0;
	enum kernel_stage stage = STAGE_ALL;

	text_lower(&lowered, path, strlen(path));
	at = lowered.length;
	while (at > 0 && components < PATH_COMPONENTS) {
		at--;
		if (lowered.data[at] != '/' && (!at || lowered.data[at - 1] == '/'))
			components++;
	}
	/* "/" around each component, so that a folder is found whole */
	buffer_add_char(&parts, '/');
	for (; at < lowered.length; at++)
		if (lowered.data[at] != '/' || parts.data[parts.length - 1] != '/')
			buffer_add_char(&parts, lowered.data[at]);
	buffer_add_char(&parts, '/');
	text = parts.data;
	if (TEXT_CONTAINS(text, parts.length, "-extend") ||
	    TEXT_CONTAINS(text, parts.length, "-prefill") ||
	    TEXT_CONTAINS(text, parts.length, "_extend") ||
	    TEXT_CONTAINS(text, parts.length, "_prefill") ||
	    TEXT_CONTAINS(text, parts.length, "/extend/") ||
	    TEXT_CONTAINS(text, parts.length, "/prefill/"))
		stage = STAGE_EXTEND;
	else if (TEXT_CONTAINS(text, parts.length, "-decode") ||
		 TEXT_CONTAINS(text, parts.length, "_decode") ||
		 TEXT_CONTAINS(text, parts.length, "/decode/"))
		stage = STAGE_DECODE;
	buffer_release(&lowered);
	buffer_release(&parts);
	return stage;
}

void stages_add(struct stages *stages, const struct stage_mark *mark)
{
	stages->mark = xgrow(stages->mark, &stages->capacity, stages->count + 1,
			     sizeof(*stages->mark));
	stages->mark[stages->count++] = *mark;
}

static int by_time(const void *a, const void *b, const void *context)
{
	const struct stage_mark *left = a, *right = b;
	int64_t left_end = left->ts + left->dur, right_end = right->ts + right->dur;

	(void)context;
	if (left->ts != right->ts)
		return left->ts < right->ts ? -1 : 1;
	return (left_end > right_end) - (left_end < right_end);
}

/* By id; of one id the best first: GPU before CPU, then the longer. */
static int by_id(const void *a, const void *b, const void *context)
{
	const struct stage_mark *left = a, *right = b;

	(void)context;
	if (left->ext != right->ext)
		return left->ext < right->ext ? -1 : 1;
	if (left->on_gpu != right->on_gpu)
		return left->on_gpu ? -1 : 1;
	return (left->dur < right->dur) - (left->dur > right->dur);
}

static void add_window(struct stage_windows *windows, const struct stage_mark *mark)
{
	struct stage_window *last = windows->count ? &windows->item[windows->count - 1] : NULL;
	int64_t end = mark->ts + mark->dur;

	if (last && last->stage == mark->stage && mark->ts <= last->end + SLACK) {
		if (end > last->end)
			last->end = end;
		return;
	}
	windows->item = xgrow(windows->item, &windows->capacity, windows->count + 1,
			      sizeof(*windows->item));
	windows->item[windows->count++] = (struct stage_window){mark->ts, end, 0, mark->stage};
}

static void find_latest(struct stage_windows *windows)
{
	size_t latest = 0;

	for (size_t i = 0; i < windows->count; i++) {
		if (windows->item[i].end > windows->item[latest].end)
			latest = i;
		windows->item[i].latest = latest;
	}
}

void stages_ready(struct stages *stages)
{
	struct stage_mark *trace_order;
	size_t kept = 0;

	if (!stages->count)
		return;
	trace_order = xreallocarray(NULL, stages->count, sizeof(*trace_order));
	memcpy(trace_order, stages->mark, stages->count * sizeof(*trace_order));
	stable_sort(stages->mark, stages->count, sizeof(*stages->mark), by_time, NULL);
	for (size_t i = 0; i < stages->count; i++)
		add_window(stages->mark[i].on_gpu ? &stages->gpu : &stages->cpu, &stages->mark[i]);
	find_latest(&stages->gpu);
	find_latest(&stages->cpu);

	stable_sort(trace_order, stages->count, sizeof(*trace_order), by_id, NULL);
	for (size_t i = 0; i < stages->count; i++)
		if (trace_order[i].ext && (!kept || trace_order[kept - 1].ext != trace_order[i].ext))
			trace_order[kept++] = trace_order[i];
	stages->by_ext = kept;
	free(stages->mark);
	stages->mark = trace_order;
}

static const struct stage_mark *find_ext(const struct stages *stages, int64_t ext)
{
	size_t low = 0, high = stages->by_ext;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stages->mark[middle].ext < ext)
			low = middle + 1;
		else
			high = middle;
	}
	return low < stages->by_ext && stages->mark[low].ext == ext ? &stages->mark[low] : NULL;
}

/* How many windows start at or before `probe`. */
static size_t started(const struct stage_windows *windows, int64_t probe)
{
	size_t low = 0, high = windows->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (windows->item[middle].start <= probe)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first of the windows that holds `probe`, or NULL. */
static const struct stage_window *holding(const struct stage_windows *windows, int64_t probe)
{
	size_t low = 0, high = started(windows, probe), count = high;

	/* the first that ends late enough is the first whose predecessors' latest end does */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (windows->item[windows->item[middle].latest].end + SLACK < probe)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count ? &windows->item[low] : NULL;
}

/* Where no window holds `probe`: the one with the nearest edge, and how far that is. */
static const struct stage_window *nearest(const struct stage_windows *windows, int64_t probe,
					  int64_t *gap)
{
	size_t after = started(windows, probe);
	const struct stage_window *best = NULL;

	if (after) {
		best = &windows->item[windows->item[after - 1].latest];
		*gap = probe - best->end;
	}
	if (after < windows->count && (!best || windows->item[after].start - probe < *gap)) {
		best = &windows->item[after];
		*gap = best->start - probe;
	}
	return best;
}

enum kernel_stage stages_find(const struct stages *stages, int64_t ts, int64_t ext)
{
	const struct stage_windows *sides[] = {&stages->gpu, &stages->cpu};
	const struct stage_mark *mark = ext ? find_ext(stages, ext) : NULL;
	const struct stage_window *best = NULL, *window;
	int64_t probe, best_gap = 0, gap;

	if (mark)
		return mark->stage;
	if (ts >= INT64_MAX - NEAR_ENOUGH)
		return STAGE_ALL;
	probe = ts + 1;
	for (size_t i = 0; i < 2; i++) {
		window = holding(sides[i], probe);
		if (window)
			return window->stage;
		window = nearest(sides[i], probe, &gap);
		if (window && (!best || gap < best_gap)) {
			best = window;
			best_gap = gap;
		}
	}
	return best && best_gap <= NEAR_ENOUGH ? best->stage : STAGE_ALL;
}

void stages_release(struct stages *stages)
{
	free(stages->mark);
	free(stages->gpu.item);
	free(stages->cpu.item);
	*stages = (struct stages){0};
}
