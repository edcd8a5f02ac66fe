#include "extract_check.h"

#include <zlib.h>

#if defined(__x86_64__) && !defined(TPA_PORTABLE)

#include <immintrin.h>

/*
 * A lane of 16 bytes is worth its halves times x to the power of the bits behind
 * it, plus and less 32: these are the two powers, bits reflected, modulo the
 * polynomial, for 16, 64 and 256 bytes.
 */
#define BY_16 0x0ccaa009e, 0x1751997d0
#define BY_64 0x1c6e41596, 0x154442bd4
#define BY_256 0x1322d1430, 0x11542778a

#define NARROW __attribute__((target("pclmul")))
#define WIDE __attribute__((target("avx512f,vpclmulqdq")))
#define STRIDE 64
#define WIDE_STRIDE 256

static NARROW inline __m128i load(const unsigned char *bytes)
{
	return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

/* What `lane` is worth as far behind it as `by` says, together with what is there. */
static NARROW inline __m128i fold(__m128i lane, __m128i by, __m128i there)
{
	__m128i low = _mm_clmulepi64_si128(lane, by, 0x00);
	__m128i high = _mm_clmulepi64_si128(lane, by, 0x11);

	return _mm_xor_si128(_mm_xor_si128(low, high), there);
}

/* At least STRIDE bytes, and a multiple of 16. */
static NARROW uint32_t check_narrow(uint32_t check, const unsigned char *bytes, size_t length)
{
	const __m128i by_64 = _mm_set_epi64x(BY_64), by_16 = _mm_set_epi64x(BY_16);
	const unsigned char *end = bytes + length;
	unsigned char rest[16];
	__m128i lane[STRIDE / 16], all;

	for (unsigned i = 0; i < STRIDE / 16; i++)
		lane[i] = load(bytes + 16 * i);
	lane[0] = _mm_xor_si128(lane[0], _mm_cvtsi32_si128((int)~check));
	for (bytes += STRIDE; end - bytes >= STRIDE; bytes += STRIDE)
		for (unsigned i = 0; i < STRIDE / 16; i++)
			lane[i] = fold(lane[i], by_64, load(bytes + 16 * i));
	all = lane[0];
	for (unsigned i = 1; i < STRIDE / 16; i++)
		all = fold(all, by_16, lane[i]);
	for (; bytes < end; bytes += 16)
		all = fold(all, by_16, load(bytes));
	_mm_storeu_si128((__m128i *)(void *)rest, all);
	return (uint32_t)crc32_z(UINT32_MAX, rest, sizeof(rest));
}

/* At least WIDE_STRIDE bytes, and a multiple of that: four lanes in each register. */
static WIDE uint32_t check_wide(uint32_t check, const unsigned char *bytes, size_t length)
{
	const __m512i by = _mm512_broadcast_i32x4(_mm_set_epi64x(BY_256));
	const unsigned char *end = bytes + length;
	unsigned char rest[WIDE_STRIDE];
	__m512i lanes[WIDE_STRIDE / 64];

	for (unsigned i = 0; i < WIDE_STRIDE / 64; i++)
		lanes[i] = _mm512_loadu_si512(bytes + 64 * i);
	lanes[0] = _mm512_xor_si512(lanes[0],
				    _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)~check)));
	for (bytes += WIDE_STRIDE; bytes < end; bytes += WIDE_STRIDE)
		for (unsigned i = 0; i < WIDE_STRIDE / 64; i++) {
			__m512i low = _mm512_clmulepi64_epi128(lanes[i], by, 0x00);
			__m512i high = _mm512_clmulepi64_epi128(lanes[i], by, 0x11);
			__m512i there = _mm512_loadu_si512(bytes + 64 * i);

			lanes[i] = _mm512_xor_si512(_mm512_xor_si512(low, high), there);
		}
	for (unsigned i = 0; i < WIDE_STRIDE / 64; i++)
		_mm512_storeu_si512(rest + 64 * i, lanes[i]);
	return check_narrow(UINT32_MAX, rest, sizeof(rest));
}

uint32_t gzip_check(uint32_t check, const unsigned char *bytes, size_t length)
{
	size_t wide = length - length % WIDE_STRIDE, narrow;

	if (wide && __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512f")) {
		check = check_wide(check, bytes, wide);
		bytes += wide;
		length -= wide;
	}
	narrow = length - length % 16;
	if (narrow >= STRIDE && __builtin_cpu_supports("pclmul")) {
		check = check_narrow(check, bytes, narrow);
		bytes += narrow;
		length -= narrow;
	}
	return (uint32_t)crc32_z(check, bytes, length);
}

#else

uint32_t gzip_check(uint32_t check, const unsigned char *bytes, size_t length)
{
	return (uint32_t)crc32_z(check, bytes, length);
}

#endif
