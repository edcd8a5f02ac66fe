/*
 * names: the canonical names of kernels and Python frames, and what they tell.
 *
 * Everything here follows the reference script's canonicalize_name,
 * canonicalize_python_scope_name, is_meaningful_python_scope,
 * is_fallback_python_scope, is_low_signal_scope, choose_best_scope,
 * source_scope_priority and parse_scope_signature.
 *
 * Input and output are plain text, not escaped.  Results are appended to
 * buffers that the caller owns.
 */
#ifndef TPA_NAMES_H
#define TPA_NAMES_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A kernel's name as the trace has it -> its canonical name (white space
 * folded, addresses as 0xADDR, the parameter list of a "void f(...)" cut off)
 * and, in `params`, just what was cut off.
 *
 *	"void add<float>(float*,  int)" -> "void add<float>", "(float*, int)"
 */
void name_kernel(struct buffer *canonical, struct buffer *params, const char *name, size_t length);

/*
 * A Python frame's name -> its canonical name: folded, addresses as 0xADDR, and
 * of "PATH(LINE): FUNCTION" the path cut down to the part in a known code base.
 *
 *	"/usr/lib/site-packages/vllm/a.py(7): f" -> "vllm/a.py(7): f"
 */
void name_python(struct buffer *canonical, const char *name, size_t length);

/* What a canonical frame name is worth in a scope chain. */
enum scope_worth {
	SCOPE_NONE = 0,
	SCOPE_FALLBACK = 1,   /* serves when no meaningful one is there */
	SCOPE_MEANINGFUL = 2, /* a bit: a frame may be both */
};

unsigned name_scope_worth(const char *canonical, size_t length);

/* Wrappers and plumbing that hardly anybody looks for. */
bool name_scope_low_signal(const char *canonical, size_t length);

/*
 * How good a frame is as "the line that launched it", its place in the chain
 * not counted: the frame with the highest score plus index is the best.
 */
int name_scope_score(const char *canonical, size_t length);

/* How a source map's best scope weighs in the lookup by alias. */
int name_scope_priority(const char *canonical, size_t length);

/*
 * "PATH(LINE): FUNCTION" -> the lengths of path and, from *function on, of the
 * function; all else is a path without a function.
 */
struct scope_signature {
	size_t path_length;
	size_t function; /* offset */
	size_t function_length;
};

struct scope_signature name_scope_signature(const char *canonical, size_t length);

/* Whether two scopes are of one file, or of functions of one name. */
bool name_scope_same_family(const char *a, size_t a_length, const char *b, size_t b_length);

/* Whether it is the name of a launching API (cudaLaunchKernel, hipMemcpyAsync, ...). */
bool name_is_launch(const char *name, size_t length);

#endif
