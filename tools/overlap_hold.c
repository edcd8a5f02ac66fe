#include "overlap_hold.h"

#include "diag.h"
#include "number.h"
#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>
#include <string.h>

#define AHEAD 8 /* kernels */

/* Which of a kernel's ids stand in `others`, since they are no small plain numbers. */
enum { ODD_EXT = 1, ODD_CORR = 2 };

#define NOT_SWEPT -1 /* as a kernel's hidden */

#define NO_COVER   UINT32_MAX
#define LAST_COVER (UINT32_C(1) << 31) /* in a cover's name: the kernel has no more */

struct held_kernel {
	int64_t start;
	int64_t dur;
	int64_t hidden;
	int64_t hidden_compute;
	int64_t idx;
	uint32_t ext;
	uint32_t corr;
	uint32_t context;
	uint32_t title;
	uint32_t extension;   /* or INTERN_NONE */
	uint32_t first_cover; /* in hold.cover, or NO_COVER */
};

/* What kernels have in common: */
struct held_context {
	struct context_key {
		uint32_t group;
		uint32_t place; /* "TID\tSTREAM" */
		uint32_t kind;	/* "KIND\tCATEGORY" */
		uint32_t odd;
	} key;
	uint32_t stream; /* its number in the group */
	struct dominance_class class;
};

struct held_cover {
	int64_t ns;
	uint32_t name;
};

struct held_group {
	uint32_t *kernel; /* by idx, once swept */
	size_t count;
	size_t capacity;
	struct sweep_window window;
};

/* A kernel to be sorted; with its start at hand this is much faster. */
struct held_start {
	int64_t start;
	uint32_t kernel;
};

/* Whether the id is a number that fits and will be written just as it was read. */
static bool is_plain(struct field field, uint32_t *id)
{
	uint64_t value;

	if (!number_count(field.text, field.length, &value) || value > UINT32_MAX ||
	    (field.text[0] == '0' && field.length > 1))
		return false;
	*id = (uint32_t)value;
	return true;
}

static uint32_t keep_id(struct hold *hold, struct context_key *key, struct field field,
			uint32_t odd)
{
	uint32_t id;

	if (is_plain(field, &id))
		return id;
	key->odd |= odd;
	return intern(&hold->others, field.text, field.length);
}

/* Two fields of a record with what is between them; *last is the one before. */
static uint32_t keep_text(struct hold *hold, uint32_t *last, const struct record *record, int from,
			  int to)
{
	struct field text = fields_from_to(record->field[from], record->field[to]);

	return intern_next(&hold->others, last, text.text, text.length);
}

static uint32_t keep_title(struct hold *hold, const struct record *kernel)
{
	struct field name = kernel->field[KERNEL_NAME];
	struct field title = fields_from_to(name, kernel->field[KERNEL_PARAMS]);
	uint32_t known = hold->titles.count;
	uint32_t id = intern_next(&hold->titles, &hold->last_title, title.text, title.length);

	if (id == known) {
		hold->name =
			xgrow(hold->name, &hold->name_capacity, known + 1, sizeof(*hold->name));
		hold->name[id] = intern(&hold->groups.names, name.text, name.length);
	}
	return id;
}

static uint32_t keep_context(struct hold *hold, const struct record *kernel,
			     const struct context_key *key)
{
	uint32_t known = hold->contexts.count, id;

	id = intern_next(&hold->contexts, &hold->last_context, (const char *)key, sizeof(*key));
	if (id == known) {
		hold->context = xgrow(hold->context, &hold->context_capacity, known + 1,
				      sizeof(*hold->context));
		hold->context[id] = (struct held_context){
			*key,
			groups_stream(&hold->groups, key->group, kernel->field[KERNEL_STREAM]),
			class_of_category(kernel->field[KERNEL_CATEGORY]),
		};
	}
	return id;
}

static void make_groups(struct hold *hold, size_t count)
{
	while (hold->group_count < count) {
		hold->group = xgrow(hold->group, &hold->group_capacity, hold->group_count + 1,
				    sizeof(*hold->group));
		hold->group[hold->group_count++] = (struct held_group){0};
	}
}

static void join_group(struct hold *hold, uint32_t id, uint32_t kernel)
{
	struct held_group *group;

	make_groups(hold, (size_t)id + 1);
	group = &hold->group[id];
	group->kernel = xstretch(group->kernel, &group->capacity, group->count + 1,
				 sizeof(*group->kernel));
	group->kernel[group->count++] = kernel;
}

