/*
 * harness: runs the tools' own main() again and again in one process.
 *
 * The fuzzing build (fuzz.mk) renames what a tool does to the world: exit comes
 * back here, and reading, writing and what is said go through memory.  What is
 * not as it has to be ends the process by abort(), for the fuzzer to keep the
 * input.
 */
#ifndef TPA_FUZZ_HARNESS_H
#define TPA_FUZZ_HARNESS_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef int tool_main(int argc, char **argv);

tool_main tpa_extract_main, tpa_classify_main, tpa_overlap_main, tpa_srcmap_main, tpa_rank_main,
    tpa_fmt_main;

/* A run of a tool.  All zero is ready for use; buffers are used again. */
struct run {
	size_t step; /* a read or write gives no more bytes than this; 0: all there are */
	int status;
	struct buffer out, said;
};

/*
 * Runs a tool with `in` as its standard input.  The arguments, separated by
 * blanks, begin with its name.  Checks what holds of every run: it exits with 0,
 * 1 or 3, says something if it is not 0, in whole lines of printable text, and its
 * last line is whole.
 */
void run_tool(struct run *run, tool_main *tool, const char *arguments, const void *in,
	      size_t length);

/* The same, and again in small reads and writes: nothing may depend on them. */
void run_tool_twice(struct run *run, tool_main *tool, const char *arguments, const void *in,
		    size_t length);

void run_release(struct run *run);

/* A descriptor of a file in memory that holds these bytes, at its beginning. */
int memory_file(const void *bytes, size_t length);

/*
 * What holds of every record that tpa wrote: UTF-8, no control characters, all
 * columns there and of their kind, hidden and exclusive time make up the duration,
 * busy and idle the window.
 */
void check_records(const struct buffer *records);

/* Whether it is UTF-8 and has no control characters but TAB and LF. */
bool is_plain_text(const struct buffer *text);

bool same_buffers(const struct buffer *a, const struct buffer *b);

/* Aborts, saying why. */
_Noreturn void broken(const char *what, const char *bytes, size_t length);

#endif
