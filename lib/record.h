/*
 * record: one line of the stream, taken apart.
 *
 *	kernel<TAB>0<TAB>1234<TAB>decode<TAB>17<TAB>...
 *
 * The fields are views into the line, which belongs to the reader: they hold
 * until the next record is read.  What is kept longer is copied (intern.h).
 * Text in a field is escaped (text.h); "-" means not known.
 *
 * The getters return false, after noting why, when the field is not what its
 * column should hold; the stage then returns STAGE_FAULT (stage.h), which
 * reports it with file, line and column:
 *
 *	if (!record_time(record, KERNEL_TS, &ts))
 *		return STAGE_FAULT;
 */
#ifndef TPA_RECORD_H
#define TPA_RECORD_H

#include "columns.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A line may be this long, its LF not counted. */
#define RECORD_LENGTH_MAX ((size_t)16 << 20)

struct field {
	const char *text;
	size_t length;
};

struct record {
	enum record_type type;
	const char *line; /* without its LF */
	size_t length;
	int fields; /* how many were split; the last may have tabs left in it */
	struct field field[RECORD_FIELDS_MAX + 1];
	/* what a getter found wrong */
	int bad_column; /* 0: the record as a whole */
	const char *fault;
};

/* So many bytes behind a line must be readable, whatever is in them. */
#define RECORD_PAD 64

/*
 * Splits a known type's line into its columns.  Extension fields, with the tabs
 * between them, are field[columns.end].  False if there are too few.
 */
bool record_split(struct record *record);

/*
 * The same in two steps, for a line of which only the beginning is known: splits
 * up to the first LF, or to `stop`, and notes the length; true if there was a LF.
 * record_complete is false if there are too few columns.
 */
bool record_scan(struct record *record, const char *stop);
bool record_complete(struct record *record);

/* Whether the field is "-". */
static inline bool field_unknown(struct field field)
{
	return field.length == 1 && field.text[0] == '-';
}

static inline bool field_is(struct field field, const char *word)
{
	return strlen(word) == field.length && !memcmp(field.text, word, field.length);
}

/* A whole number; a time in ns. */
bool record_int(struct record *record, int column, int64_t *value);
bool record_time(struct record *record, int column, int64_t *ns);

/* The same where "-" is allowed, which leaves *value as it was. */
bool record_int_if_known(struct record *record, int column, int64_t *value);
bool record_time_if_known(struct record *record, int column, int64_t *ns);

/* Notes a fault of a column (0: of the record) and returns false. */
bool record_fault(struct record *record, int column, const char *fault);

#endif
