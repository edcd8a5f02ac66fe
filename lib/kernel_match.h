/*
 * kernel_match: a kernel's name as the rules look at it.
 *
 * A canonical name says what the kernel does in one of several places.  These
 * are the ways to look, each in lower case, and each also as tokens:
 *
 *	kind	the event's kind ("kernel", "gpu_memcpy")
 *	name	the canonical name without its return type, anonymous namespaces
 *		and parameters; of a mangled name its identifiers (mangled.h)
 *	path	the name up to its template arguments
 *	base	the last component of the path
 *	full	the canonical name followed by its parameters, untouched
 *
 * A wrapper is a path that says nothing, such as cutlass::device_kernel: then
 * path and base are those of the first template argument that is more than a
 * number, a plain word or a type by its "_t", up to eight wrappers deep.
 *
 *	void cutlass::device_kernel<flash::FlashAttnFwd<1, float> >
 *	name	cutlass::device_kernel<flash::flashattnfwd<1, float> >
 *	path	flash::flashattnfwd
 *	base	flashattnfwd		tokens _flash_attn_fwd_
 *
 * A name made by CuTe DSL, "kernel_cutlass_" MODULE CLASS "_object_at_" ...,
 * is cut down to module and class.
 */
#ifndef TPA_KERNEL_MATCH_H
#define TPA_KERNEL_MATCH_H

#include "buffer.h"

#include <stddef.h>

enum kernel_look {
	LOOK_KIND,
	LOOK_BASE,
	LOOK_PATH,
	LOOK_NAME,
	LOOK_FULL,
	LOOK_COUNT,
};

/* Paths, or the last components of paths, in lower case. */
struct kernel_wrappers {
	struct buffer *path;
	size_t count;
	size_t capacity;
};

struct kernel_match {
	struct buffer lowered[LOOK_COUNT];
	struct buffer tokens[LOOK_COUNT]; /* "_rms_norm_kernel_" */
	struct buffer clean, unescaped;	  /* scratch */
};

#define KERNEL_MATCH_INIT {0}

/* Prepares all the looks; kind, name and params are fields of a record. */
void kernel_match_set(struct kernel_match *match, const struct kernel_wrappers *wrappers,
		      const char *kind, size_t kind_length, const char *name, size_t name_length,
		      const char *params, size_t params_length);

void kernel_match_release(struct kernel_match *match);

/*
 * Appends the tokens of a text, lowered, with one "_" before, between and after
 * them.  Tokens end at punctuation and blanks and at camel case:
 *
 *	"at::RMSNormFwd2D_fp8" -> "_at_rms_norm_fwd2_d_fp8_"
 */
void kernel_tokens(struct buffer *out, const char *text, size_t length);

#endif
