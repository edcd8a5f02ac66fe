/*
 * fmt_timeline: a stretch of time, the kernels in it by lane, and when which of
 * them was exposed.
 *
 * A lane is exposed while it runs a kernel and no other lane of its group does.
 * Times are ns.
 */
#ifndef TPA_FMT_TIMELINE_H
#define TPA_FMT_TIMELINE_H

#include "fmt_kernels.h"

/* Which stretch; what is not known is chosen. */
struct stretch {
	bool has_from, has_to, has_around;
	int64_t from, to;
	int64_t around; /* a kernel's idx */
};

struct timeline_kernel {
	int64_t ts, end; /* cut to the stretch */
	const struct shown_kernel *kernel;
};

struct exposure {
	int64_t start, end;
};

struct timeline_lane {
	uint32_t lane, group;
	struct timeline_kernel *kernel; /* by start */
	size_t kernels;
	struct exposure *exposure; /* by start */
	size_t exposures, capacity;
};

/* From that time on so many lanes of a group run, until the next of the group. */
struct load {
	int64_t time;
	uint32_t group, lanes;
};

struct timeline {
	int64_t from, to;
	struct timeline_lane *lane; /* in the order of first sight */
	size_t lanes;
	struct timeline_kernel *kernel; /* all of them; lanes point into it */
	struct load *load; /* by group, then time */
	size_t loads;
};

/*
 * The stretch to be shown of all kernels: as asked for, else the busiest that
 * holds some hundreds.  False if there is no kernel to go by.
 */
bool stretch_choose(const struct shown_kernels *kernels, const struct stretch *asked, int64_t *from,
		    int64_t *to);

void timeline_make(struct timeline *timeline, const struct shown_kernels *kernels, int64_t from,
		   int64_t to);
void timeline_release(struct timeline *timeline);

#endif
