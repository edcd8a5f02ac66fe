/*
 * allocations: the memory that a tool has taken and not given back.
 *
 * A tool that dies leaves its memory to the system; here, where thousands die in
 * one process, it is freed.
 */
#ifndef TPA_FUZZ_ALLOCATIONS_H
#define TPA_FUZZ_ALLOCATIONS_H

#include <stdbool.h>

/* Once, before anything else: asks the sanitizer to tell of all that is taken. */
void allocations_init(void);

/* Whether what is taken from here on is written down. */
void allocations_write_down(bool wanted);

/* Frees what is written down and was not given back. */
void allocations_free(void);

/* Forgets it. */
void allocations_forget(void);

#endif
