#include "number.h"

#include "check.h"


struct row {
	const char *text;
	int64_t value;
};

#define ROWS(...) \
	static const struct row rows[] = {__VA_ARGS__}; \
	const struct row *row = rows; \
	for (; row < rows + sizeof(rows) / sizeof(rows[0]); row++)

static void wrong(const struct row *row, int64_t got)
{
	printf("\"%s\" gives %lld, not %lld\n", row->text, (long long)got, (long long)row->value);
	check_failures++;
}

static void is_time(const struct row *row)
{
	int64_t ns = 123;

	if (number_time(row->text, strlen(row->text), &ns) != NUMBER_IS_TIME || ns != row->value)
		wrong(row, ns);
}

static void times(void)
{
	ROWS({"0", 0}, {"12", 12000}, {"12.5", 12500}, {"-3.5", -3500}, {"+1.5", 1500},
	     {".5", 500}, {"5.", 5000}, {"-0", 0}, {"-0.000", 0},
	     {"1712345678123456.789", 1712345678123456789}, {"1712345678123456", 1712345678123456000},
	     {"0000000000000000000000012.5", 12500})
		is_time(row);
}

static void exponents(void)
{
	ROWS({"1e3", 1000000}, {"1E+3", 1000000}, {"1.5e-3", 2}, {"1712345678.123456789e6", 1712345678123456789},
	     {"1e-3", 1}, {"12345e-5", 123}, {"1e-400", 0}, {"0e99999999999999999999", 0},
	     {"1e-99999999999999999999", 0}, {"0.000000000000001e15", 1000},
	     {"1000000000000000000000000e-21", 1000000})
		is_time(row);
}

static void half_even(void)
{
	ROWS({"0.0005", 0}, {"0.0015", 2}, {"0.0025", 2}, {"-0.0005", 0}, {"-0.0015", -2},
	     {"5e-4", 0}, {"15e-4", 2}, {"0.0004999999999999999999999999999999", 0},
	     {"0.000500000000000000000000000000", 0}, {"0.000500000000000000000000000001", 1},
	     {"0.002500000000000000000000000000", 2}, {"0.002500000000000000000000000001", 3},
	     {"0.0024999999999999999999999999999", 2}, {"0.0016", 2}, {"0.0014", 1},
	     {"0.00051", 1}, {"0.9995", 1000}, {"123456789012345.678500000000000", 123456789012345678},
	     {"123456789012345.679500000000000", 123456789012345680})
		is_time(row);
}

static void limits(void)
{
	int64_t ns;

	{
		ROWS({"4611686018427387.902", TIME_MAX - 1}, {"-4611686018427387.902", 1 - TIME_MAX},
		     {"4611686018427387.9024999", TIME_MAX - 1}, {"4611686018427387.9026", TIME_MAX})
			is_time(row);
	}
	ROWS({"4611686018427387.904", 0}, {"-4611686018427387.904", 0}, {"4611686018427387.9035", 0},
	     {"9223372036854775.807", 0}, {"1e400", 0}, {"-1e400", 0},
	     {"1e99999999999999999999", 0}, {"9999999999999999", 0}, {"18446744073709551616", 0},
	     {"18446744073709551.615", 0}, {"18446744073709551.616", 0},
	     {"99999999999999999999999999999999999999", 0})
		if (number_time(row->text, strlen(row->text), &ns) != NUMBER_IS_TOO_BIG)
			wrong(row, ns);
}

static void sums(void)
{
	CHECK_INT(time_add(2, -3), -1);
	CHECK_INT(time_add(TIME_MAX, TIME_MAX), 2 * TIME_MAX);
	CHECK_INT(time_add(INT64_MAX, 1), INT64_MAX);
	CHECK_INT(time_add(INT64_MIN, -1), INT64_MIN);
}

