/*
 * extract_trace: a trace in, records out.
 *
 *	{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 5.5, "dur": 3,
 *	 "args": {"External id": 7}}
 *
 *	cpu_op	0	1	2	5.500	3.000	7	aten::mm
 *
 * The CPU side goes out as it is read; kernels are held (extract_kernels.h) and
 * follow in trace order; `meta` records, the last of them `end`, close a trace.
 * Which event is what follows the reference script's is_kernel_event and the
 * categories it tests elsewhere.
 */
#ifndef TPA_EXTRACT_TRACE_H
#define TPA_EXTRACT_TRACE_H

#include "diag.h"
#include "extract_kernels.h"
#include "record_io.h"

#include <stdbool.h>

struct extract_options {
	unsigned types;		/* RECORD_BIT() of each type to be written */
	const char *stage;	/* -s, or NULL; "all" leaves each kernel its own */
	struct kernels_choice choice; /* its stage is worked out from the above and the path */
	int threads;		/* 2: inflate beside scanning */
};

/* The labels that traces of this run have had; two with one label are an error. */
struct extract_labels {
	struct intern seen;
	uint32_t of_earlier; /* those below this id belong to earlier traces */
};

/*
 * Reads the trace from `fd` and writes its records.  `name` is the operand, for
 * messages and the path's stage.  `label` is -l, or NULL; `place` is the label of
 * a trace that names no rank, or NULL for none ("-").
 */
enum tpa_exit extract_trace(const struct extract_options *options, int fd, const char *name,
			    const char *label, const char *place, struct extract_labels *labels,
			    struct record_writer *out);

#endif
