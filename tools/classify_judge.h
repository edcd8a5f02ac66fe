/*
 * classify_judge: the rule for a kernel record, worked out once a distinct name.
 *
 * A trace has thousands of names and millions of kernels, so verdicts are kept
 * by (kind, name) - and by the parameters too if the rules look at them.  The
 * cache is emptied when it is full, so that a stream of nothing but new names
 * takes no more than about 12 MiB; it gives the same verdicts, only slower.
 */
#ifndef TPA_CLASSIFY_JUDGE_H
#define TPA_CLASSIFY_JUDGE_H

#include "intern.h"
#include "record.h"
#include "rules.h"

struct judge {
	const struct rules *rules;
	struct kernel_match match;
	struct buffer key;
	struct intern seen;
	const struct rule **verdict; /* by the id in `seen` */
	uint32_t last; /* seen */
	size_t capacity;
	size_t bytes; /* of the keys in `seen` */
};

/* The rules must outlive the judge. */
void judge_init(struct judge *judge, const struct rules *rules);

/* The rule that decides, or NULL if none knows the kernel. */
const struct rule *judge_kernel(struct judge *judge, const struct record *kernel);

void judge_release(struct judge *judge);

#endif
