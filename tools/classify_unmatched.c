#include "classify_unmatched.h"

#include "number.h"
#include "sort.h"
#include "text.h"

#include <stdlib.h>

void unmatched_add(struct unmatched *unmatched, struct field name, int64_t ns)
{
	uint32_t known = unmatched->names.count;
	uint32_t id = intern(&unmatched->names, name.text, name.length);
	struct unmatched_name *item;

	unmatched->name = xgrow(unmatched->name, &unmatched->capacity, unmatched->names.count,
				sizeof(*unmatched->name));
	item = &unmatched->name[id];
	if (id == known)
		*item = (struct unmatched_name){.id = id};
	item->count++;
	item->ns = time_add(item->ns, ns);
	unmatched->count++;
	unmatched->ns = time_add(unmatched->ns, ns);
	unmatched->all_ns = time_add(unmatched->all_ns, ns);
}

void unmatched_known(struct unmatched *unmatched, int64_t ns)
{
	unmatched->all_ns = time_add(unmatched->all_ns, ns);
}

double unmatched_share(const struct unmatched *unmatched)
{
	if (unmatched->all_ns <= 0)
		return 0;
	return (double)unmatched->ns / (double)unmatched->all_ns * 100.0;
}

static int by_falling_time(const void *a, const void *b, const void *context)
{
	const struct unmatched_name *left = a, *right = b;
	const struct intern *names = context;
	const struct interned *x = &names->item[left->id], *y = &names->item[right->id];

	if (left->ns != right->ns)
		return left->ns < right->ns ? 1 : -1;
	return text_compare(x->text, x->length, y->text, y->length);
}

void unmatched_write(struct unmatched *unmatched, struct record_writer *out)
{
	const struct intern *names = &unmatched->names;

	if (names->count)
		stable_sort(unmatched->name, names->count, sizeof(*unmatched->name),
			    by_falling_time, names);
	for (uint32_t i = 0; i < names->count; i++) {
		const struct unmatched_name *item = &unmatched->name[i];

		record_begin_named(out, "unmatched");
		record_put_int(out, item->count);
		record_put_time(out, item->ns);
		record_put_escaped(out, names->item[item->id].text, names->item[item->id].length);
		record_end(out);
	}
	record_begin_named(out, "unmatched_share");
	record_put_int(out, unmatched->count);
	record_put_time(out, unmatched->ns);
	record_put_ratio(out, unmatched_share(unmatched), 3);
	record_end(out);
}

void unmatched_release(struct unmatched *unmatched)
{
	intern_release(&unmatched->names);
	free(unmatched->name);
}
