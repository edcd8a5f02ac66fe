/*
 * extract_run: all that is known while one trace is read.
 *
 * Filled by extract_header (what stands around the events) and extract_records
 * (the events), written out by extract_meta and said by extract_report.
 */
#ifndef TPA_EXTRACT_RUN_H
#define TPA_EXTRACT_RUN_H

#include "extract_category.h"
#include "extract_kernels.h"
#include "extract_names.h"
#include "extract_scan.h"
#include "extract_threads.h"
#include "extract_trace.h"
#include "extract_values.h"

/* How many records of each type were written for a rank. */
struct written {
	int64_t records[RECORD_TYPE_COUNT];
};

struct extract {
	const struct extract_options *options;
	const char *name, *given_label, *place;
	struct extract_labels *labels;
	struct record_writer *out;
	struct trace_scan scan;
	struct buffer label; /* of the rank, escaped */
	struct buffer rank, world_size, base_time; /* as the trace has them */
	struct intern devices;
	bool begun;	/* the label is settled, records may have been written */
	bool failed;	/* it has been said why */
	bool late_rank; /* the trace named its rank only after that */

	struct name_cache names;
	struct known_threads threads;
	struct categories categories;
	struct kernels kernels;
	uint32_t last_stream; /* that was a number; see intern_next */
	struct buffer work;
	struct written *written; /* by tag, for the first `tags` of them */
	size_t written_capacity;
	uint32_t tags;
	uint64_t skipped[SKIP_KINDS];
	uint64_t too_long; /* records that were not written */
	unsigned frameworks;
};

#endif
