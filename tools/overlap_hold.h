/*
 * overlap_hold: a rank's kernels, held until all of them are there.
 *
 *	hold_add(&hold, record, group, &times);		for each kernel
 *	hold_sweep(&hold, out);			writes them in their order of arrival
 *	hold_put_covers(&hold, out);			by group, idx, falling time
 *	hold_put_windows(&hold, out);			by group
 *
 * A kernel takes 68 bytes and each of its covers 16, and while its group is swept
 * a kernel takes 16 more, twice that while they are sorted; what many kernels have
 * in common is held once.  A field that is not computed here comes out as it came in.
 */
#ifndef TPA_OVERLAP_HOLD_H
#define TPA_OVERLAP_HOLD_H

#include "overlap_groups.h"

struct held_kernel;
struct held_context;
struct held_group;
struct held_cover;

struct hold {
	struct groups groups;
	struct held_kernel *kernel; /* in their order of arrival */
	size_t kernels;
	size_t kernel_capacity;
	struct intern titles; /* "NAME\tPARAMS" */
	uint32_t *name;	      /* by title */
	size_t name_capacity;
	struct intern others; /* other fields, as they came */
	struct intern contexts;
	struct held_context *context;
	size_t context_capacity;
	uint32_t last_context;
	uint32_t last_title;
	uint32_t last_place, last_kind, last_extension; /* of others */
	struct held_group *group; /* by group */
	size_t group_count;
	size_t group_capacity;
	uint32_t *order; /* of the groups, once they are swept */
	struct held_cover *cover;
	size_t covers;
	size_t cover_capacity;
	struct record_writer *out; /* while it is swept, or NULL; */
	size_t put;		   /* so many kernels were written to it */
};

/* A hold that is all zero is empty. */
void hold_add(struct hold *hold, const struct record *kernel, uint32_t group,
	      const struct kernel_times *times);

/*
 * Works out all figures; nothing may be added after it.  Each kernel is written as
 * soon as its figures and those of all before it are known, so that the next stage
 * need not wait; with NULL for `out` none is, and hold_put_kernels writes them.
 */
void hold_sweep(struct hold *hold, struct record_writer *out);

void hold_put_kernels(const struct hold *hold, struct record_writer *out, size_t from,
		      size_t count);
void hold_put_covers(const struct hold *hold, struct record_writer *out);
void hold_put_windows(const struct hold *hold, struct record_writer *out);

void hold_release(struct hold *hold);

#endif
