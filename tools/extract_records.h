/*
 * extract_records: events to records.
 *
 * Records of the CPU side are written at once; kernels, ids and annotations are
 * noted in run->kernels.  Which event is what follows the reference script's
 * is_kernel_event, extract_thread_names, build_launch_contexts (as amended) and
 * build_correlation_external_lookup.
 */
#ifndef TPA_EXTRACT_RECORDS_H
#define TPA_EXTRACT_RECORDS_H

#include "extract_run.h"

/* Settles the rank's label; to be called before the first event. */
/* Appends text of the command line, which may be no UTF-8, as a field. */
void extract_add_argument(struct buffer *escaped, const char *text);

/* Ends the record begun and counts it, or takes it back if no stage would read so long a line. */
void extract_end_record(struct extract *extract, enum record_type type, uint32_t tag);

void extract_begin(struct extract *extract);

void extract_event(struct extract *extract, const struct trace_event *event);

/* The label of a tag's rank, escaped. */
struct field extract_label(const struct extract *extract, uint32_t tag);

#endif
