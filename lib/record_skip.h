/*
 * record_skip: past the lines of types that are not wanted, a block at a time.
 *
 * Lines of one type come by the thousand.  To look at whole blocks for a LF with
 * something wanted behind it takes half the time of finding the end of each line
 * and looking at its type.
 *
 *	skip = record_skip_init(wants);
 *	...
 *	line = record_skip(&skip, line, stop, &lines);
 *
 * It skips lines by their second letter, which tells the types better apart than
 * the first does: for what it cannot tell, it stops.  So it never skips what is
 * wanted, or a comment that may say which version of the format this is.
 */
#ifndef TPA_RECORD_SKIP_H
#define TPA_RECORD_SKIP_H

#include <stdbool.h>
#include <stdint.h>

#define RECORD_SKIP_LETTERS 4

struct record_skip {
	char letter[RECORD_SKIP_LETTERS]; /* where to stop */
	bool idle;			  /* there are more of them: it skips nothing */
};

/* `wants` is RECORD_BIT() of each type that is wanted. */
struct record_skip record_skip_init(unsigned wants);

/*
 * The beginning of a line shortly before the first one, from the one at `line` on,
 * that may be wanted, or before `stop`; adds how many lines it skipped to *lines.
 * A LF stands in front of `line`; nothing at or behind `stop` is looked at.
 */
const char *record_skip(const struct record_skip *skip, const char *line, const char *stop,
			uint64_t *lines);

#endif
