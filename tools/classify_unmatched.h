/*
 * classify_unmatched: the kernels that no rule knows, by name.
 *
 *	unmatched	12	345.678	some_new_kernel		count, time, name
 *	unmatched_share	12	345.678	0.123			count, time, percent of all time
 *
 * Names come by falling time, then by name; the share is the last line.  It
 * holds each name that no rule knows, and no other.
 */
#ifndef TPA_CLASSIFY_UNMATCHED_H
#define TPA_CLASSIFY_UNMATCHED_H

#include "intern.h"
#include "record_io.h"

struct unmatched_name {
	uint32_t id; /* in `names` */
	int64_t count;
	int64_t ns;
};

struct unmatched {
	struct intern names; /* as fields of records */
	struct unmatched_name *name;
	size_t capacity;
	int64_t count;
	int64_t ns;
	int64_t all_ns; /* of the kernels that a rule knows, too */
};

#define UNMATCHED_INIT {0}

/* Counts a kernel that no rule knows, and the time of one that some rule does. */
void unmatched_add(struct unmatched *unmatched, struct field name, int64_t ns);
void unmatched_known(struct unmatched *unmatched, int64_t ns);

/* Percent of all time; 0 of none. */
double unmatched_share(const struct unmatched *unmatched);

/* Writes the lines; nothing may be added after it. */
void unmatched_write(struct unmatched *unmatched, struct record_writer *out);

void unmatched_release(struct unmatched *unmatched);

#endif
