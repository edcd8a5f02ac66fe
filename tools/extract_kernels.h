/*
 * extract_kernels: the kernels of a trace, held until all of it has been read.
 *
 * A kernel's record needs the whole trace: which process is kept, the External
 * id of its correlation (build_correlation_external_lookup), its stage, its
 * stream's name.  So this holds, per kernel, 64 bytes, and per launch or other
 * pair of correlation and External id 24 bytes; texts are interned.
 *
 * Processes follow the reference script's select_heaviest_pid.  A process whose
 * pid begins with a bracketed tag ("[TP01] 4002", several ranks merged into one
 * trace) is of the rank so named; ids and stages are looked up within one tag.
 */
#ifndef TPA_EXTRACT_KERNELS_H
#define TPA_EXTRACT_KERNELS_H

#include "extract_stages.h"
#include "intern.h"

#include <stdbool.h>
#include <stdint.h>

struct kernel {
	int64_t ts, dur;
	int64_t ext, corr; /* 0: none */
	uint32_t name;	   /* in name_cache.kernels */
	uint32_t pid, tid; /* in pids and texts */
	uint32_t stream;   /* in texts; INTERN_NONE: by its thread's name */
	uint32_t idx;	   /* once chosen: its place among its process's kernels */
	uint32_t kind;	   /* in texts */
	uint8_t stage;	   /* once chosen: enum kernel_stage */
	bool launched;	   /* once chosen: a launch with its correlation was seen */
};

struct process {
	uint32_t tag; /* 0: none; else in tags */
	int64_t total; /* kernel time */
	uint64_t kernels;
	uint32_t order; /* of first sight among those with kernels, from 1 */
	bool kept;
};

/* Two ids that were seen on one event, or (ext 0) the correlation of a launch. */
struct id_link {
	int64_t corr, ext;
	uint32_t tag;
	bool is_launch;
};

struct kernels {
	struct kernel *item;
	size_t count, capacity;
	struct id_link *link;
	size_t links, link_capacity;
	struct intern texts; /* tids, streams, kinds; escaped */
	struct intern pids;  /* not escaped */
	struct process *process; /* by pid */
	size_t process_capacity;
	uint32_t processes_seen;
	struct intern tags; /* escaped; 0 is "" */
	struct stages *stages; /* by tag */
	size_t stages_capacity;
	struct intern threads; /* "PID<TAB>TID", escaped, to thread_name */
	uint32_t *thread_name; /* in texts */
	size_t thread_capacity;
	struct overrun {
		uint64_t count;
		struct kernel worst;
		int64_t by, next;
	} overrun;
	uint64_t unlinked; /* kept kernels with neither launch nor External id */
};

void kernels_init(struct kernels *kernels);

/* The tag that a pid, given as text, begins with; 0 if there is none. */
uint32_t kernels_tag(struct kernels *kernels, const char *pid, size_t length);

/* The process with that pid. */
uint32_t kernels_process(struct kernels *kernels, const char *pid, size_t length);

void kernels_add(struct kernels *kernels, const struct kernel *kernel);
void kernels_link(struct kernels *kernels, const struct id_link *link);
void kernels_annotate(struct kernels *kernels, uint32_t tag, const struct stage_mark *mark);
/* "PID<TAB>TID" and the name of that thread, both escaped; the last one counts. */
void kernels_name_thread(struct kernels *kernels, const char *thread, size_t length,
			 const char *name, size_t name_length);

struct kernels_choice {
	const char *pid_part;	  /* only processes whose pid contains it, or NULL */
	bool all;		  /* every process, not only the heaviest */
	bool clip;		  /* end what overruns its successors at the next start */
	bool by_start;		  /* order by start time instead of trace order */
	enum kernel_stage stage;  /* of all kernels, unless STAGE_ALL */
};

/*
 * Call once, when the trace has been read: drops the kernels of other processes
 * and fills in, for those kept, ids, stages, idx and streams.  Looks for kernels
 * that run past the starts of two or more later ones of their stream.
 */
void kernels_choose(struct kernels *kernels, const struct kernels_choice *choice);

void kernels_release(struct kernels *kernels);

#endif
