/*
 * fmt_number: the numbers in a record's fields, as text that JSON takes, too.
 */
#ifndef TPA_FMT_NUMBER_H
#define TPA_FMT_NUMBER_H

#include "buffer.h"
#include "record.h"

#include <stdbool.h>

/*
 * Appends a number exactly: a whole number, a time in microseconds with three
 * decimals, or a ratio as it stands.  What is not known is nothing.  False, with
 * the fault noted, if the field is not what its column should hold.
 */
bool fmt_number(struct buffer *out, struct record *record, int column);

/* Appends a time as records have it: microseconds with three decimals. */
void fmt_time(struct buffer *out, int64_t ns);

/* A ratio's value; leaves *value as it is if it is not known. */
bool fmt_number_ratio(struct record *record, int column, double *value);

#endif
