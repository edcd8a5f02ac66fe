/*
 * source_map: which code launches a kernel, by stage and kernel name.
 *
 * It is made of `source` and `site` records.  Those of one stage and name add
 * up, so maps are merged by taking the records of all of them.  What is counted
 * keeps the order in which it was first counted, and names the order of their
 * first `source` record, since both decide between equals.
 *
 *	struct source_map map = SOURCE_MAP_INIT;
 *	source_map_take(&map, &record);			for each record
 *	stage = source_map_stage(&map, "decode", 6);
 *	source = source_find(&map, stage, name, length);	source_lookup.h
 *	scope = source ? source_best(&map, source, SITES_SCOPE) : NULL;
 *
 * Names and values are plain text, not escaped; the name of a stage is as the
 * records have it.  Everything returned belongs to the map and lives as long;
 * nothing may be taken or merged into a map once source_find was asked.
 */
#ifndef TPA_SOURCE_MAP_H
#define TPA_SOURCE_MAP_H

#include "buffer.h"
#include "counter.h"
#include "intern.h"
#include "record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the `site` records of a name count. */
enum sites_kind {
	SITES_SCOPE,  /* the Python line that is best called the place of the launch */
	SITES_CHAIN,  /* the last frames down to it */
	SITES_LAUNCH, /* the CPU op, where frames are known */
	SITES_OP,     /* the CPU op or launch, frames or no frames: for display alone */
	SITES_KINDS,
};

/* A kernel name of a stage. */
struct source {
	uint32_t name;	/* in the stage's names */
	bool placed;	/* a `source` record was there */
	int64_t total;	/* kernels looked at */
	int64_t mapped; /* of them with frames */
	struct counter sites[SITES_KINDS];
};

struct source_stage {
	struct intern names;
	struct source *source; /* by the id of its name */
	size_t capacity;
	uint32_t *order; /* names, by their first `source` record */
	size_t order_capacity;
	uint32_t ordered;
	bool has_ops; /* something of SITES_OP was counted */
	struct source_lookup *lookup;
};

struct source_map {
	struct intern stages; /* escaped */
	struct source_stage *stage;
	size_t capacity;
	struct intern values;
	int64_t weight; /* all counts together, so that no sum of some can overflow */
	struct buffer text;
};

#define SOURCE_MAP_INIT {0}

/* Adds a `source` or `site` record; false with the fault noted. */
bool source_map_take(struct source_map *map, struct record *record)
	__attribute__((warn_unused_result));

/* Adds all of another map. */
void source_map_merge(struct source_map *into, const struct source_map *from);

static inline bool source_map_empty(const struct source_map *map)
{
	return !map->stages.count;
}

/*
 * What serves the kernels of a stage: its own part, else that of `all`, else
 * the only one there is, else NULL.
 */
struct source_stage *source_map_stage(struct source_map *map, const char *name, size_t length);

/* The same among the stages in which something of SITES_OP was counted. */
struct source_stage *source_map_op_stage(struct source_map *map, const char *name, size_t length);

/* Exactly that kernel name, or NULL. */
const struct source *source_exact(const struct source_stage *stage, const char *name,
				  size_t length);

/* What was counted most; NULL if that is nothing or the empty text. */
const struct interned *source_best(const struct source_map *map, const struct source *source,
				   enum sites_kind kind);

void source_map_release(struct source_map *map);

#endif
