/*
 * stage: what every filter does alike.
 *
 * A stage names the types it wants and a function that takes each of them;
 * everything else passes on at once, unchanged and in its place.
 *
 *	static enum stage_taken take(void *state, struct record *record);
 *	...
 *	struct stage stage = {.wants = RECORD_BIT(RECORD_KERNEL), .take = take, .state = &state};
 *	stage_open(&stage, stdout_writer...);
 *	status = stage_run(&stage, files, count);
 *	... write what was computed ...
 *	return stage_close(&stage, status);
 *
 * A bad record ends the run with TPA_FAILED after what came before it is
 * written, or with keep_going is reported, dropped, and ends it with TPA_LOSSY.
 */
#ifndef TPA_STAGE_H
#define TPA_STAGE_H

#include "diag.h"
#include "record_io.h"

#include <stdbool.h>

enum stage_taken {
	STAGE_KEPT,  /* the stage has what it needs; nothing is written for it now */
	STAGE_PASS,  /* write the line as it is */
	STAGE_FAULT, /* record_fault() says what is wrong with it */
};

struct stage {
	unsigned wants; /* RECORD_BIT() of each type for take */
	/*
	 * Of these, types that take only looks at: it writes nothing when it is given
	 * one, and lets it pass if anything does.  They pass as blocks, uncopied.
	 */
	unsigned reads;
	enum stage_taken (*take)(void *state, struct record *record);
	void *state;
	bool pass;	 /* whether what is not wanted is written */
	bool keep_going; /* -k */
	struct record_writer out;
	struct record_reader *reader; /* of the file at hand */
};

/* Prepares `out` for standard output; what is whole is written even if the tool dies. */
void stage_open(struct stage *stage);

/* Reads the files in order ("-" and no file at all mean standard input). */
enum tpa_exit stage_run(struct stage *stage, char *const *files, int count);

/* Closes `out`; what to exit with, a late write error included. */
enum tpa_exit stage_close(struct stage *stage, enum tpa_exit status);

#endif
