/*
 * extract_category: what an event's category says it is.
 *
 * Categories are few and come again and again: each is looked at once and found
 * again by its bytes.  The tests are those that the reference script makes in its
 * functions; the categories of traces of 2021 (Operator, Runtime, Kernel, Memcpy,
 * Memset) are read as today's.
 */
#ifndef TPA_EXTRACT_CATEGORY_H
#define TPA_EXTRACT_CATEGORY_H

#include "extract_event.h"

enum category_fact {
	CATEGORY_CPU_OP = 1,
	CATEGORY_PYTHON = 2,
	CATEGORY_CPU_SPAN = 4,
	CATEGORY_GPU_SPAN = 8,
	CATEGORY_LAUNCH = 16,	  /* of a runtime or driver API */
	CATEGORY_GPU = 32,	  /* work on the GPU, whatever its name */
	CATEGORY_NO_KERNEL = 64,  /* never a kernel, whatever its name */
	CATEGORY_CPU_STAGE = 128, /* its name may tell a stage */
	CATEGORY_GPU_STAGE = 256,
};

/* Those of which there may be a record of the CPU side. */
#define CATEGORY_CPU_SIDE \
	((unsigned)CATEGORY_CPU_OP | CATEGORY_PYTHON | CATEGORY_CPU_SPAN | CATEGORY_GPU_SPAN | \
	 CATEGORY_LAUNCH | CATEGORY_CPU_STAGE | CATEGORY_GPU_STAGE)

struct category {
	struct buffer key;  /* as in the trace */
	struct buffer kind; /* folded, lowered, escaped */
	uint32_t kernel_kind; /* that of kernels; INTERN_NONE before the first */
	unsigned facts;
};

#define CATEGORIES 64

struct categories {
	struct category slot[CATEGORIES];
	struct category *last;
};

/* The category of an event.  Holds until the next call. */
struct category *categories_find(struct categories *categories, const struct trace_event *event);

void categories_release(struct categories *categories);

#endif
