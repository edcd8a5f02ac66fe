/*
 * overlap_idx: which kernels have been seen, so that none is counted twice.
 *
 * A set of (process, idx), a bit each, in chunks of 4096 that take no memory
 * once they are full: an endless stream in which every idx turns up costs 48
 * bytes or so for 4096 kernels.
 */
#ifndef TPA_OVERLAP_IDX_H
#define TPA_OVERLAP_IDX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idx_chunk;

struct idx_set {
	struct idx_chunk *slot;
	size_t slots;
	size_t chunks;
	size_t last; /* the slot that was used last */
};

/* False if it is there already. */
bool idx_set_add(struct idx_set *set, uint32_t process, int64_t idx);

void idx_set_release(struct idx_set *set);

#endif
