/*
 * rank_sources: what a source map says of the kernels of one group.
 *
 * Where it says nothing, a scope is "unmapped" and a launch "n/a", as the
 * reference script has it.
 */
#ifndef TPA_RANK_SOURCES_H
#define TPA_RANK_SOURCES_H

#include "rank_kernels.h"
#include "source_map.h"

struct rank_sources {
	struct source_map *map;
	struct source_stage *stage, *ops; /* NULL: nothing is known of the stage */
	const struct rank_kernels *held;
	struct buffer text;
};

struct rank_sources rank_sources_init(struct source_map *map, const struct rank_kernels *held,
				      const struct group *group);

/* The entry that a kernel's name (of held->texts) goes with, or NULL. */
const struct source *rank_sources_find(struct rank_sources *sources, uint32_t name);

const struct interned *rank_sources_scope(const struct rank_sources *sources,
					  const struct source *source);
const struct interned *rank_sources_launch(const struct rank_sources *sources,
					   const struct source *source);

/* The CPU op seen most, frames or no frames; NULL if none was. */
const struct interned *rank_sources_op(const struct rank_sources *sources,
				       const struct source *source);

void rank_sources_release(struct rank_sources *sources);

#endif
