/*
 * mangled: the names inside a mangled C++ name (Itanium ABI: "_ZN...").
 *
 * Traces of ROCm and of cuDNN hold such names.  What a kernel does is in its
 * identifiers; the types of its parameters, literals and back references say
 * nothing.  So this reads the nested identifiers and the template brackets
 * between them, and leaves out the rest:
 *
 *	_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_8PipelineIfEEEEEEvT0_
 *	ck_tile::kentry<Rmsnorm2dFwd<Pipeline<>>>
 *
 * It is no demangler, and never fails on a name that was cut short.
 */
#ifndef TPA_MANGLED_H
#define TPA_MANGLED_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>

/* Appends what can be read; false, with nothing appended, if the name is not mangled. */
bool mangled_read(struct buffer *out, const char *name, size_t length);

#endif
