/*
 * fmt_kernels: the kernels of a stream, held for the formats that draw them.
 *
 * A kernel takes 64 bytes; names are held once.  Times are ns.  A lane is a
 * stream of a process, a group what the figures are of: a rank, process and
 * stage.  Texts are the fields as they stand in the records, escaped.
 */
#ifndef TPA_FMT_KERNELS_H
#define TPA_FMT_KERNELS_H

#include "buffer.h"
#include "intern.h"
#include "record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shown_category {
	SHOWN_COMPUTE,
	SHOWN_COMMUNICATION,
	SHOWN_MEMORY,
	SHOWN_ELEMENTWISE,
	SHOWN_OTHER,
	SHOWN_CATEGORIES,
};

extern const char *const shown_category_names[SHOWN_CATEGORIES];

struct shown_kernel {
	int64_t ts, end, idx;
	int64_t hidden, exclusive; /* -1: not known */
	uint32_t lane, group, name;
	enum shown_category category;
};

struct shown_kernels {
	struct shown_kernel *item;
	size_t count, capacity;
	struct intern lanes;  /* "RANK<TAB>PID<TAB>STREAM" */
	struct intern groups; /* "RANK<TAB>PID<TAB>STAGE" */
	struct intern names;
	struct buffer work;
};

#define SHOWN_KERNELS_INIT {0}

/* Holds a kernel record; false with the fault noted. */
bool shown_kernels_take(struct shown_kernels *kernels, struct record *record);

/* Sorts them by group, then idx, so that the next can find one. */
void shown_kernels_sort(struct shown_kernels *kernels);
const struct shown_kernel *shown_kernels_find(const struct shown_kernels *kernels, uint32_t group,
					      int64_t idx);

void shown_kernels_release(struct shown_kernels *kernels);

/* Whether all lanes are of one process of one rank, so that a stream's name tells them apart. */
bool shown_kernels_one_process(const struct shown_kernels *kernels);

/*
 * Appends "rank 0, process 5, stream 7" and the like of a lane or group, safe; of
 * the three only the last if `brief`.
 */
void shown_label(struct buffer *out, const struct interned *item, const char *third, bool brief);

#endif
