/*
 * diag: what a tool says on standard error, and how it ends.
 *
 * Every message is one sentence after the tool's name, with no capital and no
 * full stop:
 *
 *	tpa-overlap: stdin:1432: kernel: dur: not a time: "12x"
 *
 * Control characters in a message, and bytes that are not UTF-8, come out as \xHH,
 * what turns the direction of writing as \u202e, so that no name taken from a trace
 * or a file can reach the terminal as an escape sequence or look like another.
 *
 * This is the only module that ends the process, and the only one with state
 * of its own (the tool's name, and whether notes are wanted).
 */
#ifndef TPA_DIAG_H
#define TPA_DIAG_H

#include <stdbool.h>

/* The exit status of every tool. */
enum tpa_exit {
	TPA_DONE = 0,	/* done */
	TPA_FAILED = 1, /* could not do it: input, output, memory */
	TPA_MISUSE = 2, /* asked wrongly: options, operands */
	TPA_LOSSY = 3,	/* done, but some input was lost on the way */
};

/* Names the tool.  The string is kept, not copied.  Call it first. */
void diag_init(const char *tool);
const char *diag_tool(void);

/* -q: from now on diag_note says nothing.  Errors are always said. */
void diag_quiet(bool quiet);
bool diag_notes_wanted(void);

/* A message about something that was not done, or not done wholly. */
void diag_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A message about something that was done but is worth knowing. */
void diag_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says it, flushes what diag_on_exit registered, exits with TPA_FAILED. */
_Noreturn void diag_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says it and how to get help, exits with TPA_MISUSE. */
_Noreturn void diag_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Registers the one function that diag_die calls before it exits, so that
 * nothing that was complete is lost.  NULL takes it back.
 */
void diag_on_die(void (*function)(void *), void *argument);

#endif
