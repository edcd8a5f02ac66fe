#include "overlap_hold.h"

#include "diag.h"
#include "number.h"
#include "sort.h"
#include "text.h"
#include "xalloc.h"

#include <stdlib.h>

/* Which of a kernel's numbers stand in `others`, since they are not plain ones. */
enum { ODD_EXT = 1, ODD_CORR = 2 };

struct held_kernel {
	int64_t start;
	int64_t dur;
	int64_t hidden;
	int64_t hidden_compute;
	int64_t idx;
	int64_t ext;
	int64_t corr;
	uint32_t group;
	uint32_t place;
	uint32_t kind;
	uint32_t title;
	uint32_t extension; /* or INTERN_NONE */
	uint32_t odd;
};

struct held_cover {
	int64_t ns;
	uint32_t name;
	uint32_t kernel;
};

struct held_group {
	uint32_t *kernel;
	size_t count;
	size_t capacity;
	size_t cover_end; /* where in hold.cover its covers end */
	struct sweep_window window;
};

/* Whether the number will be written just as it was read. */
static bool is_plain(struct field field, int64_t *value)
{
	size_t sign = field.length && field.text[0] == '-';

	if (field.length == sign || field.text[0] == '+' ||
	    (field.text[sign] == '0' && field.length > 1))
		return false;
	return number_int(field.text, field.length, value);
}

static int64_t keep_number(struct hold *hold, struct held_kernel *kernel, struct field field,
			   uint32_t odd)
{
	int64_t value;

	if (is_plain(field, &value))
		return value;
	kernel->odd |= odd;
	return intern(&hold->others, field.text, field.length);
}

static uint32_t keep_place(struct hold *hold, const struct record *kernel)
{
	struct field stream = kernel->field[KERNEL_STREAM];
	struct field place = fields_from_to(kernel->field[KERNEL_TID], stream);
	uint32_t known = hold->places.count;
	uint32_t id = intern(&hold->places, place.text, place.length);

	if (id == known) {
		hold->stream =
		    xgrow(hold->stream, &hold->stream_capacity, known + 1, sizeof(*hold->stream));
		hold->stream[id] = intern(&hold->groups.streams, stream.text, stream.length);
	}
	return id;
}

static uint32_t keep_kind(struct hold *hold, const struct record *kernel)
{
	struct field category = kernel->field[KERNEL_CATEGORY];
	struct field kind = fields_from_to(kernel->field[KERNEL_KIND], category);
	uint32_t known = hold->kinds.count;
	uint32_t id = intern(&hold->kinds, kind.text, kind.length);

	if (id == known) {
		hold->class =
		    xgrow(hold->class, &hold->class_capacity, known + 1, sizeof(*hold->class));
		hold->class[id] = class_of_category(category);
	}
	return id;
}

static uint32_t keep_title(struct hold *hold, const struct record *kernel)
{
	struct field name = kernel->field[KERNEL_NAME];
	struct field title = fields_from_to(name, kernel->field[KERNEL_PARAMS]);
	uint32_t known = hold->titles.count;
	uint32_t id = intern(&hold->titles, title.text, title.length);

	if (id == known) {
		hold->name =
		    xgrow(hold->name, &hold->name_capacity, known + 1, sizeof(*hold->name));
		hold->name[id] = intern(&hold->groups.names, name.text, name.length);
	}
	return id;
}

static void join_group(struct hold *hold, uint32_t id, uint32_t kernel)
{
	struct held_group *group;

	while (id >= hold->group_count) {
		hold->group = xgrow(hold->group, &hold->group_capacity, hold->group_count + 1,
				    sizeof(*hold->group));
		hold->group[hold->group_count++] = (struct held_group){0};
	}
	group = &hold->group[id];
	group->kernel =
	    xgrow(group->kernel, &group->capacity, group->count + 1, sizeof(*group->kernel));
	group->kernel[group->count++] = kernel;
}

void hold_add(struct hold *hold, const struct record *record, uint32_t group,
	      const struct kernel_times *times)
{
	struct held_kernel *kernel;

	if (hold->count == UINT32_MAX)
		diag_die("too many kernels of one rank");
	hold->kernel = xgrow(hold->kernel, &hold->capacity, hold->count + 1, sizeof(*hold->kernel));
	kernel = &hold->kernel[hold->count];
	*kernel = (struct held_kernel){
	    .start = times->start,
	    .dur = times->dur,
	    .idx = times->idx,
	    .group = group,
	    .place = keep_place(hold, record),
	    .kind = keep_kind(hold, record),
	    .title = keep_title(hold, record),
	    .extension = INTERN_NONE,
	};
	kernel->ext = keep_number(hold, kernel, record->field[KERNEL_EXT], ODD_EXT);
	kernel->corr = keep_number(hold, kernel, record->field[KERNEL_CORR], ODD_CORR);
	if (record->fields > KERNEL_COLUMN_END)
		kernel->extension = intern(&hold->others, record->field[KERNEL_COLUMN_END].text,
					   record->field[KERNEL_COLUMN_END].length);
	join_group(hold, group, (uint32_t)hold->count++);
}

static int by_start(const void *a, const void *b, const void *context)
{
	const struct held_kernel *kernel = context;
	int64_t left = kernel[*(const uint32_t *)a].start,
		right = kernel[*(const uint32_t *)b].start;

	return (left > right) - (left < right);
}

