/*
 * extract_stages: the stage that a kernel belongs to, prefill or decode.
 *
 * By the path of the trace (stage_from_path), or by the user annotations in it
 * (build_stage_annotations and resolve_kernel_stage of what the reference script
 * imports): by External id first, then by time.  Times are ns.
 */
#ifndef TPA_EXTRACT_STAGES_H
#define TPA_EXTRACT_STAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kernel_stage { STAGE_ALL, STAGE_EXTEND, STAGE_DECODE };

extern const char *const kernel_stage_names[];

/* The stage that the last six components of a path tell, or STAGE_ALL. */
enum kernel_stage stage_from_path(const char *path);

struct stage_mark {
	int64_t ts, dur, ext; /* ext 0: none */
	enum kernel_stage stage;
	bool on_gpu;
};

/* Adjoining annotations of one stage, by rising start. */
struct stage_window {
	int64_t start, end;
	size_t latest; /* of this window and those before it, the first that ends last */
	enum kernel_stage stage;
};

struct stage_windows {
	struct stage_window *item;
	size_t count, capacity;
};

/* The annotations of one rank. */
struct stages {
	struct stage_mark *mark; /* in trace order */
	size_t count, capacity;
	struct stage_windows gpu, cpu;
	size_t by_ext; /* once ready: the first so many marks are those found by id, sorted by it */
};

void stages_add(struct stages *stages, const struct stage_mark *mark);

/* Call once after the last stages_add; the marks are then no longer in trace order. */
void stages_ready(struct stages *stages);

/* The stage of a kernel that starts at `ts`; ext 0 is none.  Needs stages_ready. */
enum kernel_stage stages_find(const struct stages *stages, int64_t ts, int64_t ext);

void stages_release(struct stages *stages);

#endif
