/*
 * rank_dependency: whether a kernel seems to wait for its neighbours on its
 * stream, or they for it (build_stream_neighbor_index, describe_neighbor and
 * classify_dependency_signal of the reference script).
 */
#ifndef TPA_RANK_DEPENDENCY_H
#define TPA_RANK_DEPENDENCY_H

#include "rank_kernels.h"
#include "rank_sources.h"

enum dependency {
	DEPENDENCY_LOW,
	DEPENDENCY_PREV,
	DEPENDENCY_NEXT,
	DEPENDENCY_BOTH,
	DEPENDENCY_UNCLEAR,
};

/* The words of a record for it. */
const char *dependency_signal(enum dependency dependency);

struct neighbours {
	enum dependency dependency;
	/* "NAME @ SCOPE (gap X us)" or "none", not escaped */
	struct buffer prev, next;
};

/* The order of the kernels of a stream. */
int dependency_order(const struct kernel *a, const struct kernel *b);

/* Looks at the neighbours of a kernel of the group; replaces what is in *around. */
void dependency_find(struct neighbours *around, const struct rank_kernels *held,
		     const struct group *group, const struct kernel *kernel,
		     struct rank_sources *sources);

void neighbours_release(struct neighbours *around);

#endif
