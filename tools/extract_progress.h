/*
 * extract_progress: how far the reading of a trace is, for a person who waits.
 *
 * One line on standard error, rewritten in place, gone at the end; only where
 * that is a terminal, notes are wanted and the reading takes over a second.  Of
 * a file it shows the part read, the rate and the time left, of a pipe the bytes.
 * Nothing else in tpa looks at the clock.
 */
#ifndef TPA_EXTRACT_PROGRESS_H
#define TPA_EXTRACT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
	const char *name;
	int fd;
	int64_t size; /* of the file, 0 if it is none */
	bool wanted, shown;
	struct timespec started, last;
};

void progress_start(struct progress *progress, int fd, const char *name);

/* Call now and then, with the bytes of the trace so far. */
void progress_show(struct progress *progress, uint64_t bytes);

/* Takes the line away. */
void progress_end(struct progress *progress);

#endif