void hold_add(struct hold *hold, const struct record *record, uint32_t group,
	      const struct kernel_times *times)
{
	const struct field *field = record->field;
	struct context_key key = {
		.group = group,
		.place = keep_text(hold, &hold->last_place, record, KERNEL_TID, KERNEL_STREAM),
		.kind = keep_text(hold, &hold->last_kind, record, KERNEL_KIND, KERNEL_CATEGORY),
	};
	struct held_kernel kernel = {
		.start = times->start,
		.dur = times->dur,
		.hidden = NOT_SWEPT,
		.idx = times->idx,
		.ext = keep_id(hold, &key, field[KERNEL_EXT], ODD_EXT),
		.corr = keep_id(hold, &key, field[KERNEL_CORR], ODD_CORR),
		.title = keep_title(hold, record),
		.extension = INTERN_NONE,
		.first_cover = NO_COVER,
	};

	if (hold->kernels == UINT32_MAX)
		diag_die("too many kernels of one rank");
	kernel.context = keep_context(hold, record, &key);
	if (record->fields > KERNEL_COLUMN_END)
		kernel.extension = keep_text(hold, &hold->last_extension, record, KERNEL_COLUMN_END,
					     KERNEL_COLUMN_END);
	join_group(hold, group, (uint32_t)hold->kernels);
	hold->kernel = xstretch(hold->kernel, &hold->kernel_capacity, hold->kernels + 1,
				sizeof(*hold->kernel));
	hold->kernel[hold->kernels++] = kernel;
}

static int by_start(const void *a, const void *b, const void *context)
{
	int64_t left = ((const struct held_start *)a)->start;
	int64_t right = ((const struct held_start *)b)->start;

	(void)context;
	return (left > right) - (left < right);
}

static int by_idx(const void *a, const void *b, const void *context)
{
	const struct hold *hold = context;
	int64_t left = hold->kernel[*(const uint32_t *)a].idx;
	int64_t right = hold->kernel[*(const uint32_t *)b].idx;

	return (left > right) - (left < right);
}

static void put_interned(struct record_writer *out, const struct intern *table, uint32_t id)
{
	record_put_escaped(out, table->item[id].text, table->item[id].length);
}

static void put_id(struct record_writer *out, const struct hold *hold, uint32_t id, bool odd)
{
	if (odd)
		put_interned(out, &hold->others, id);
	else
		record_put_int(out, id);
}

static void put_kernel(const struct hold *hold, struct record_writer *out,
		       const struct held_kernel *kernel)
{
	const struct context_key *key = &hold->context[kernel->context].key;

	record_begin(out, RECORD_KERNEL);
	record_put_field(out, hold->groups.group[key->group].label);
	record_put_int(out, kernel->idx);
	put_interned(out, &hold->others, key->place);
	record_put_time(out, kernel->start);
	record_put_time(out, kernel->dur);
	put_id(out, hold, kernel->ext, key->odd & ODD_EXT);
	put_id(out, hold, kernel->corr, key->odd & ODD_CORR);
	put_interned(out, &hold->others, key->kind);
	record_put_time(out, kernel->hidden);
	record_put_time(out, kernel->dur - kernel->hidden);
	record_put_time(out, kernel->hidden_compute);
	put_interned(out, &hold->titles, kernel->title);
	if (kernel->extension != INTERN_NONE)
		put_interned(out, &hold->others, kernel->extension);
	record_end(out);
}

static void put_swept(struct hold *hold)
{
	while (hold->put < hold->kernels && hold->kernel[hold->put].hidden != NOT_SWEPT)
		put_kernel(hold, hold->out, &hold->kernel[hold->put++]);
}

static void keep_result(void *context, const struct sweep_kernel *swept,
			const struct sweep_result *result)
{
	struct hold *hold = context;
	struct held_kernel *kernel = &hold->kernel[swept->id];
	size_t count = result->covers.count;

	kernel->hidden = result->hidden;
	kernel->hidden_compute = result->hidden_compute;
	if (hold->out)
		put_swept(hold);
	if (!count)
		return;
	if (count >= NO_COVER - hold->covers)
		diag_die("too many cover records of one rank");
	kernel->first_cover = (uint32_t)hold->covers;
	hold->cover = xstretch(hold->cover, &hold->cover_capacity, hold->covers + count,
			       sizeof(*hold->cover));
	for (size_t i = 0; i < count; i++)
		hold->cover[hold->covers++] =
			(struct held_cover){result->covers.item[i].ns, result->covers.item[i].name};
	hold->cover[hold->covers - 1].name |= LAST_COVER;
}

