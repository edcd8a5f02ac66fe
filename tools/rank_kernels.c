#include "rank_kernels.h"

#include "diag.h"
#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

/* Columns 1 to `last` of a record as one text, tabs and all. */
static struct field columns_up_to(const struct record *record, int last)
{
	const char *start = record->field[1].text;

	return (struct field){
		start, (size_t)(record->field[last].text + record->field[last].length - start)};
}

static uint32_t find_process(struct rank_kernels *held, const struct record *record)
{
	struct field key = columns_up_to(record, KERNEL_PID);
	uint32_t known = held->process_keys.count;
	uint32_t id = intern(&held->process_keys, key.text, key.length);

	if (id == known) {
		held->process = xgrow(held->process, &held->process_capacity, known + 1,
				      sizeof(*held->process));
		held->process[id] = (struct process){0};
	}
	return id;
}

/* A kernel, cover and window begin alike: rank, pid, stage.  The groups may move. */
static uint32_t find_group(struct rank_kernels *held, const struct record *record)
{
	struct field key = columns_up_to(record, KERNEL_STAGE);
	uint32_t known = held->group_keys.count, id;

	if (known) {
		const struct interned *last = &held->group_keys.item[held->last];

		if (last->length == key.length && same_bytes(last->text, key.text, key.length))
			return held->last;
	}
	id = intern(&held->group_keys, key.text, key.length);
	if (id == known) {
		held->group = xgrow(held->group, &held->group_capacity, known + 1,
				    sizeof(*held->group));
		held->group[id] = (struct group){.process = find_process(held, record), .busy = -1};
	}
	held->last = id;
	return id;
}

static bool take_idx(struct record *record, int column, uint32_t *idx)
{
	int64_t value;

	if (!record_int(record, column, &value))
		return false;
	if (value < 0 || value >= UINT32_MAX)
		return record_fault(record, column, "not the number of a kernel");
	*idx = (uint32_t)value;
	return true;
}

/* A time that is not negative, and its sum with those before it. */
static bool take_span(struct record *record, int column, int64_t *ns, int64_t *sum)
{
	int64_t with;

	if (field_unknown(record->field[column]))
		return record_fault(record, column, "not known; run tpa-overlap first");
	if (!record_time(record, column, ns))
		return false;
	if (*ns < 0)
		return record_fault(record, column, "a time less than zero");
	if (__builtin_add_overflow(*sum, *ns, &with))
		return record_fault(record, column, "a time too large to add to those before it");
	*sum = with;
	return true;
}

void process_add_kernel(struct process *process, const struct kernel *kernel)
{
	if (process->kernels == UINT32_MAX)
		diag_die("too many kernels in one process");
	process->kernel = xstretch(process->kernel, &process->kernel_capacity,
				   process->kernels + 1, sizeof(*kernel));
	process->kernel[process->kernels++] = *kernel;
}

void process_add_cover(struct process *process, const struct cover *cover)
{
	if (process->covers == UINT32_MAX)
		diag_die("too many cover records in one process");
	process->cover = xstretch(process->cover, &process->cover_capacity, process->covers + 1,
				  sizeof(*cover));
	process->cover[process->covers++] = *cover;
}

static bool take_kernel(struct rank_kernels *held, struct record *record)
{
	struct field category = record->field[KERNEL_CATEGORY];
	struct field stream = record->field[KERNEL_STREAM], name = record->field[KERNEL_NAME];
	struct kernel kernel;

	if (!take_idx(record, KERNEL_IDX, &kernel.idx) ||
	    !record_time(record, KERNEL_TS, &kernel.ts) ||
	    !take_span(record, KERNEL_DUR, &kernel.dur, &held->dur) ||
	    !take_span(record, KERNEL_HIDDEN, &kernel.hidden, &held->hidden) ||
	    !take_span(record, KERNEL_EXCLUSIVE, &kernel.exclusive, &held->exclusive) ||
	    !take_span(record, KERNEL_HIDDEN_COMPUTE, &kernel.hidden_compute,
		       &held->hidden_compute))
		return false;
	if (field_unknown(category))
		category = (struct field){"other", 5};
	kernel.name = intern_next(&held->texts, &held->last_name, name.text, name.length);
	kernel.category = intern_next(&held->texts, &held->last_category, category.text,
				      category.length);
	kernel.stream =
		intern_next(&held->texts, &held->last_stream, stream.text, stream.length);
	kernel.group = find_group(held, record);
	held->group[kernel.group].count++;
	process_add_kernel(&held->process[held->group[kernel.group].process], &kernel);
	return true;
}

