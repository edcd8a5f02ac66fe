/*
 * rules: which category a kernel has, by an ordered list that a user can read.
 *
 * A rules file has a rule a line, and the first that holds decides:
 *
 *	LOOK HOW PATTERN [and LOOK HOW PATTERN]... CATEGORY[/CLASS] [# NOTE]
 *
 *	base token	rms_norm|layer_norm		elementwise/norm	# norms
 *	name substring	direct_copy and name token nocast	memory/copy
 *
 * LOOK	    kind, base, path, name or full: which view of the kernel (kernel_match.h)
 * HOW	    equal, prefix, substring, or token: one token or several in a row
 * PATTERN  text without blanks, or in double quotes; "|" between alternatives.
 *	    Upper and lower case (ASCII) are the same everywhere.
 * CATEGORY communication, compute, memory, elementwise or other
 * CLASS    a finer word, for grep: lower-case letters, digits, "-" and "_"
 *
 * A line "wrapper PATH[|PATH]..." names paths that say nothing (kernel_match.h).
 * Blank lines and what follows a "#" at the start of a word are notes.
 *
 * Several files are read in the order given, as if they were one.
 */
#ifndef TPA_RULES_H
#define TPA_RULES_H

#include "buffer.h"
#include "kernel_match.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A larger file is no rules file. */
#define RULES_SIZE_MAX ((size_t)16 << 20)

enum rule_how {
	HOW_EQUAL,
	HOW_PREFIX,
	HOW_SUBSTRING,
	HOW_TOKEN,
};

/* One alternative of a condition. */
struct rule_pattern {
	const char *text; /* lowered; of HOW_TOKEN as kernel_tokens writes it */
	size_t length;
};

/* One condition: any of its patterns is there. */
struct rule_test {
	enum kernel_look look;
	enum rule_how how;
	size_t pattern; /* the first */
	size_t patterns;
};

struct rule {
	const char *category;
	struct buffer mark;  /* "class=CLASS", or nothing */
	struct buffer where; /* "rule=FILE:LINE", as a record's field */
	size_t test;	     /* the first; all must hold */
	size_t tests;
};

struct rules {
	struct rule *rule;
	size_t count, capacity;
	struct rule_test *test;
	size_t tests, test_capacity;
	struct rule_pattern *pattern;
	size_t patterns, pattern_capacity;
	struct kernel_wrappers wrappers;
	bool look_full; /* whether any rule looks at the parameters */
};

#define RULES_INIT {0}

/*
 * Adds the rules of a file; false after saying what is wrong and where.  A name
 * with neither "/" nor "." is of a file that comes with tpa: "kernel" is
 * share/tpa/kernel.rules.  Anything else is a path.
 */
bool rules_load(struct rules *rules, const char *name) __attribute__((warn_unused_result));

/* The first rule that holds, or NULL. */
const struct rule *rules_match(const struct rules *rules, const struct kernel_match *match);

void rules_release(struct rules *rules);

#endif
