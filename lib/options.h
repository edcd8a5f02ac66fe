/*
 * options: one table per tool feeds the parser, the help and the tests.
 *
 *	enum { OPTION_MIN_SHARE = OPTION_LONG };
 *	static const struct option_row rows[] = {
 *		{'n', "rows", "ROWS", "at most ROWS actions a stage"},
 *		{OPTION_MIN_SHARE, "min-share", "PCT", "leave out what has less"},
 *		OPTION_ROWS_COMMON,
 *		{0},
 *	};
 *	static const struct tool tool = {"tpa-rank", "what to try first", "[FILE...]", rows};
 *
 *	struct options options = options_init(&tool, argc, argv);
 *	int letter;
 *	while ((letter = options_next(&options)))
 *		switch (letter) { case 'n': ... options.argument ... }
 *	... options.operand, options.operands ...
 *
 * --help prints to standard output and exits with TPA_DONE; --version likewise;
 * what is not in the table exits with TPA_MISUSE after one sentence.
 */
#ifndef TPA_OPTIONS_H
#define TPA_OPTIONS_H

#include <stdint.h>

#define TPA_VERSION "0.1.0"

/* Letters from here on are of options that have only a long form. */
#define OPTION_LONG 256
#define OPTION_VERSION 511

struct option_row {
	int letter;
	const char *name;
	const char *argument; /* what is shown for it, or NULL if it takes none */
	const char *help;
};

/* What every tool takes; -h, -q and --version are handled here. */
#define OPTION_ROWS_COMMON \
	{'k', "keep-going", NULL, "report a bad record, drop it and go on (exit 3)"}, \
	{'q', "quiet", NULL, "no notes on standard error, only errors"}, \
	{'h', "help", NULL, "print this and exit"}, \
	{OPTION_VERSION, "version", NULL, "print the version and exit"}

struct tool {
	const char *name;
	const char *summary;  /* one line, no full stop */
	const char *operands; /* as in the synopsis: "[FILE...]" */
	const struct option_row *rows;
};

struct options {
	const struct tool *tool;
	const char *argument; /* of the option just returned */
	char **operand;	      /* once options_next has returned 0 */
	int operands;
	int argc;
	char **argv;
	void *table; /* what getopt_long is given */
};

/* Also names the tool for diag. */
struct options options_init(const struct tool *tool, int argc, char **argv);

/* The letter of the next option, or 0 when only operands are left. */
int options_next(struct options *options);

/* The argument as a whole number from low to high; else exits with TPA_MISUSE. */
int64_t options_number(const struct options *options, int letter, int64_t low, int64_t high);

/* The argument as a decimal number from low to high. */
double options_decimal(const struct options *options, int letter, double low, double high);

#endif
