/*
 * extract_skip: over white space, text and brackets, 16 bytes at a time.
 *
 * All of these need INPUT_PAD quotes behind `end` (extract_input.h): they stop
 * at one at the latest, so no loop compares with `end`, and a result at or
 * beyond `end` means that the bytes ran out.
 *
 * With SSE2 by its instructions, else, or with TPA_PORTABLE, byte by byte; both
 * give the same results, and a test compares them.
 */
#ifndef TPA_EXTRACT_SKIP_H
#define TPA_EXTRACT_SKIP_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__SSE2__) && !defined(TPA_PORTABLE)
#include <emmintrin.h>
#define TPA_SSE2 1
#endif

static inline bool json_is_space(unsigned char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

#ifdef TPA_SSE2
/* A bit for each of the 16 bytes that is equal in both. */
static inline unsigned skip_equal(const unsigned char *one, const unsigned char *other)
{
	return (unsigned)_mm_movemask_epi8(
		_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)one),
			       _mm_loadu_si128((const __m128i *)(const void *)other)));
}
#endif

/* The next byte that is no JSON white space. */
static inline const unsigned char *skip_space(const unsigned char *at)
{
	at += *at == ' ';
	if (*at > ' ')
		return at;
#ifdef TPA_SSE2
	for (;; at += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i space = _mm_or_si128(
			_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')),
				     _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'))),
			_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')),
				     _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r'))));
		unsigned other = (unsigned)_mm_movemask_epi8(space) ^ 0xffff;

		if (other)
			return at + __builtin_ctz(other);
	}
#else
	while (json_is_space(*at))
		at++;
	return at;
#endif
}

/* The next quote or backslash. */
static inline const unsigned char *find_quote(const unsigned char *at)
{
#ifdef TPA_SSE2
	for (;; at += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i hit = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
					   _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
		unsigned found = (unsigned)_mm_movemask_epi8(hit);

		if (found)
			return at + __builtin_ctz(found);
	}
#else
	while (*at != '"' && *at != '\\')
		at++;
	return at;
#endif
}

/* The next byte that cannot be part of a number or a bare word. */
static inline const unsigned char *skip_bare(const unsigned char *at)
{
#ifdef TPA_SSE2
	for (;; at += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8('"')), bytes);
		__m128i hit = _mm_or_si128(
			_mm_or_si128(low, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(','))),
			/* with bit 0x20 set a bracket is the brace of its side */
			_mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('}')));
		unsigned found = (unsigned)_mm_movemask_epi8(hit);

		if (found)
			return at + __builtin_ctz(found);
	}
#else
	while (*at > '"' && *at != ',' && *at != ']' && *at != '}')
		at++;
	return at;
#endif
}

/*
 * From behind an opening quote to the closing one; NULL if that is not before
 * `end`.  *escaped is set if there is a backslash.
 */
static inline const unsigned char *skip_text(const unsigned char *at, const unsigned char *end,
					     bool *escaped)
{
	for (;;) {
		at = find_quote(at);
		if (at >= end)
			return NULL;
		if (*at == '"')
			return at;
		*escaped = true;
		at += 2;
		if (at > end)
			return NULL;
	}
}

/* How deep in brackets and in text a skip_brackets is; all zero before the first. */
struct bracket_depth {
	size_t all;	  /* brackets of both kinds that are open */
	ptrdiff_t square; /* the square ones opened, less those closed */
	bool in_text;
	bool escaped; /* the next byte is escaped */
};

/*
 * Over brackets and text until as many are closed as were opened: returns the
 * closing one, or NULL if it is not before `end`.  Called again with the same
 * depth and what follows, it goes on.
 */
static inline const unsigned char *skip_brackets(const unsigned char *at, const unsigned char *end,
						 struct bracket_depth *depth)
{
	if (depth->escaped && at < end) {
		depth->escaped = false;
		at++;
	}
	while (at < end) {
#ifdef TPA_SSE2
		/* blocks without a backslash: what is in text is told by counting quotes */
		unsigned text = depth->in_text ? 0xffff : 0;

		for (; end - at >= 16; at += 16) {
			__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
			__m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
			unsigned quotes = (unsigned)_mm_movemask_epi8(
				_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
			unsigned open = (unsigned)_mm_movemask_epi8(
				_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')));
			unsigned hits = open | (unsigned)_mm_movemask_epi8(
						       _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));

			if (_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))))
				break;
			quotes ^= quotes << 1;
			quotes ^= quotes << 2;
			quotes ^= quotes << 4;
			quotes ^= quotes << 8;
			text ^= quotes & 0xffff;
			for (hits &= ~text; hits; hits &= hits - 1) {
				const unsigned char *hit = at + __builtin_ctz(hits);
				ptrdiff_t step = open & hits & -hits ? 1 : -1;

				depth->square += *hit & 0x20 ? 0 : step;
				depth->all += (size_t)step;
				if (!depth->all)
					return hit;
			}
			text = text >> 15 ? 0xffff : 0;
		}
		depth->in_text = text;
#endif
		/* byte by byte to behind the next backslash */
		while (at < end) {
			unsigned char c = *at++;

			if (c == '"') {
				depth->in_text = !depth->in_text;
			} else if (c == '\\') {
				depth->escaped = depth->in_text && at == end;
				at += depth->in_text;
				break;
			} else if (!depth->in_text && ((c | 0x20) == '{' || (c | 0x20) == '}')) {
				ptrdiff_t step = (c | 0x20) == '{' ? 1 : -1;

				depth->square += c & 0x20 ? 0 : step;
				depth->all += (size_t)step;
				if (!depth->all)
					return at - 1;
			}
		}
	}
	return NULL;
}

#endif
