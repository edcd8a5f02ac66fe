/*
 * source_lookup: the entry of a source map that a kernel's name goes with.
 *
 * A name of the formal trace is seldom spelt exactly as in the mapping one.  So
 * after the name itself the best of these serves, each tried only if the one
 * before finds nothing (relaxed_source_stats_lookup of the reference script):
 *
 *  1. one name begins with the other, or holds it: the longer the shorter of
 *     the two, the better, and a beginning counts twice as much as a part;
 *  2. both have 96 letters and digits or more and begin with the same 64 or
 *     more, which must be two fifths of the shorter: the more, the better;
 *  3. kernels known to stand for others, by words of their names and sources.
 *
 * Case does not count (ASCII).  Lengths are in characters.  Of equals the first
 * in the map's order is taken.
 *
 * What it needs to know of each name of the map is worked out once, and each
 * name is looked up once: ten thousand names against ten thousand take seconds.
 */
#ifndef TPA_SOURCE_LOOKUP_H
#define TPA_SOURCE_LOOKUP_H

#include "source_map.h"

/* `stage` is one of the map's, or NULL.  NULL if no name goes with it. */
const struct source *source_find(const struct source_map *map, struct source_stage *stage,
				 const char *name, size_t length);

void source_lookup_free(struct source_lookup *lookup);

#endif
