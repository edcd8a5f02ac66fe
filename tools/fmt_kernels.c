#include "fmt_kernels.h"

#include "fmt_text.h"
#include "sort.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

const char *const shown_category_names[SHOWN_CATEGORIES] = {
	"compute", "communication", "memory", "elementwise", "other",
};

static enum shown_category find_category(struct field field)
{
	int category = 0;

	while (category < SHOWN_OTHER && !field_is(field, shown_category_names[category]))
		category++;
	return (enum shown_category)category;
}

static uint32_t intern_three(struct intern *table, struct buffer *work, struct field rank,
			     struct field pid, struct field third)
{
	buffer_clear(work);
	buffer_add(work, rank.text, rank.length);
	buffer_add_char(work, '\t');
	buffer_add(work, pid.text, pid.length);
	buffer_add_char(work, '\t');
	buffer_add(work, third.text, third.length);
	return intern(table, work->data, work->length);
}

bool shown_kernels_take(struct shown_kernels *kernels, struct record *record)
{
	struct shown_kernel kernel = {.hidden = -1, .exclusive = -1};
	struct field name = record->field[KERNEL_NAME];
	int64_t dur;

	if (!record_int(record, KERNEL_IDX, &kernel.idx) ||
	    !record_time(record, KERNEL_TS, &kernel.ts) || !record_time(record, KERNEL_DUR, &dur) ||
	    !record_time_if_known(record, KERNEL_HIDDEN, &kernel.hidden) ||
	    !record_time_if_known(record, KERNEL_EXCLUSIVE, &kernel.exclusive))
		return false;
	if (dur < 0)
		return record_fault(record, KERNEL_DUR, "a negative duration");
	kernel.end = kernel.ts + dur;
	kernel.category = find_category(record->field[KERNEL_CATEGORY]);
	kernel.lane = intern_three(&kernels->lanes, &kernels->work, record->field[KERNEL_RANK],
				   record->field[KERNEL_PID], record->field[KERNEL_STREAM]);
	kernel.group = intern_three(&kernels->groups, &kernels->work, record->field[KERNEL_RANK],
				    record->field[KERNEL_PID], record->field[KERNEL_STAGE]);
	kernel.name = intern(&kernels->names, name.text, name.length);
	kernels->item = xgrow(kernels->item, &kernels->capacity, kernels->count + 1,
			      sizeof(*kernels->item));
	kernels->item[kernels->count++] = kernel;
	return true;
}

static int by_group_and_idx(const void *a, const void *b, const void *context)
{
	const struct shown_kernel *left = a, *right = b;

	(void)context;
	if (left->group != right->group)
		return left->group < right->group ? -1 : 1;
	return (left->idx > right->idx) - (left->idx < right->idx);
}

void shown_kernels_sort(struct shown_kernels *kernels)
{
	stable_sort(kernels->item, kernels->count, sizeof(*kernels->item), by_group_and_idx, NULL);
}

const struct shown_kernel *shown_kernels_find(const struct shown_kernels *kernels, uint32_t group,
					      int64_t idx)
{
	struct shown_kernel wanted = {.group = group, .idx = idx};
	size_t low = 0, high = kernels->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_group_and_idx(&kernels->item[middle], &wanted, NULL) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == kernels->count || by_group_and_idx(&kernels->item[low], &wanted, NULL))
		return NULL;
	return &kernels->item[low];
}

void shown_kernels_release(struct shown_kernels *kernels)
{
	free(kernels->item);
	intern_release(&kernels->lanes);
	intern_release(&kernels->groups);
	intern_release(&kernels->names);
	buffer_release(&kernels->work);
	*kernels = (struct shown_kernels)SHOWN_KERNELS_INIT;
}

/* The length of "RANK<TAB>PID". */
static size_t process_length(const struct interned *item)
{
	const char *pid = (const char *)memchr(item->text, '\t', item->length) + 1;
	const char *end = memchr(pid, '\t', (size_t)(item->text + item->length - pid));

	return (size_t)(end - item->text);
}

bool shown_kernels_one_process(const struct shown_kernels *kernels)
{
	const struct interned *first = kernels->lanes.item;

	for (uint32_t i = 1; i < kernels->lanes.count; i++) {
		const struct interned *item = &kernels->lanes.item[i];

		if (process_length(item) != process_length(first) ||
		    memcmp(item->text, first->text, process_length(first)))
			return false;
	}
	return true;
}

void shown_label(struct buffer *out, const struct interned *item, const char *third, bool brief)
{
	static const char *const words[] = {"rank ", "process "};
	const char *at = item->text, *end = item->text + item->length;
	struct buffer plain = BUFFER_INIT;
	bool first = true;

	buffer_room(out, 1); /* what is empty has a place too */
	for (int i = 0; i < 3; i++) {
		const char *tab = i < 2 ? memchr(at, '\t', (size_t)(end - at)) : end;

		buffer_clear(&plain);
		fmt_text_plain(&plain, at, (size_t)(tab - at));
		if (plain.length && (i == 2 || !brief)) {
			buffer_add_string(out, first ? "" : ", ");
			buffer_add_string(out, i < 2 ? words[i] : third);
			terminal_safe(out, plain.data, plain.length);
			first = false;
		}
		at = tab + 1;
	}
	buffer_release(&plain);
}
