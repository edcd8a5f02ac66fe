/*
 * extract_input: the bytes of a trace, plain or gzip, in a window that moves.
 *
 * The scanner reads in place: [at, end) are bytes not consumed yet, and behind
 * `end` stand INPUT_PAD quotes, so that every loop over a token stops by itself
 * (a token that reaches `end` is cut, and is scanned again with more).  It sets
 * `at` to what it still needs and asks for more; what was before `at` is gone.
 *
 * gzip is recognised by its first two bytes.  With `threads` above 1 it is
 * inflated by a second thread into a ring of slots, each with room in front for
 * what is left of the one before; else, and for plain files, all is done here,
 * in one buffer.  The bytes are the same.
 *
 * Memory: of gzip 4 MiB for the ring; 2 MiB while the start of a trace is looked ahead
 * over; and what a single event needs beyond that.
 */
#ifndef TPA_EXTRACT_INPUT_H
#define TPA_EXTRACT_INPUT_H

#include "extract_gzip.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INPUT_PAD 64

/* The window never holds more than this. */
#define INPUT_WINDOW_MAX ((size_t)64 << 20)

struct input_ring;

struct trace_input {
	const unsigned char *at, *end;
	uint64_t end_offset; /* of `end`, in the trace's own bytes */
	bool ended;	     /* nothing follows `end` */
	int error;	     /* the errno of a failed read, or 0 */
	void (*moved)(void *context, uint64_t offset); /* NULL, or called when `end` has moved */
	void *context;

	int fd;
	bool is_gzip;
	struct gzip_reader gzip;
	unsigned char *buffer; /* one for all, or what no slot has room for */
	bool left_buffer;      /* when it was large, once */
	size_t capacity;
	struct input_ring *ring; /* NULL without a second thread */
};

/* Reads from fd, which stays the caller's. */
void trace_input_init(struct trace_input *input, int fd, int threads);

/*
 * Keeps [at, end) and adds at least one byte; false at the end of input, when
 * reading fails, or when the window is at its limit.
 */
bool trace_input_more(struct trace_input *input);

/* Where in the trace a byte of the window is. */
static inline uint64_t trace_input_offset(const struct trace_input *input, const unsigned char *at)
{
	return input->end_offset - (uint64_t)(input->end - at);
}

/* Reads a gzip stream to its end, so that all that is wrong with it is known. */
void trace_input_drain(struct trace_input *input);

void trace_input_release(struct trace_input *input);

#endif
