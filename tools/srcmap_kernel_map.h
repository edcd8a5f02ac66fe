/*
 * srcmap_kernel_map: a table of kernels whose places in the source are known
 * from elsewhere, read from JSON.
 *
 *	{"stages": {"decode": {"kernels": {
 *	   "fused_moe": {"best_location": "vllm/moe.py(7): forward",
 *	                 "sites": [{"location": "vllm/moe.py(7): forward",
 *	                            "launches": 12, "top_cpu_op": "vllm::moe"}]}}}},
 *	 "global": {"kernels": {...}}}
 *
 * A kernel is looked up in its stage ("extend" and "prefill" stand for each
 * other), then in "global"; by its name, else by the key that shares the most
 * with it: one that begins with the name or is its beginning counts with the
 * length of the shorter, one that contains it or is a part of it with half.
 */
#ifndef TPA_SRCMAP_KERNEL_MAP_H
#define TPA_SRCMAP_KERNEL_MAP_H

#include "record.h"

#include <stddef.h>
#include <stdint.h>

struct kernel_map;
struct kernel_map_entry;

/* A site counts with so many launches at most. */
#define KERNEL_MAP_LAUNCHES_MAX 1000000000

struct kernel_map_site {
	struct field location; /* empty if there is none */
	struct field cpu_op;
	int64_t launches;
};

/* Reads the file, or exits with TPA_FAILED. */
struct kernel_map *kernel_map_open(const char *path);

/* NULL if there is none.  Stage and name are plain text. */
const struct kernel_map_entry *kernel_map_find(const struct kernel_map *map, struct field stage,
					       struct field name);

/* The entry's best location, empty if it has none. */
struct field kernel_map_location(const struct kernel_map_entry *entry);

size_t kernel_map_sites(const struct kernel_map_entry *entry);
struct kernel_map_site kernel_map_site(const struct kernel_map_entry *entry, size_t index);

void kernel_map_close(struct kernel_map *map);

#endif
