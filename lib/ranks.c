#include "ranks.h"

#include "number.h"
#include "xalloc.h"

#include <stdlib.h>

static const char *const keys[RECORD_TYPE_COUNT] = {
	[RECORD_KERNEL] = "kernels",
	[RECORD_CPU_OP] = "cpu_ops",
	[RECORD_PYTHON] = "frames",
	[RECORD_LAUNCH] = "launches",
	[RECORD_SPAN] = "spans",
	[RECORD_SOURCE] = "sources",
	[RECORD_SITE] = "sites",
};

const char *ranks_key(enum record_type type)
{
	return type < RECORD_TYPE_COUNT ? keys[type] : NULL;
}

void ranks_init(struct ranks *ranks, unsigned needs)
{
	*ranks = (struct ranks){.needs = needs};
}

uint32_t ranks_other(struct ranks *ranks, struct field label)
{
	uint32_t known = ranks->labels.count;
	uint32_t id = intern(&ranks->labels, label.text, label.length);

	if (id == known) {
		ranks->rank = xgrow(ranks->rank, &ranks->capacity, known + 1, sizeof(*ranks->rank));
		ranks->rank[id] = (struct rank){0};
		for (int type = 0; type < RECORD_TYPE_COUNT; type++)
			ranks->rank[id].announced[type] = -1;
	}
	ranks->last = id;
	return id;
}

bool ranks_refuse(struct record *record)
{
	return record_fault(record, 1, "a second trace with this rank; give each its label with "
			    "tpa-extract -l");
}

bool ranks_meta(struct ranks *ranks, const struct record *record, uint32_t *id)
{
	struct field key = record->field[META_KEY], value = record->field[META_VALUE];
	struct rank *rank;

	*id = ranks_find(ranks, record->field[META_RANK]);
	rank = &ranks->rank[*id];
	if (field_is(key, "events"))
		rank->described = true;
	for (int type = 0; type < RECORD_TYPE_COUNT; type++)
		if (keys[type] && field_is(key, keys[type]))
			number_int(value.text, value.length, &rank->announced[type]);
	if (!field_is(key, "end") || !rank->described || rank->ended)
		return false;
	for (int type = 0; type < RECORD_TYPE_COUNT; type++)
		if (ranks->needs & RECORD_BIT(type) && rank->announced[type] != rank->seen[type])
			return false;
	return true;
}

void ranks_end(struct ranks *ranks, uint32_t id)
{
	ranks->rank[id].ended = true;
}

void ranks_release(struct ranks *ranks)
{
	intern_release(&ranks->labels);
	free(ranks->rank);
	*ranks = (struct ranks){0};
}
