#include "number.h"

#include "text.h"

#include <string.h>

/*
 * Eight digits, the first in the lowest byte, at once: pairs, then fours, then
 * all, each step in every lane of one word.  False if they are not all digits.
 */
static inline bool eight_digits(uint64_t word, uint64_t *value)
{
	if (((word & 0xf0f0f0f0f0f0f0f0u) | (((word + 0x0606060606060606u) & 0xf0f0f0f0f0f0f0f0u) >> 4)) !=
	    0x3333333333333333u)
		return false;
	word = (word & 0x0f0f0f0f0f0f0f0fu) * 2561 >> 8;
	word = (word & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
	*value = (word & 0x0000ffff0000ffffu) * 42949672960001u >> 32;
	return true;
}

static inline uint64_t load_eight(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* Up to 16 digits and nothing else. */
static inline bool few_digits(const char *text, size_t length, uint64_t *value)
{
	uint64_t high = 0, low;
	unsigned missing;

	if (length >= 8 && length <= 16) {
		missing = 8 * (16 - (unsigned)length);
		/* what is missing of 16 digits is made up with zeros in front */
		if (missing < 64 &&
		    !eight_digits(load_eight(text) << missing |
					  (missing ? 0x3030303030303030u >> (64 - missing) : 0),
				  &high))
			return false;
		if (!eight_digits(load_eight(text + length - 8), &low))
			return false;
		*value = high * 100000000 + low;
		return true;
	}
	if (!length || length > 16)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned digit = (unsigned)(unsigned char)text[i] - '0';

		if (digit > 9)
			return false;
		high = high * 10 + digit;
	}
	*value = high;
	return true;
}

bool number_count(const char *text, size_t length, uint64_t *value)
{
	uint64_t sum = 0;

	if (length <= 16)
		return few_digits(text, length, value);
	for (size_t i = 0; i < length; i++) {
		unsigned digit = (unsigned)(unsigned char)text[i] - '0';

		if (digit > 9 || sum > (UINT64_MAX - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return true;
}

/* The magnitude with its sign, if that fits. */
static bool apply_sign(uint64_t magnitude, bool negative, int64_t *value)
{
	if (magnitude > (uint64_t)INT64_MAX + negative)
		return false;
	*value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
	return true;
}

bool number_int(const char *text, size_t length, int64_t *value)
{
	bool negative = length && text[0] == '-';
	size_t sign = negative || (length && text[0] == '+');
	uint64_t magnitude;

	return length && number_count(text + sign, length - sign, &magnitude) &&
	       apply_sign(magnitude, negative, value);
}

/* A decimal number taken apart: digits with the point after `point` of them. */
struct decimal {
	const char *text; /* from the first digit or the point */
	size_t length;	  /* of digits and point, without the exponent */
	size_t digits;
	int64_t point;
	bool negative;
};

static bool decimal_parse(const char *text, size_t length, struct decimal *number)
{
	size_t at = 0, whole;
	int64_t exponent = 0;
	bool down;

	*number = (struct decimal){0};
	if (!length)
		return false;
	if (text[at] == '-' || text[at] == '+')
		number->negative = text[at++] == '-';
	number->text = text + at;
	while (at < length && ascii_is_digit(text[at]))
		at++;
	whole = (size_t)(text + at - number->text);
	number->digits = whole;
	if (at < length && text[at] == '.') {
		size_t point = at++;

		while (at < length && ascii_is_digit(text[at]))
			at++;
		number->digits += at - point - 1;
	}
	number->length = (size_t)(text + at - number->text);
	if (!number->digits)
		return false;
	if (at < length && (text[at] == 'e' || text[at] == 'E')) {
		at++;
		down = at < length && text[at] == '-';
		if (at < length && (text[at] == '-' || text[at] == '+'))
			at++;
		if (at == length)
			return false;
		for (; at < length && ascii_is_digit(text[at]); at++)
			if (exponent < INT64_MAX / 16)
				exponent = exponent * 10 + (text[at] - '0');
		if (down)
			exponent = -exponent;
	}
	if (at != length)
		return false;
	number->point = (int64_t)whole + exponent;
	return true;
}

/*
 * The number times ten to the `shift`, as a whole magnitude; *rest is 0 when
 * that is exact, else 1, 2 or 3 for less than, just, or more than half a unit
 * beyond it.  False if it does not fit.
 */
static bool decimal_scale(const struct decimal *number, int shift, uint64_t *magnitude, int *rest)
{
	int64_t place = number->point + shift; /* how many digits stand before the point */
	uint64_t sum = 0;

	*rest = 0;
	for (size_t i = 0; i < number->length; i++) {
		unsigned digit;

		if (number->text[i] == '.')
			continue;
		digit = (unsigned)(number->text[i] - '0');
		if (place-- > 0) {
			if (sum > (UINT64_MAX - digit) / 10)
				return false;
			sum = sum * 10 + digit;
		} else if (place == -1) {
			*rest = digit > 5 ? 3 : digit == 5 ? 2 : digit ? 1 : 0;
		} else if (digit && (*rest == 0 || *rest == 2)) {
			*rest += 1;
		}
	}
	for (; place > 0 && sum; place--) {
		if (sum > UINT64_MAX / 10)
			return false;
		sum *= 10;
	}
	*magnitude = sum;
	return true;
}

/* The decimals of a time with fewer or more than three, in ns; false if not up to two. */
static bool few_decimals(const char *text, size_t *length, uint64_t *below)
{
	size_t decimals = *length > 3 && text[*length - 3] == '.'   ? 2
			  : *length > 2 && text[*length - 2] == '.' ? 1
								    : 0;

	*below = 0;
	if (!decimals)
		return true;
	if (!few_digits(text + *length - decimals, decimals, below))
		return false;
	*below *= decimals == 2 ? 10 : 100;
	*length -= decimals + 1;
	return true;
}

/* What records and traces hold: up to 16 digits, and up to three decimals. */
static inline bool plain_time(const char *text, size_t length, uint64_t *magnitude)
{
	uint64_t whole, below;

	if (length > 4 && text[length - 4] == '.') {
		unsigned tenths = (unsigned)(unsigned char)text[length - 3] - '0';
		unsigned hundredths = (unsigned)(unsigned char)text[length - 2] - '0';
		unsigned thousandths = (unsigned)(unsigned char)text[length - 1] - '0';

		if (tenths > 9 || hundredths > 9 || thousandths > 9)
			return false;
		below = tenths * 100 + hundredths * 10 + thousandths;
		length -= 4;
	} else if (!few_decimals(text, &length, &below)) {
		return false;
	}
	if (!few_digits(text, length, &whole))
		return false;
	*magnitude = whole * 1000 + below;
	return true;
}

enum number_time number_time(const char *text, size_t length, int64_t *ns)
{
	struct decimal number;
	uint64_t magnitude;
	int rest;

	if (plain_time(text, length, &magnitude) && magnitude < TIME_MAX) {
		*ns = (int64_t)magnitude;
		return NUMBER_IS_TIME;
	}
	if (!decimal_parse(text, length, &number))
		return NUMBER_IS_NONE;
	if (!decimal_scale(&number, 3, &magnitude, &rest) || magnitude >= TIME_MAX)
		return NUMBER_IS_TOO_BIG;
	if (rest == 3 || (rest == 2 && magnitude & 1))
		magnitude++;
	return apply_sign(magnitude, number.negative, ns) ? NUMBER_IS_TIME : NUMBER_IS_TOO_BIG;
}

bool number_integral(const char *text, size_t length, int64_t *value)
{
	struct decimal number;
	uint64_t magnitude;
	int rest;

	return decimal_parse(text, length, &number) &&
	       decimal_scale(&number, 0, &magnitude, &rest) && !rest &&
	       apply_sign(magnitude, number.negative, value);
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
				  "25262728293031323334353637383940414243444546474849"
				  "50515253545556575859606162636465666768697071727374"
				  "75767778798081828384858687888990919293949596979899";

/* How many digits it has: from how many bits, which is one too many for some. */
static inline unsigned count_digits(uint64_t value)
{
	static const uint64_t power[] = {
		1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u,
		1000000000u, 10000000000u, 100000000000u, 1000000000000u, 10000000000000u,
		100000000000000u, 1000000000000000u, 10000000000000000u,
		100000000000000000u, 1000000000000000000u, 10000000000000000000u,
	};
	unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
	unsigned digits = bits * 1233 >> 12; /* times log10(2) */

	return digits + (value >= power[digits]) + !value;
}

static char *put_magnitude(char *out, uint64_t value)
{
	char *end = out + count_digits(value), *at = end;

	while (value >= 100) {
		at -= 2;
		memcpy(at, digit_pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (value >= 10)
		memcpy(out, digit_pairs + value * 2, 2);
	else
		*out = (char)('0' + value);
	return end;
}

char *number_put_int(char *out, int64_t value)
{
	if (value < 0)
		*out++ = '-';
	return put_magnitude(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

char *number_put_time(char *out, int64_t ns)
{
	uint64_t magnitude = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	unsigned below = (unsigned)(magnitude % 1000);

	if (ns < 0)
		*out++ = '-';
	out = put_magnitude(out, magnitude / 1000);
	*out++ = '.';
	*out++ = (char)('0' + below / 100);
	memcpy(out, digit_pairs + below % 100 * 2, 2);
	return out + 2;
}
