#include "source_map.h"

#include "diag.h"
#include "source_lookup.h"
#include "text.h"
#include "xalloc.h"

#include <stdlib.h>

static struct source_stage *stage_named(struct source_map *map, const char *name, size_t length)
{
	uint32_t known = map->stages.count, id = intern(&map->stages, name, length);

	if (id == known) {
		map->stage = xgrow(map->stage, &map->capacity, known + 1, sizeof(*map->stage));
		map->stage[id] = (struct source_stage){0};
	}
	return &map->stage[id];
}

static struct source *source_named(struct source_stage *stage, const char *name, size_t length)
{
	uint32_t known = stage->names.count, id = intern(&stage->names, name, length);

	if (id == known) {
		stage->source = xgrow(stage->source, &stage->capacity, known + 1,
				      sizeof(*stage->source));
		stage->source[id] = (struct source){.name = id};
	}
	return &stage->source[id];
}

static void place(struct source_stage *stage, struct source *source)
{
	if (source->placed)
		return;
	source->placed = true;
	stage->order = xgrow(stage->order, &stage->order_capacity, stage->ordered + 1,
			     sizeof(*stage->order));
	stage->order[stage->ordered++] = source->name;
}

static bool take_count(struct source_map *map, struct record *record, int column, int64_t *count)
{
	int64_t weight;

	if (!record_int(record, column, count))
		return false;
	if (*count < 0)
		return record_fault(record, column, "a count less than zero");
	if (__builtin_add_overflow(map->weight, *count, &weight))
		return record_fault(record, column, "a count out of range");
	map->weight = weight;
	return true;
}

/* The name's text is in map->text until the next call. */
static struct source *take_name(struct source_map *map, struct source_stage *stage,
				struct field name)
{
	buffer_clear(&map->text);
	text_unescape(&map->text, name.text, name.length);
	return source_named(stage, map->text.data, map->text.length);
}

static bool take_source(struct source_map *map, struct record *record)
{
	struct field stage_name = record->field[SOURCE_STAGE];
	struct source_stage *stage;
	struct source *source;
	int64_t total, mapped;

	if (!take_count(map, record, SOURCE_TOTAL, &total) ||
	    !take_count(map, record, SOURCE_MAPPED, &mapped))
		return false;
	stage = stage_named(map, stage_name.text, stage_name.length);
	source = take_name(map, stage, record->field[SOURCE_NAME]);
	place(stage, source);
	source->total += total;
	source->mapped += mapped;
	return true;
}

static int kind_named(struct field kind)
{
	static const char *const words[SITES_KINDS] = {
		[SITES_SCOPE] = "scope",
		[SITES_CHAIN] = "chain",
		[SITES_LAUNCH] = "launch",
		[SITES_OP] = "op",
	};

	for (int i = 0; i < SITES_KINDS; i++)
		if (field_is(kind, words[i]))
			return i;
	return -1;
}

static bool take_site(struct source_map *map, struct record *record)
{
	struct field stage_name = record->field[SITE_STAGE], value = record->field[SITE_VALUE];
	int kind = kind_named(record->field[SITE_KIND]);
	struct source_stage *stage;
	struct source *source;
	int64_t count;

	if (kind < 0)
		return record_fault(record, SITE_KIND, "neither scope, chain, launch nor op");
	if (!take_count(map, record, SITE_COUNT, &count))
		return false;
	stage = stage_named(map, stage_name.text, stage_name.length);
	source = take_name(map, stage, record->field[SITE_NAME]);
	buffer_clear(&map->text);
	text_unescape(&map->text, value.text, value.length);
	counter_add(&source->sites[kind], intern(&map->values, map->text.data, map->text.length),
		    count);
	stage->has_ops |= kind == SITES_OP;
	return true;
}

bool source_map_take(struct source_map *map, struct record *record)
{
	return record->type == RECORD_SOURCE ? take_source(map, record) : take_site(map, record);
}

static void merge_source(struct source_map *into, struct source *source,
			 const struct source_map *from, const struct source *other)
{
	source->total += other->total;
	source->mapped += other->mapped;
	for (int kind = 0; kind < SITES_KINDS; kind++) {
		const struct counter *sites = &other->sites[kind];

		for (uint32_t i = 0; i < sites->items; i++) {
			const struct interned *value = &from->values.item[sites->item[i].key];

			counter_add(&source->sites[kind],
				    intern(&into->values, value->text, value->length),
				    sites->item[i].count);
		}
	}
}

static void merge_stage(struct source_map *into, struct source_stage *stage,
			const struct source_map *from, const struct source_stage *other)
{
	stage->has_ops |= other->has_ops;
	for (uint32_t i = 0; i < other->ordered; i++) {
		const struct interned *name = &other->names.item[other->order[i]];

		place(stage, source_named(stage, name->text, name->length));
	}
	for (uint32_t id = 0; id < other->names.count; id++) {
		const struct interned *name = &other->names.item[id];

		merge_source(into, source_named(stage, name->text, name->length), from,
			     &other->source[id]);
	}
}

void source_map_merge(struct source_map *into, const struct source_map *from)
{
	if (__builtin_add_overflow(into->weight, from->weight, &into->weight))
		diag_die("the counts of the source maps are too large to add up");
	for (uint32_t id = 0; id < from->stages.count; id++) {
		const struct interned *name = &from->stages.item[id];

		merge_stage(into, stage_named(into, name->text, name->length), from,
			    &from->stage[id]);
	}
}

/* As source_map_stage, of all stages or of those with ops. */
static struct source_stage *pick(struct source_map *map, const char *name, size_t length,
				 bool with_ops)
{
	struct source_stage *all = NULL, *only = NULL;
	uint32_t count = 0;

	for (uint32_t id = 0; id < map->stages.count; id++) {
		const struct interned *here = &map->stages.item[id];

		if (with_ops && !map->stage[id].has_ops)
			continue;
		if (!text_compare(here->text, here->length, name, length))
			return &map->stage[id];
		if (TEXT_IS(here->text, here->length, "all"))
			all = &map->stage[id];
		only = &map->stage[id];
		count++;
	}
	return all ? all : count == 1 ? only : NULL;
}

struct source_stage *source_map_stage(struct source_map *map, const char *name, size_t length)
{
	return pick(map, name, length, false);
}

struct source_stage *source_map_op_stage(struct source_map *map, const char *name, size_t length)
{
	return pick(map, name, length, true);
}

const struct source *source_exact(const struct source_stage *stage, const char *name, size_t length)
{
	uint32_t id = intern_find(&stage->names, name, length);

	return id == INTERN_NONE ? NULL : &stage->source[id];
}

const struct interned *source_best(const struct source_map *map, const struct source *source,
				   enum sites_kind kind)
{
	uint32_t best = counter_best(&source->sites[kind]);

	if (best == COUNTER_NONE || !map->values.item[best].length)
		return NULL;
	return &map->values.item[best];
}

static void release_stage(struct source_stage *stage)
{
	for (uint32_t id = 0; id < stage->names.count; id++)
		for (int kind = 0; kind < SITES_KINDS; kind++)
			counter_release(&stage->source[id].sites[kind]);
	source_lookup_free(stage->lookup);
	intern_release(&stage->names);
	free(stage->source);
	free(stage->order);
}

void source_map_release(struct source_map *map)
{
	for (uint32_t id = 0; id < map->stages.count; id++)
		release_stage(&map->stage[id]);
	intern_release(&map->stages);
	intern_release(&map->values);
	buffer_release(&map->text);
	free(map->stage);
	*map = (struct source_map)SOURCE_MAP_INIT;
}
