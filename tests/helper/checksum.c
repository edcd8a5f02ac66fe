/* The check sum of gzip members, against zlib's. */
#include "check.h"

#include "extract_check.h"

#include <zlib.h>

#define LENGTH 4096

static unsigned char bytes[LENGTH];

/* Bytes without a pattern, the same each time. */
static void fill(void)
{
	uint32_t state = 1;

	for (size_t i = 0; i < LENGTH; i++) {
		state = state * 1664525 + 1013904223;
		bytes[i] = (unsigned char)(state >> 24);
	}
}

static void known(void)
{
	CHECK_INT(gzip_check(0, (const unsigned char *)"123456789", 9), 0xcbf43926);
	CHECK_INT(gzip_check(0, bytes, 0), 0);
}

static void lengths(void)
{
	fill();
	for (size_t length = 0; length < LENGTH - 64; length++) {
		const unsigned char *from = bytes + length % 64;

		CHECK_INT(gzip_check(0, from, length), (int64_t)crc32_z(0, from, length));
	}
}

static void parts(void)
{
	int64_t whole;

	fill();
	whole = (int64_t)crc32_z(0, bytes, LENGTH);
	for (size_t cut = 0; cut <= LENGTH; cut += 13)
		CHECK_INT(gzip_check(gzip_check(0, bytes, cut), bytes + cut, LENGTH - cut), whole);
}

CHECK_MAIN({"known", known}, {"lengths", lengths}, {"parts", parts})
