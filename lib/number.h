/*
 * number: whole numbers and exact times.
 *
 * A time is a whole number of nanoseconds in an int64_t.  In text it is
 * microseconds with decimals.  No time ever goes through a double.  What is read
 * lies within TIME_MAX either way, so the sum or difference of two always fits;
 * longer sums go through time_add.
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

#define TIME_MAX (INT64_MAX / 2)

/* The sum, or the nearest that an int64_t can hold. */
static inline int64_t time_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

enum number_time {
	NUMBER_IS_TIME,
	NUMBER_IS_NONE,	   /* not a decimal number */
	NUMBER_IS_TOO_BIG, /* a number beyond TIME_MAX */
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