static void no_times(void)
{
	int64_t ns = 0;

	ROWS({"", 0}, {"-", 0}, {"+", 0}, {".", 0}, {"-.", 0}, {"e5", 0}, {".e5", 0}, {"1e", 0},
	     {"1e+", 0}, {"1e-", 0}, {"1e1.5", 0}, {"0x10", 0}, {"1 ", 0}, {" 1", 0}, {"nan", 0},
	     {"inf", 0}, {"1.2.3", 0}, {"1,5", 0}, {"--1", 0}, {"12x", 0}, {"1234567890123456x", 0},
	     {"1.00x", 0}, {"\xd9\xa1", 0})
		if (number_time(row->text, strlen(row->text), &ns) != NUMBER_IS_NONE)
			wrong(row, ns);
}

static void ints(void)
{
	int64_t value = 0;

	{
		ROWS({"0", 0}, {"-0", 0}, {"+7", 7}, {"007", 7}, {"-12", -12},
		     {"9223372036854775807", INT64_MAX}, {"-9223372036854775808", INT64_MIN})
			if (!number_int(row->text, strlen(row->text), &value) || value != row->value)
				wrong(row, value);
	}
	value = 5;
	ROWS({"", 5}, {"-", 5}, {"+", 5}, {"1.0", 5}, {"1e3", 5}, {" 1", 5}, {"1 ", 5}, {"+-1", 5},
	     {"9223372036854775808", 5}, {"-9223372036854775809", 5}, {"99999999999999999999999", 5})
		if (number_int(row->text, strlen(row->text), &value) || value != 5)
			wrong(row, value);
}

static void counts(void)
{
	uint64_t value;

	CHECK(number_count("18446744073709551615", 20, &value) && value == UINT64_MAX);
	CHECK(!number_count("18446744073709551616", 20, &value));
	CHECK(!number_count("+1", 2, &value) && !number_count("-1", 2, &value) &&
	      !number_count("", 0, &value));
	CHECK(number_count("12x", 2, &value) && value == 12);
}

static void integrals(void)
{
	int64_t value = 0;

	{
		ROWS({"12", 12}, {"1.2e1", 12}, {"12.0", 12}, {"-7", -7}, {"10e-1", 1}, {"0.0", 0},
		     {"9223372036854775807", INT64_MAX}, {"-9223372036854775808.0", INT64_MIN},
		     {"922337203685477580.7e1", INT64_MAX})
			if (!number_integral(row->text, strlen(row->text), &value) ||
			    value != row->value)
				wrong(row, value);
	}
	ROWS({"12.5", 0}, {"1e-1", 0}, {"1.000000000000000000000000000001", 0}, {"", 0}, {"x", 0},
	     {"9223372036854775808", 0}, {"1e30", 0}, {"nan", 0})
		if (number_integral(row->text, strlen(row->text), &value))
			wrong(row, value);
}

static void put_int(void)
{
	char out[NUMBER_LENGTH];

	ROWS({"0", 0}, {"9", 9}, {"10", 10}, {"99", 99}, {"100", 100}, {"-1", -1},
	     {"1234567", 1234567}, {"9223372036854775807", INT64_MAX},
	     {"-9223372036854775808", INT64_MIN})
		check_bytes(__FILE__, __LINE__, out, (size_t)(number_put_int(out, row->value) - out),
			    row->text, strlen(row->text));
}

static void put_time(void)
{
	char out[NUMBER_LENGTH];

	ROWS({"0.000", 0}, {"0.001", 1}, {"-0.001", -1}, {"12.500", 12500}, {"0.999", 999},
	     {"1.010", 1010}, {"1712345678123456.789", 1712345678123456789},
	     {"9223372036854775.807", INT64_MAX}, {"-9223372036854775.808", INT64_MIN})
		check_bytes(__FILE__, __LINE__, out, (size_t)(number_put_time(out, row->value) - out),
			    row->text, strlen(row->text));
}

CHECK_MAIN({"times", times}, {"exponents", exponents}, {"half_even", half_even}, {"limits", limits}, {"sums", sums},
	   {"no_times", no_times}, {"ints", ints}, {"counts", counts}, {"integrals", integrals},
	   {"put_int", put_int}, {"put_time", put_time})
