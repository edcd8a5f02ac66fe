/*
 * check: the frame of the library's unit tests.
 *
 *	static void fold(void)
 *	{
 *		CHECK_BYTES(folded.data, folded.length, "a b");
 *		CHECK_INT(count, 2);
 *		CHECK(is_so);
 *	}
 *	CHECK_MAIN({"fold", fold}, ...)
 *
 * The program runs the tests named as operands, prints what did not hold, and
 * exits with 1 then; with no operand it lists its tests.
 */
#ifndef TPA_CHECK_H
#define TPA_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct check {
	const char *name;
	void (*run)(void);
};

static int check_failures;

static inline void check_true(const char *file, int line, bool holds, const char *what)
{
	if (holds)
		return;
	printf("%s:%d: does not hold: %s\n", file, line, what);
	check_failures++;
}

static inline void check_int(const char *file, int line, int64_t got, int64_t want,
			     const char *what)
{
	if (got == want)
		return;
	printf("%s:%d: %s is %lld, not %lld\n", file, line, what, (long long)got,
	       (long long)want);
	check_failures++;
}

static inline void check_bytes(const char *file, int line, const char *got, size_t length,
			       const char *want, size_t want_length)
{
	if (length == want_length && (!length || !memcmp(got, want, length)))
		return;
	printf("%s:%d: got \"%.*s\", not \"%.*s\"\n", file, line, (int)length, got,
	       (int)want_length, want);
	check_failures++;
}

#define CHECK(condition) check_true(__FILE__, __LINE__, condition, #condition)
#define CHECK_INT(got, want) check_int(__FILE__, __LINE__, got, want, #got)
/* `want` is a literal, which may hold NUL. */
#define CHECK_BYTES(got, length, want) \
	check_bytes(__FILE__, __LINE__, got, length, want, sizeof(want) - 1)

static inline int check_main(const struct check *checks, size_t count, int argc, char **argv)
{
	for (size_t i = 0; argc < 2 && i < count; i++)
		puts(checks[i].name);
	for (int i = 1; i < argc; i++) {
		size_t at = 0;

		while (at < count && strcmp(checks[at].name, argv[i]) != 0)
			at++;
		if (at == count) {
			printf("no test \"%s\"\n", argv[i]);
			return 1;
		}
		checks[at].run();
	}
	return check_failures > 0;
}

#define CHECK_MAIN(...) \
	int main(int argc, char **argv) \
	{ \
		static const struct check checks[] = {__VA_ARGS__}; \
\
		return check_main(checks, sizeof(checks) / sizeof(checks[0]), argc, argv); \
	}

#endif
