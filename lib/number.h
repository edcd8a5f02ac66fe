/*
 * number: whole numbers and exact times.
 *
 * A time is a whole number of nanoseconds in an int64_t.  In text it is
 * microseconds with decimals.  No time ever goes through a double.
 */
#ifndef TPA_NUMBER_H
#define TPA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits, with an optional sign, and nothing else; false if it is none or does not fit. */
bool number_int(const char *text, size_t length, int64_t *value);

/* The same without a sign. */
bool number_count(const char *text, size_t length, uint64_t *value);

enum number_time {
	NUMBER_IS_TIME,
	NUMBER_IS_NONE,	   /* not a decimal number */
	NUMBER_IS_TOO_BIG, /* a number whose nanoseconds do not fit */
};

/*
 * A decimal number of microseconds, with or without sign, decimals and exponent
 * ("12", "-3.5", "1e3"), rounded half to even on the exact value to whole
 * nanoseconds.
 */
enum number_time number_time(const char *text, size_t length, int64_t *ns);

/*
 * A decimal number whose exact value is a whole one ("12", "1.2e1", "12.0") in
 * an int64_t; what an id may be in a trace.
 */
bool number_integral(const char *text, size_t length, int64_t *value);

/* Enough room for what the two below write. */
#define NUMBER_LENGTH 32

/* Writes the number and returns the end; not terminated. */
char *number_put_int(char *out, int64_t value);

/* Writes microseconds with exactly three decimals and returns the end. */
char *number_put_time(char *out, int64_t ns);

#endif
