#include "overlap_flow.h"

#include "buffer.h"
#include "xalloc.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct flow_group {
	struct flow *flow;
	uint32_t id;
	struct sweep sweep;
};

/* What the record has beside idx, times and figures. */
struct flow_kernel {
	struct buffer text;
	size_t place; /* the length of "TID\tSTREAM", */
	size_t kind;  /* of "EXT\tCORR\tKIND\tCATEGORY"; the rest are the fields from name on */
	uint32_t next_vacant;
};

void flow_init(struct flow *flow, struct record_writer *out)
{
	*flow = (struct flow){.out = out, .vacant = NONE};
}

static void put_ended(void *context, const struct sweep_kernel *swept,
		      const struct sweep_result *result)
{
	const struct flow_group *group = context;
	struct flow *flow = group->flow;
	struct record_writer *out = flow->out;
	struct flow_kernel *kernel = &flow->kernel[swept->id];
	const char *text = kernel->text.data;

	record_begin(out, RECORD_KERNEL);
	record_put_field(out, flow->groups.group[group->id].label);
	record_put_int(out, swept->idx);
	record_put_escaped(out, text, kernel->place);
	record_put_time(out, swept->start);
	record_put_time(out, swept->end - swept->start);
	text += kernel->place;
	record_put_escaped(out, text, kernel->kind);
	record_put_time(out, result->hidden);
	record_put_time(out, result->exclusive);
	record_put_time(out, result->hidden_compute);
	text += kernel->kind;
	record_put_escaped(out, text, kernel->text.length - kernel->place - kernel->kind);
	record_end(out);
	if (result->covers.count)
		begin_covers(&flow->begin, &flow->groups.group[group->id], swept->idx);
	for (size_t i = 0; i < result->covers.count; i++)
		put_cover(out, &flow->groups, &flow->begin, result->covers.item[i].name,
			  result->covers.item[i].ns);
	kernel->next_vacant = flow->vacant;
	flow->vacant = swept->id;
}

static struct flow_group *find_group(struct flow *flow, uint32_t id)
{
	while (id >= flow->group_count) {
		struct flow_group *group = xmalloc(sizeof(*group));

		flow->group = xgrow(flow->group, &flow->group_capacity, flow->group_count + 1,
				    sizeof(*flow->group));
		group->flow = flow;
		group->id = (uint32_t)flow->group_count;
		sweep_init(&group->sweep, put_ended, group);
		flow->group[flow->group_count++] = group;
	}
	return flow->group[id];
}

static uint32_t hold_text(struct flow *flow, const struct record *record)
{
	struct field place =
		fields_from_to(record->field[KERNEL_TID], record->field[KERNEL_STREAM]);
	struct field kind =
		fields_from_to(record->field[KERNEL_EXT], record->field[KERNEL_CATEGORY]);
	const char *name = record->field[KERNEL_NAME].text;
	uint32_t slot = flow->vacant;
	struct flow_kernel *kernel;

	if (slot == NONE) {
		flow->kernel = xgrow(flow->kernel, &flow->capacity, flow->slots + 1,
				     sizeof(*flow->kernel));
		slot = (uint32_t)flow->slots++;
		flow->kernel[slot] = (struct flow_kernel){.next_vacant = NONE};
	}
	kernel = &flow->kernel[slot];
	flow->vacant = kernel->next_vacant;
	buffer_clear(&kernel->text);
	buffer_add(&kernel->text, place.text, place.length);
	buffer_add(&kernel->text, kind.text, kind.length);
	buffer_add(&kernel->text, name, (size_t)(record->line + record->length - name));
	kernel->place = place.length;
	kernel->kind = kind.length;
	return slot;
}

bool flow_add(struct flow *flow, struct record *record, uint32_t id,
	      const struct kernel_times *times)
{
	struct flow_group *group = find_group(flow, id);
	struct field stream = record->field[KERNEL_STREAM], name = record->field[KERNEL_NAME];
	struct dominance_class class = class_of_category(record->field[KERNEL_CATEGORY]);
	struct sweep_kernel kernel = {
		.start = times->start,
		.end = times->start + times->dur,
		.idx = times->idx,
		.priority = class.priority,
		.compute = class.compute,
	};

	if (!sweep_in_order(&group->sweep, times->start))
		return record_fault(record, KERNEL_TS,
				    "starts before the kernel before it; sort the kernels with "
				    "tpa-extract --sort, or leave out --sorted");
	kernel.stream = groups_stream(&flow->groups, id, stream);
	kernel.name = intern(&flow->groups.names, name.text, name.length);
	kernel.id = hold_text(flow, record);
	sweep_add(&group->sweep, &kernel);
	return true;
}

void flow_finish(struct flow *flow)
{
	uint32_t *order = groups_in_order(&flow->groups);

	for (size_t i = 0; i < flow->groups.count; i++)
		sweep_finish(&find_group(flow, order[i])->sweep);
	for (size_t i = 0; i < flow->groups.count; i++)
		put_window(flow->out, &flow->groups.group[order[i]],
			   &find_group(flow, order[i])->sweep.window);
	free(order);
}

void flow_release(struct flow *flow)
{
	for (size_t i = 0; i < flow->group_count; i++) {
		sweep_release(&flow->group[i]->sweep);
		free(flow->group[i]);
	}
	for (size_t i = 0; i < flow->slots; i++)
		buffer_release(&flow->kernel[i].text);
	free(flow->group);
	free(flow->kernel);
	buffer_release(&flow->begin);
	groups_release(&flow->groups);
	*flow = (struct flow){0};
}
