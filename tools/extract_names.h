/*
 * extract_names: what is to be known of a name, worked out once.
 *
 * A trace has millions of events and thousands of names.  The cache keeps, for
 * each name as it stands in the trace and each use of it, the text that goes
 * into records and a few facts.  Its memory is bounded: when it is full it is
 * emptied, so a trace of ever new names costs time but not memory.
 *
 * Facts follow the reference script's is_kernel_event, is_annotation_event,
 * looks_like_python_scope_name, is_cuda_launch_event (as amended) and
 * infer_stage.
 */
#ifndef TPA_EXTRACT_NAMES_H
#define TPA_EXTRACT_NAMES_H

#include "extract_event.h"
#include "intern.h"

#include <stdint.h>

enum name_use {
	NAME_PLAIN,  /* folded: CPU ops, launches, annotations */
	NAME_FRAME,  /* canonical Python scope */
	NAME_KERNEL, /* canonical kernel name and parameters */
	NAME_USES,
};

enum name_fact {
	NAME_WORTHLESS = 1,  /* a frame that no scope chain would ever show */
	NAME_LAUNCHES = 2,   /* a launching API */
	NAME_NO_KERNEL = 4,  /* metadata, or an annotation */
	NAME_SCOPE_LIKE = 8, /* looks like a Python frame */
	NAME_HINTS = 16,     /* looks like a kernel, on a stream */
	NAME_EXTEND = 32,    /* an annotation of that stage */
	NAME_DECODE = 64,
	NAME_SGLANG = 128, /* a frame of that code base */
	NAME_VLLM = 256,
	NAME_TENSORRT_LLM = 512,
	NAME_TOKENSPEED = 1024,
};

struct cached_name {
	const char *raw; /* the key, with `use` */
	uint32_t raw_length;
	uint32_t hash;
	enum name_use use;
	unsigned facts;
	const char *text; /* escaped, for a record; NAME, TAB, PARAMS of a kernel */
	uint32_t text_length;
	uint32_t id;   /* of a kernel: in `kernels` */
	uint32_t next; /* the slot of the name that came after it the last time */
};

struct name_cache {
	struct cached_name *slot;
	uint32_t used;
	struct cached_name *last[NAME_USES]; /* the name found last, if it is in a slot */
	char *bytes; /* behind the slots: what raw and text point to */
	size_t bytes_used;
	struct intern kernels; /* texts of all kernels so far, never forgotten */
	struct buffer raw, plain, work, text;
	struct cached_name large; /* the last name that was too long to keep */
};

void name_cache_init(struct name_cache *cache);

/* The answer holds until the next call. */
const struct cached_name *name_cache_get(struct name_cache *cache, enum name_use use,
					 const struct json_slice *name);

void name_cache_release(struct name_cache *cache);

#endif