/* The group's kernels by start. */
static struct held_start *sort_by_start(const struct hold *hold, const struct held_group *group,
					size_t *capacity)
{
	struct held_start *list = xstretch(NULL, capacity, group->count, sizeof(*list));

	for (size_t i = 0; i < group->count; i++)
		list[i] = (struct held_start){hold->kernel[group->kernel[i]].start,
					      group->kernel[i]};
	stable_sort(list, group->count, sizeof(*list), by_start, NULL);
	return list;
}

static struct sweep_kernel kernel_to_sweep(const struct hold *hold, uint32_t id)
{
	const struct held_kernel *kernel = &hold->kernel[id];
	const struct held_context *context = &hold->context[kernel->context];

	return (struct sweep_kernel){
		.start = kernel->start,
		.end = kernel->start + kernel->dur,
		.idx = kernel->idx,
		.stream = context->stream,
		.name = hold->name[kernel->title],
		.id = id,
		.priority = context->class.priority,
		.compute = context->class.compute,
	};
}

static void sweep_group(struct hold *hold, struct held_group *group)
{
	size_t capacity = 0;
	struct held_start *list = sort_by_start(hold, group, &capacity);
	struct sweep sweep;

	sweep_init(&sweep, keep_result, hold);
	for (size_t i = 0; i < group->count; i++) {
		struct sweep_kernel kernel = kernel_to_sweep(hold, list[i].kernel);

		/* where streams drift apart, the next kernels are all over the table */
		if (i + AHEAD < group->count)
			__builtin_prefetch(&hold->kernel[list[i + AHEAD].kernel]);
		sweep_add(&sweep, &kernel);
	}
	sweep_finish(&sweep);
	group->window = sweep.window;
	sweep_release(&sweep);
	xstretch_free(list, capacity, sizeof(*list));
	stable_sort(group->kernel, group->count, sizeof(*group->kernel), by_idx, hold);
}

void hold_sweep(struct hold *hold, struct record_writer *out)
{
	hold->out = out;
	/* those whose kernels were all refused, too */
	make_groups(hold, hold->groups.count);
	hold->order = groups_in_order(&hold->groups);
	for (size_t i = 0; i < hold->groups.count; i++)
		sweep_group(hold, &hold->group[hold->order[i]]);
}

void hold_put_kernels(const struct hold *hold, struct record_writer *out, size_t from, size_t count)
{
	for (size_t i = from; i < from + count; i++)
		put_kernel(hold, out, &hold->kernel[i]);
}

static void put_covers(const struct hold *hold, struct record_writer *out, struct buffer *begin,
		       const struct held_kernel *kernel)
{
	const struct held_cover *cover;
	uint32_t at = kernel->first_cover;

	if (at == NO_COVER)
		return;
	begin_covers(begin, &hold->groups.group[hold->context[kernel->context].key.group],
		     kernel->idx);
	do {
		cover = &hold->cover[at++];
		put_cover(out, &hold->groups, begin, cover->name & ~LAST_COVER, cover->ns);
	} while (!(cover->name & LAST_COVER));
}

void hold_put_covers(const struct hold *hold, struct record_writer *out)
{
	struct buffer begin = BUFFER_INIT;

	for (size_t i = 0; i < hold->groups.count; i++) {
		const struct held_group *group = &hold->group[hold->order[i]];

		for (size_t k = 0; k < group->count; k++) {
			uint32_t ahead = NO_COVER;

			/* covers lie in the order in which kernels ended */
			if (k + AHEAD < group->count)
				ahead = hold->kernel[group->kernel[k + AHEAD]].first_cover;
			if (ahead != NO_COVER)
				__builtin_prefetch(&hold->cover[ahead]);
			put_covers(hold, out, &begin, &hold->kernel[group->kernel[k]]);
		}
	}
	buffer_release(&begin);
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
	intern_release(&hold->contexts);
	intern_release(&hold->titles);
	intern_release(&hold->others);
	for (size_t i = 0; i < hold->group_count; i++)
		xstretch_free(hold->group[i].kernel, hold->group[i].capacity,
			      sizeof(*hold->group[i].kernel));
	free(hold->group);
	xstretch_free(hold->kernel, hold->kernel_capacity, sizeof(*hold->kernel));
	free(hold->name);
	free(hold->context);
	free(hold->order);
	xstretch_free(hold->cover, hold->cover_capacity, sizeof(*hold->cover));
	*hold = (struct hold){0};
}