static bool take_cover(struct rank_kernels *held, struct record *record)
{
	struct field name = record->field[COVER_NAME];
	struct cover cover;
	uint32_t group;

	if (!take_idx(record, COVER_IDX, &cover.idx) ||
	    !take_span(record, COVER_US, &cover.ns, &held->covered))
		return false;
	cover.name = intern_next(&held->texts, &held->last_cover, name.text, name.length);
	group = find_group(held, record);
	process_add_cover(&held->process[held->group[group].process], &cover);
	return true;
}

static bool take_window(struct rank_kernels *held, struct record *record)
{
	uint32_t id = find_group(held, record);
	struct group *group = &held->group[id];
	int64_t busy;

	if (!record_time(record, WINDOW_BUSY, &busy))
		return false;
	if (busy < 0)
		return record_fault(record, WINDOW_BUSY, "a time less than zero");
	if (group->busy >= 0 && group->busy != busy)
		return record_fault(record, 0, "a second window of this rank, process and stage; "
				    "give each trace its label with tpa-extract -l");
	group->busy = busy;
	return true;
}

bool rank_kernels_take(struct rank_kernels *held, struct record *record)
{
	switch (record->type) {
	case RECORD_KERNEL:
		return take_kernel(held, record);
	case RECORD_COVER:
		return take_cover(held, record);
	default:
		return take_window(held, record);
	}
}

bool rank_kernels_covered(const struct rank_kernels *held)
{
	return held->covered == held->hidden;
}

static int by_idx(const void *a, const void *b, const void *context)
{
	const struct kernel *left = process_kernel(context, *(const uint32_t *)a);
	const struct kernel *right = process_kernel(context, *(const uint32_t *)b);

	return (left->idx > right->idx) - (left->idx < right->idx);
}

static int by_idx_and_falling_time(const void *a, const void *b, const void *context)
{
	const struct cover *left = process_cover(context, *(const uint32_t *)a);
	const struct cover *right = process_cover(context, *(const uint32_t *)b);

	if (left->idx != right->idx)
		return left->idx < right->idx ? -1 : 1;
	return (left->ns < right->ns) - (left->ns > right->ns);
}

/* The places from 0 on, in that order; the caller frees the array. */
static uint32_t *sort_places(const struct process *process, size_t count, size_t *capacity,
			     int (*compare)(const void *, const void *, const void *))
{
	uint32_t *place = xstretch(NULL, capacity, count, sizeof(*place));

	for (size_t i = 0; i < count; i++)
		place[i] = (uint32_t)i;
	stable_sort(place, count, sizeof(*place), compare, process);
	return place;
}

struct field group_stage(const struct rank_kernels *held, const struct group *group)
{
	const struct interned *key = &held->group_keys.item[group - held->group];
	const struct interned *process = &held->process_keys.item[group->process];

	return (struct field){key->text + process->length + 1, key->length - process->length - 1};
}

