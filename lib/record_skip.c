#include "record_skip.h"

#include "columns.h"

#include <string.h>

#if defined(__SSE2__) && !defined(TPA_PORTABLE)
#include <emmintrin.h>
#endif

struct record_skip record_skip_init(unsigned wants)
{
	struct record_skip skip = {.letter = "t", .idle = wants & RECORD_BIT(RECORD_UNKNOWN)};
	size_t letters = 1; /* that of "#tpa" */

	for (int type = 0; type < RECORD_TYPE_COUNT; type++) {
		char letter = record_columns[type].type[1];

		if (!(wants & RECORD_BIT(type)) || memchr(skip.letter, letter, letters))
			continue;
		if (letters == RECORD_SKIP_LETTERS)
			skip.idle = true;
		else
			skip.letter[letters++] = letter;
	}
	while (letters < RECORD_SKIP_LETTERS)
		skip.letter[letters++] = skip.letter[0];
	return skip;
}

#if defined(__SSE2__) && !defined(TPA_PORTABLE)

#define BLOCK 64

/* For each byte of a block, -1 or 0. */
struct block_marks {
	__m128i feeds[BLOCK / 16]; /* LF */
	__m128i stops[BLOCK / 16]; /* LF, and the letter two bytes on is one to stop at */
};

static inline struct block_marks mark_block(const char *at, const __m128i *letter)
{
	struct block_marks marks;

	for (int i = 0; i < BLOCK / 16; i++) {
		__m128i here = _mm_loadu_si128((const __m128i *)(const void *)(at + 16 * i));
		__m128i second = _mm_loadu_si128((const __m128i *)(const void *)(at + 16 * i + 2));
		__m128i stop = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(second, letter[0]),
							 _mm_cmpeq_epi8(second, letter[1])),
					    _mm_or_si128(_mm_cmpeq_epi8(second, letter[2]),
							 _mm_cmpeq_epi8(second, letter[3])));

		marks.feeds[i] = _mm_cmpeq_epi8(here, _mm_set1_epi8('\n'));
		marks.stops[i] = _mm_and_si128(stop, marks.feeds[i]);
	}
	return marks;
}

static inline bool any_set(const __m128i *mark)
{
	return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(mark[0], mark[1]),
					      _mm_or_si128(mark[2], mark[3])));
}

/* How many are set, in two parts. */
static inline __m128i count_set(const __m128i *mark)
{
	__m128i sum = _mm_add_epi8(_mm_add_epi8(mark[0], mark[1]), _mm_add_epi8(mark[2], mark[3]));

	return _mm_sad_epu8(_mm_sub_epi8(_mm_setzero_si128(), sum), _mm_setzero_si128());
}

const char *record_skip(const struct record_skip *skip, const char *line, const char *stop,
			uint64_t *lines)
{
	const char *const before = line - 1; /* the LF */
	const char *at = before;
	__m128i letter[RECORD_SKIP_LETTERS], count = _mm_setzero_si128();
	uint64_t feeds[2];

	if (skip->idle)
		return line;
	for (int i = 0; i < RECORD_SKIP_LETTERS; i++)
		letter[i] = _mm_set1_epi8(skip->letter[i]);
	for (; stop - at >= BLOCK + 2; at += BLOCK) {
		struct block_marks marks = mark_block(at, letter);

		if (any_set(marks.stops))
			break;
		count = _mm_add_epi64(count, count_set(marks.feeds));
	}
	if (at == before)
		return line;
	_mm_storeu_si128((__m128i *)(void *)feeds, count);
	*lines += feeds[0] + feeds[1] - 1;
	line = memrchr(before, '\n', (size_t)(at - before));
	return line + 1;
}

#else

const char *record_skip(const struct record_skip *skip, const char *line, const char *stop,
			uint64_t *lines)
{
	(void)skip;
	(void)stop;
	(void)lines;
	return line;
}

#endif