static int by_idx(const void *a, const void *b, const void *context)
{
	const struct held_kernel *kernel = context;
	int64_t left = kernel[((const struct held_cover *)a)->kernel].idx;
	int64_t right = kernel[((const struct held_cover *)b)->kernel].idx;

	return (left > right) - (left < right);
}

static void keep_result(void *context, const struct sweep_kernel *swept,
			const struct sweep_result *result)
{
	struct hold *hold = context;

	hold->kernel[swept->id].hidden = result->hidden;
	hold->kernel[swept->id].hidden_compute = result->hidden_compute;
	hold->cover = xgrow(hold->cover, &hold->cover_capacity, hold->covers + result->covers.count,
			    sizeof(*hold->cover));
	for (size_t i = 0; i < result->covers.count; i++) {
		const struct cover *cover = &result->covers.item[i];

		hold->cover[hold->covers++] =
		    (struct held_cover){cover->ns, cover->name, swept->id};
	}
}

static void sweep_group(struct hold *hold, struct held_group *group)
{
	size_t first_cover = hold->covers;
	struct sweep sweep;

	stable_sort(group->kernel, group->count, sizeof(*group->kernel), by_start, hold->kernel);
	sweep_init(&sweep, keep_result, hold);
	for (size_t i = 0; i < group->count; i++) {
		const struct held_kernel *held = &hold->kernel[group->kernel[i]];
		struct sweep_kernel kernel = {
		    .start = held->start,
		    .end = held->start + held->dur,
		    .idx = held->idx,
		    .stream = hold->stream[held->place],
		    .name = hold->name[held->title],
		    .id = group->kernel[i],
		    .priority = hold->class[held->kind].priority,
		    .compute = hold->class[held->kind].compute,
		};

		sweep_add(&sweep, &kernel);
	}
	sweep_finish(&sweep);
	group->window = sweep.window;
	sweep_release(&sweep);
	stable_sort(hold->cover + first_cover, hold->covers - first_cover, sizeof(*hold->cover),
		    by_idx, hold->kernel);
	group->cover_end = hold->covers;
}

void hold_sweep(struct hold *hold)
{
	hold->order = groups_in_order(&hold->groups);
	for (size_t i = 0; i < hold->groups.count; i++)
		sweep_group(hold, &hold->group[hold->order[i]]);
}

static void put_interned(struct record_writer *out, const struct intern *table, uint32_t id)
{
	record_put_escaped(out, table->item[id].text, table->item[id].length);
}

static void put_number(struct record_writer *out, const struct hold *hold, int64_t value, bool odd)
{
	if (odd)
		put_interned(out, &hold->others, (uint32_t)value);
	else
		record_put_int(out, value);
}

static void put_kernel(const struct hold *hold, struct record_writer *out,
		       const struct held_kernel *kernel)
{
	record_begin(out, RECORD_KERNEL);
	record_put_field(out, hold->groups.group[kernel->group].label);
	record_put_int(out, kernel->idx);
	put_interned(out, &hold->places, kernel->place);
	record_put_time(out, kernel->start);
	record_put_time(out, kernel->dur);
	put_number(out, hold, kernel->ext, kernel->odd & ODD_EXT);
	put_number(out, hold, kernel->corr, kernel->odd & ODD_CORR);
	put_interned(out, &hold->kinds, kernel->kind);
	record_put_time(out, kernel->hidden);
	record_put_time(out, kernel->dur - kernel->hidden);
	record_put_time(out, kernel->hidden_compute);
	put_interned(out, &hold->titles, kernel->title);
	if (kernel->extension != INTERN_NONE)
		put_interned(out, &hold->others, kernel->extension);
	record_end(out);
}

void hold_put_kernels(const struct hold *hold, struct record_writer *out, size_t from, size_t count)
{
	for (size_t i = from; i < from + count; i++)
		put_kernel(hold, out, &hold->kernel[i]);
}

void hold_put_covers(const struct hold *hold, struct record_writer *out)
{
	size_t at = 0;

	for (size_t i = 0; i < hold->groups.count; i++)
		for (; at < hold->group[hold->order[i]].cover_end; at++) {
			const struct held_cover *held = &hold->cover[at];
			struct cover cover = {.name = held->name, .ns = held->ns};

			put_covers(out, &hold->groups, hold->order[i],
				   hold->kernel[held->kernel].idx, &cover, 1);
		}
}

void hold_put_windows(const struct hold *hold, struct record_writer *out)
{
	for (size_t i = 0; i < hold->groups.count; i++)
		put_window(out, &hold->groups.group[hold->order[i]],
			   &hold->group[hold->order[i]].window);
}

void hold_release(struct hold *hold)
{
	groups_release(&hold->groups);
	intern_release(&hold->places);
	intern_release(&hold->kinds);
	intern_release(&hold->titles);
	intern_release(&hold->others);
	for (size_t i = 0; i < hold->group_count; i++)
		free(hold->group[i].kernel);
	free(hold->group);
	free(hold->kernel);
	free(hold->stream);
	free(hold->name);
	free(hold->class);
	free(hold->order);
	free(hold->cover);
	*hold = (struct hold)HOLD_INIT;
}
