/*
 * fmt_view: which columns of a type of record are shown, and how.
 *
 * A view is a list of what to show, in order.  There is one for each type, of
 * what a person wants to see of it, and one for each choice of columns (-c),
 * which shows the fields as they are.
 *
 * To show a type differently, change its list in fmt_view.c.
 */
#ifndef TPA_FMT_VIEW_H
#define TPA_FMT_VIEW_H

#include "buffer.h"
#include "record.h"

#include <stdbool.h>
#include <stddef.h>

/* Appends what is shown; false with the fault noted.  The text may be unsafe. */
typedef bool view_show(struct buffer *out, struct record *record, int column);

enum view_cut {
	VIEW_WHOLE,    /* never cut */
	VIEW_CUT_END,  /* its beginning tells most: names */
	VIEW_CUT_START /* its end tells most: paths */
};

struct view_column {
	const char *title;
	int column; /* of the record */
	view_show *show;
	bool right; /* numbers stand at the right */
	enum view_cut cut;
	bool code; /* a name of code rather than words */
	bool note; /* a sentence: a line of its own where rows are lines */
};

struct view {
	const char *title; /* of a section of such records; NULL: none is wanted */
	/* so many columns, from the first, are alike in a section and head it */
	int heads;
	const struct view_column *column;
	size_t count;
};

/* What is shown of a known type unless columns are chosen. */
const struct view *view_of(enum record_type type);

/* One of its columns as it is. */
struct view_column view_column_plain(enum record_type type, int column);

/* A choice of columns, such as "name,total". */
struct choice {
	bool made; /* else everything is shown */
	int count;
	/* the types that have them all, and where; 0 is "type" itself */
	bool has[RECORD_TYPE_COUNT];
	int column[RECORD_TYPE_COUNT][RECORD_FIELDS_MAX];
};

/* Ends the tool as diag_misuse does if no type has all these columns. */
struct choice choice_parse(const char *list);

#endif
