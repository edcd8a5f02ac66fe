/*
 * classify_record: a kernel record with its category filled in.
 *
 *	in:  kernel 0 7 all 0 7 7 1.000 2.000 - - kernel - - - - my_gemm -
 *	out: kernel 0 7 all 0 7 7 1.000 2.000 - - kernel compute - - - my_gemm - class=compute/gemm
 *
 * The other columns stay as they are, byte for byte, and so do extension
 * fields, except for class= and rule= of an earlier run.
 */
#ifndef TPA_CLASSIFY_RECORD_H
#define TPA_CLASSIFY_RECORD_H

#include "record_io.h"
#include "rules.h"

/* `rule` is NULL where no rule knows the kernel; `why` adds rule=FILE:LINE. */
void classify_record(struct record_writer *out, const struct record *kernel,
		     const struct rule *rule, bool why);

#endif
