/*
 * extract_meta: what follows a trace's events: its kernels, and `meta` records.
 *
 * The meta records announce, among what a person may want to know, how many
 * records of each type the rank has (lib/ranks.h); `end` is the last.
 */
#ifndef TPA_EXTRACT_META_H
#define TPA_EXTRACT_META_H

#include "extract_run.h"

void extract_put_kernels(struct extract *extract);

/* For each rank in the trace. */
void extract_put_meta(struct extract *extract);

#endif
