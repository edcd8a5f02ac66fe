#include "record.h"

#include "number.h"

#if defined(__SSE2__) && !defined(TPA_PORTABLE)
#include <emmintrin.h>
#endif

bool record_fault(struct record *record, int column, const char *fault)
{
	record->bad_column = column;
	record->fault = fault;
	return false;
}

/* A bit for each of RECORD_PAD bytes, the first the lowest. */
struct marks {
	uint64_t tabs;
	uint64_t feeds;
};

static inline struct marks marks_in(const char *bytes)
{
	struct marks marks = {0, 0};

#if defined(__SSE2__) && !defined(TPA_PORTABLE)
	for (int i = 0; i < RECORD_PAD; i += 16) {
		__m128i word = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
		__m128i tabs = _mm_cmpeq_epi8(word, _mm_set1_epi8('\t'));
		__m128i feeds = _mm_cmpeq_epi8(word, _mm_set1_epi8('\n'));

		marks.tabs |= (uint64_t)(unsigned)_mm_movemask_epi8(tabs) << i;
		marks.feeds |= (uint64_t)(unsigned)_mm_movemask_epi8(feeds) << i;
	}
#else
	for (int i = 0; i < RECORD_PAD; i++) {
		marks.tabs |= (uint64_t)(bytes[i] == '\t') << i;
		marks.feeds |= (uint64_t)(bytes[i] == '\n') << i;
	}
#endif
	return marks;
}

bool record_scan(struct record *record, const char *stop)
{
	const int end = record_columns[record->type].end;
	const char *start = record->line;
	bool ended = false;
	int fields = 0;

	for (const char *at = start; at < stop && !ended; at += RECORD_PAD) {
		struct marks marks = marks_in(at);

		if (stop - at < RECORD_PAD) {
			uint64_t there = ((uint64_t)1 << (stop - at)) - 1;

			marks.tabs &= there;
			marks.feeds &= there;
		}
		if (marks.feeds) {
			marks.tabs &= marks.feeds ^ (marks.feeds - 1);
			stop = at + __builtin_ctzll(marks.feeds);
			ended = true;
		}
		for (; marks.tabs && fields < end; marks.tabs &= marks.tabs - 1) {
			const char *tab = at + __builtin_ctzll(marks.tabs);

			record->field[fields++] = (struct field){start, (size_t)(tab - start)};
			start = tab + 1;
		}
	}
	record->field[fields++] = (struct field){start, (size_t)(stop - start)};
	record->fields = fields;
	record->length = (size_t)(stop - record->line);
	return ended;
}

bool record_split(struct record *record)
{
	record_scan(record, record->line + record->length);
	return record_complete(record);
}

bool record_complete(struct record *record)
{
	return record->fields >= record_columns[record->type].end ||
	       record_fault(record, 0, "too few columns");
}

bool record_int(struct record *record, int column, int64_t *value)
{
	struct field field = record->field[column];

	return number_int(field.text, field.length, value) ||
	       record_fault(record, column, "not a whole number");
}

bool record_time(struct record *record, int column, int64_t *ns)
{
	struct field field = record->field[column];

	switch (number_time(field.text, field.length, ns)) {
	case NUMBER_IS_TIME:
		return true;
	case NUMBER_IS_TOO_BIG:
		return record_fault(record, column, "a time out of range");
	case NUMBER_IS_NONE:
	default:
		return record_fault(record, column, "not a time");
	}
}

bool record_int_if_known(struct record *record, int column, int64_t *value)
{
	return field_unknown(record->field[column]) || record_int(record, column, value);
}

bool record_time_if_known(struct record *record, int column, int64_t *ns)
{
	return field_unknown(record->field[column]) || record_time(record, column, ns);
}
