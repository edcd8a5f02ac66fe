#include "overlap_groups.h"

#include "number.h"
#include "sort.h"
#include "text.h"
#include "xalloc.h"

#include <stdlib.h>
#include <string.h>

bool kernel_times(struct record *record, struct kernel_times *times)
{
	if (!record_int(record, KERNEL_IDX, &times->idx) ||
	    !record_time(record, KERNEL_TS, &times->start) ||
	    !record_time(record, KERNEL_DUR, &times->dur))
		return false;
	if (times->dur < 0)
		return record_fault(record, KERNEL_DUR, "a negative duration");
	if (times->dur > TIME_MAX - times->start)
		return record_fault(record, KERNEL_DUR, "an end out of range");
	return true;
}

static uint32_t add_group(struct groups *groups, const struct record *kernel, struct field label)
{
	struct field pid = kernel->field[KERNEL_PID], stage = kernel->field[KERNEL_STAGE];
	uint32_t id = intern(&groups->labels, label.text, label.length);
	const char *kept = groups->labels.item[id].text;

	if (id < groups->count)
		return id;
	groups->group =
		xgrow(groups->group, &groups->capacity, groups->count + 1, sizeof(*groups->group));
	groups->group[groups->count++] = (struct group){
		.label = {kept, label.length},
		.pid = {kept + (pid.text - label.text), pid.length},
		.stage = {kept + (stage.text - label.text), stage.length},
		.process = intern(&groups->processes, pid.text, pid.length),
		.first_idx = INT64_MAX,
	};
	return id;
}

uint32_t groups_find(struct groups *groups, const struct record *kernel)
{
	struct field label =
		fields_from_to(kernel->field[KERNEL_RANK], kernel->field[KERNEL_STAGE]);
	struct field last;

	if (groups->count) {
		last = groups->group[groups->last].label;
		if (last.length == label.length && same_bytes(last.text, label.text, label.length))
			return groups->last;
	}
	return groups->last = add_group(groups, kernel, label);
}

bool groups_note(struct groups *groups, uint32_t id, struct record *kernel, int64_t idx)
{
	struct group *group = &groups->group[id];

	if (!idx_set_add(&groups->seen, group->process, idx))
		return record_fault(kernel, KERNEL_IDX,
				    "a second kernel with this rank, pid and idx; give each trace "
				    "its label with tpa-extract -l");
	if (idx < group->first_idx)
		group->first_idx = idx;
	return true;
}

uint32_t groups_stream(struct groups *groups, uint32_t group, struct field stream)
{
	uint32_t key[2] = {group, intern(&groups->streams, stream.text, stream.length)};
	uint32_t known = groups->members.count;
	uint32_t id = intern(&groups->members, (const char *)key, sizeof(key));

	if (id == known) {
		groups->number = xgrow(groups->number, &groups->number_capacity, known + 1,
				       sizeof(*groups->number));
		groups->number[id] = groups->group[group].streams++;
	}
	return groups->number[id];
}

int label_compare(struct field a, struct field b)
{
	int64_t left, right;
	bool a_number = number_int(a.text, a.length, &left);
	bool b_number = number_int(b.text, b.length, &right);

	if (a_number != b_number)
		return a_number ? -1 : 1;
	if (a_number && left != right)
		return left < right ? -1 : 1;
	return text_compare(a.text, a.length, b.text, b.length);
}

static int stage_order(struct field stage)
{
	if (field_is(stage, "extend") || field_is(stage, "prefill"))
		return 0;
	return field_is(stage, "decode") ? 1 : field_is(stage, "all") ? 2 : 3;
}

static int by_place(const void *a, const void *b, const void *context)
{
	const struct groups *groups = context;
	const struct group *left = &groups->group[*(const uint32_t *)a];
	const struct group *right = &groups->group[*(const uint32_t *)b];
	int order = label_compare(left->pid, right->pid);

	if (!order)
		order = stage_order(left->stage) - stage_order(right->stage);
	return order ? order
		     : (left->first_idx > right->first_idx) - (left->first_idx < right->first_idx);
}

uint32_t *groups_in_order(const struct groups *groups)
{
	uint32_t *order = xreallocarray(NULL, groups->count, sizeof(*order));

	for (uint32_t i = 0; i < groups->count; i++)
		order[i] = i;
	stable_sort(order, groups->count, sizeof(*order), by_place, groups);
	return order;
}

struct dominance_class class_of_category(struct field category)
{
	static const struct {
		const char *category;
		struct dominance_class class;
	} known[] = {
		{"compute", {4, true}},
		{"communication", {3, false}},
		{"memory", {2, false}},
		{"elementwise", {1, false}},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (field_is(category, known[i].category))
			return known[i].class;
	return (struct dominance_class){0, false};
}

void begin_covers(struct buffer *begin, const struct group *group, int64_t idx)
{
	char number[NUMBER_LENGTH];

	buffer_clear(begin);
	buffer_add_string(begin, record_columns[RECORD_COVER].type);
	buffer_add_char(begin, '\t');
	buffer_add(begin, group->label.text, group->label.length);
	buffer_add_char(begin, '\t');
	buffer_add(begin, number, (size_t)(number_put_int(number, idx) - number));
}

void put_cover(struct record_writer *out, const struct groups *groups, const struct buffer *begin,
	       uint32_t name, int64_t ns)
{
	const struct interned *text = &groups->names.item[name];

	record_put_bytes(out, begin->data, begin->length);
	record_put_time(out, ns);
	record_put_escaped(out, text->text, text->length);
	record_end(out);
}

void put_window(struct record_writer *out, const struct group *group,
		const struct sweep_window *window)
{
	/* every kernel of the group was refused */
	if (!window->kernels)
		return;
	record_begin(out, RECORD_WINDOW);
	record_put_field(out, group->label);
	record_put_time(out, window->start);
	record_put_time(out, window->end);
	record_put_time(out, window->busy);
	record_put_time(out, window->overlap);
	record_put_time(out, window->end - window->start - window->busy);
	record_put_int(out, window->streams);
	record_put_int(out, window->kernels);
	record_end(out);
}

void groups_release(struct groups *groups)
{
	intern_release(&groups->labels);
	intern_release(&groups->processes);
	intern_release(&groups->streams);
	intern_release(&groups->names);
	intern_release(&groups->members);
	free(groups->number);
	idx_set_release(&groups->seen);
	free(groups->group);
	*groups = (struct groups){0};
}