int stage_order(struct field stage)
{
	static const struct {
		const char *name;
		int order;
	} known[] = {{"extend", 0}, {"prefill", 0}, {"decode", 1}, {"all", 2}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (field_is(stage, known[i].name))
			return known[i].order;
	return 3;
}

static int by_stage(const void *a, const void *b, const void *context)
{
	const struct rank_kernels *held = context;
	int left = stage_order(group_stage(held, &held->group[*(const uint32_t *)a]));
	int right = stage_order(group_stage(held, &held->group[*(const uint32_t *)b]));

	return (left > right) - (left < right);
}

/* `all`, the kernels of no stage, is shown only where there is nothing else. */
static void choose_shown(const struct rank_kernels *held, struct process *process)
{
	uint32_t named = 0;

	for (uint32_t i = 0; i < process->shown_count; i++)
		if (!field_is(group_stage(held, &held->group[process->shown[i]]), "all"))
			process->shown[named++] = process->shown[i];
	if (named)
		process->shown_count = named;
	stable_sort(process->shown, process->shown_count, sizeof(*process->shown), by_stage, held);
}

/* Deals the kernels, which come in order, out to their groups. */
static void deal(struct rank_kernels *held, struct process *process, const uint32_t *place)
{
	size_t count = process->kernels, used = 0;

	process->member = xstretch(NULL, &process->member_capacity, count,
				   sizeof(*process->member));
	for (size_t i = 0; i < count; i++) {
		uint32_t id = process_kernel(process, place[i])->group;
		struct group *group = &held->group[id];

		if (!group->member) {
			process->shown = xgrow(process->shown, &process->shown_capacity,
					       process->shown_count + 1, sizeof(*process->shown));
			process->shown[process->shown_count++] = id;
			group->member = process->member + used;
			used += group->count;
			group->count = 0;
		}
		group->member[group->count++] = place[i];
	}
}

/* Whether no two of the kernels, which come in order, have one idx. */
static bool are_distinct(const struct rank_kernels *held, const struct process *process,
			 const uint32_t *place)
{
	const struct interned *key = &held->process_keys.item[process - held->process];
	const char *tab = memchr(key->text, '\t', key->length);

	for (size_t i = 1; i < process->kernels; i++) {
		uint32_t idx = process_kernel(process, place[i])->idx;

		if (process_kernel(process, place[i - 1])->idx != idx)
			continue;
		diag_error("two kernels of rank %.*s, pid %.*s have idx %lu; label the traces "
			   "with tpa-extract -l", (int)(tab - key->text), key->text,
			   (int)(key->text + key->length - tab - 1), tab + 1, (unsigned long)idx);
		return false;
	}
	return true;
}

bool rank_kernels_settle(struct rank_kernels *held, uint32_t id)
{
	struct process *process = &held->process[id];
	size_t capacity = 0;
	uint32_t *place;
	bool distinct;

	if (!process->kernels)
		return true;
	place = sort_places(process, process->kernels, &capacity, by_idx);
	distinct = are_distinct(held, process, place);
	if (distinct)
		deal(held, process, place);
	xstretch_free(place, capacity, sizeof(*place));
	if (!distinct)
		return false;
	if (process->covers)
		process->cover_order = sort_places(process, process->covers,
						   &process->cover_order_capacity,
						   by_idx_and_falling_time);
	choose_shown(held, process);
	return true;
}

void rank_kernels_release(struct rank_kernels *held)
{
	for (uint32_t i = 0; i < held->process_keys.count; i++) {
		struct process *process = &held->process[i];

		xstretch_free(process->kernel, process->kernel_capacity, sizeof(*process->kernel));
		xstretch_free(process->cover, process->cover_capacity, sizeof(*process->cover));
		xstretch_free(process->cover_order, process->cover_order_capacity,
			      sizeof(*process->cover_order));
		xstretch_free(process->member, process->member_capacity, sizeof(*process->member));
		free(process->shown);
	}
	intern_release(&held->texts);
	intern_release(&held->group_keys);
	intern_release(&held->process_keys);
	free(held->group);
	free(held->process);
	*held = (struct rank_kernels)RANK_KERNELS_INIT;
}
