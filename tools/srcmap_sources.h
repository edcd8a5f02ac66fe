/*
 * srcmap_sources: what the samples add up to, as source and site records
 * (KernelSourceStats of the reference script).
 *
 *	source<TAB>0<TAB>decode<TAB>16<TAB>16<TAB>aten::mm<TAB>vllm/a.py(7): f<TAB>gemm
 *	site<TAB>0<TAB>decode<TAB>scope<TAB>16<TAB>vllm/a.py(7): f<TAB>gemm
 */
#ifndef TPA_SRCMAP_SOURCES_H
#define TPA_SRCMAP_SOURCES_H

#include "counter.h"
#include "intern.h"
#include "record_io.h"
#include "srcmap_chains.h"
#include "srcmap_kernel_map.h"
#include "srcmap_samples.h"
#include "srcmap_trace.h"

#include <stddef.h>
#include <stdint.h>

struct source {
	uint32_t stage, name; /* of trace.stages and .kernel_names */
	int64_t total, mapped;
	struct counter scopes, chains, launches, ops; /* of texts */
};

struct sources {
	struct intern known; /* (stage, name) */
	struct source *item; /* by id: in the order of their first sample */
	size_t capacity;
};

#define SOURCES_INIT {0}

/* Counts the samples, whose sites were found; `map` may be NULL. */
void sources_count(struct sources *sources, struct trace *trace, const struct samples *samples,
		   const struct chains *chains, const struct kernel_map *map);

/* How many site records there will be. */
size_t sources_sites(const struct sources *sources);

/* Each source, then its sites; `rank` is the label as a record has it. */
void sources_write(struct sources *sources, const struct trace *trace, struct field rank,
		   struct record_writer *out);

void sources_release(struct sources *sources);

#endif
