#include "overlap_stage.h"

#include "diag.h"
#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

void overlap_init(struct overlap *overlap, struct record_writer *out, bool sorted)
{
	*overlap = (struct overlap){.out = out, .sorted = sorted};
	ranks_init(&overlap->ranks, RECORD_BIT(RECORD_KERNEL));
}

static struct overlap_part *find_part(struct overlap *overlap, uint32_t rank)
{
	while (rank >= overlap->parts) {
		overlap->part = xgrow(overlap->part, &overlap->part_capacity, overlap->parts + 1,
				      sizeof(*overlap->part));
		overlap->part[overlap->parts++] = NULL;
	}
	if (!overlap->part[rank]) {
		struct overlap_part *part = xcalloc(1, sizeof(*part));

		part->rank = rank;
		if (overlap->sorted)
			flow_init(&part->flow, overlap->out);
		overlap->part[rank] = part;
	}
	return overlap->part[rank];
}

static void note_arrival(struct overlap *overlap, struct overlap_part *part)
{
	struct overlap_arrival *last =
		overlap->arrivals ? &overlap->arrival[overlap->arrivals - 1] : NULL;

	if (last && last->rank == part->rank) {
		last->count++;
		return;
	}
	overlap->arrival = xgrow(overlap->arrival, &overlap->arrival_capacity,
				 overlap->arrivals + 1, sizeof(*overlap->arrival));
	overlap->arrival[overlap->arrivals++] =
		(struct overlap_arrival){part->rank, part->hold.kernels - 1, 1};
}

/* The kernels of all parts, in their order of arrival. */
static void put_arrivals(struct overlap *overlap)
{
	for (size_t i = 0; i < overlap->arrivals; i++) {
		const struct overlap_arrival *arrival = &overlap->arrival[i];
		const struct overlap_part *part = overlap->part[arrival->rank];

		if (part)
			hold_put_kernels(&part->hold, overlap->out, arrival->from, arrival->count);
	}
}

static void release_part(struct overlap *overlap, struct overlap_part *part)
{
	overlap->part[part->rank] = NULL;
	if (overlap->sorted)
		flow_release(&part->flow);
	else
		hold_release(&part->hold);
	free(part);
}

/* Writes what is known of the parts in the list, all or one, and frees them. */
static void finish_parts(struct overlap *overlap, struct overlap_part **part, size_t count,
			 bool all)
{
	struct record_writer *out = overlap->out;

	for (size_t i = 0; i < count; i++)
		if (overlap->sorted)
			flow_finish(&part[i]->flow);
		else
			hold_sweep(&part[i]->hold, all ? NULL : out);
	if (!overlap->sorted) {
		if (all)
			put_arrivals(overlap);
		for (size_t i = 0; i < count; i++)
			hold_put_covers(&part[i]->hold, out);
		for (size_t i = 0; i < count; i++)
			hold_put_windows(&part[i]->hold, out);
	}
	for (size_t i = 0; i < count; i++)
		release_part(overlap, part[i]);
}

static int by_label(const void *a, const void *b, const void *context)
{
	const struct interned *label = context;
	const struct interned *left = &label[(*(struct overlap_part *const *)a)->rank];
	const struct interned *right = &label[(*(struct overlap_part *const *)b)->rank];

	return label_compare((struct field){left->text, left->length},
			     (struct field){right->text, right->length});
}

static enum stage_taken take_meta(struct overlap *overlap, const struct record *record)
{
	struct overlap_part *part;
	uint32_t rank;

	if (!ranks_meta(&overlap->ranks, record, &rank))
		return STAGE_PASS;
	part = rank < overlap->parts ? overlap->part[rank] : NULL;
	if (part)
		finish_parts(overlap, &part, 1, false);
	ranks_end(&overlap->ranks, rank);
	return STAGE_PASS;
}

static enum stage_taken take_kernel(struct overlap *overlap, struct record *record)
{
	struct kernel_times times;
	struct overlap_part *part;
	struct groups *groups;
	uint32_t rank, group;

	if (!ranks_count(&overlap->ranks, record, &rank) || !kernel_times(record, &times))
		return STAGE_FAULT;
	part = find_part(overlap, rank);
	groups = overlap->sorted ? &part->flow.groups : &part->hold.groups;
	group = groups_find(groups, record);
	if (!groups_note(groups, group, record, times.idx))
		return STAGE_FAULT;
	if (overlap->sorted)
		return flow_add(&part->flow, record, group, &times) ? STAGE_KEPT : STAGE_FAULT;
	hold_add(&part->hold, record, group, &times);
	note_arrival(overlap, part);
	return STAGE_KEPT;
}

enum stage_taken overlap_take(void *state, struct record *record)
{
	struct overlap *overlap = state;

	switch (record->type) {
	case RECORD_META:
		return take_meta(overlap, record);
	case RECORD_KERNEL:
		return take_kernel(overlap, record);
	default:
		overlap->left_out++;
		return STAGE_KEPT;
	}
}

void overlap_finish(struct overlap *overlap)
{
	struct overlap_part **part = xreallocarray(NULL, overlap->parts, sizeof(*part));
	size_t count = 0;

	for (size_t i = 0; i < overlap->parts; i++)
		if (overlap->part[i])
			part[count++] = overlap->part[i];
	stable_sort(part, count, sizeof(*part), by_label, overlap->ranks.labels.item);
	finish_parts(overlap, part, count, true);
	free(part);
	if (overlap->left_out)
		diag_note("left out %llu cover and window records of an earlier run",
			  (unsigned long long)overlap->left_out);
}

void overlap_release(struct overlap *overlap)
{
	ranks_release(&overlap->ranks);
	free(overlap->part);
	free(overlap->arrival);
}
