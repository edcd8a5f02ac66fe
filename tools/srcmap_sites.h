/*
 * srcmap_sites: from each sampled kernel to the CPU op or launch it comes from
 * and the Python frames around that (build_kernel_source_map of the reference
 * script, as amended).
 *
 * In this order, the first that is there:
 * - the CPU op with the kernel's External id, the nearest in time;
 * - the CPU op that runs around its launch, the one with its correlation;
 * - the launch alone: the frames of its thread, else those of all threads;
 * - the frames of all threads at the kernel's own time.
 * An op that is there but has no frames around it ends the search.
 */
#ifndef TPA_SRCMAP_SITES_H
#define TPA_SRCMAP_SITES_H

#include "srcmap_chains.h"
#include "srcmap_samples.h"
#include "srcmap_trace.h"

/* Fills in op, launch, chain and label of each sample. */
void sites_find(struct trace *trace, struct samples *samples, struct chains *chains);

#endif
