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

/* A bit for each of RECORD_PAD bytes that is a TAB, the first the lowest. */
static inline uint64_t tabs_in(const char *bytes)
{
	uint64_t tabs = 0;

#if defined(__SSE2__) && !defined(TPA_PORTABLE)
	for (int i = 0; i < RECORD_PAD; i += 16) {
		__m128i word = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
		__m128i equal = _mm_cmpeq_epi8(word, _mm_set1_epi8('\t'));

		tabs |= (uint64_t)(unsigned)_mm_movemask_epi8(equal) << i;
	}
#else
	for (int i = 0; i < RECORD_PAD; i++)
		tabs |= (uint64_t)(bytes[i] == '\t') << i;
#endif
	return tabs;
}

bool record_scan(struct record *record, const char *stop)
{
	struct field *field = record->field, *last = field + record_columns[record->type].end;
	const char *start = record->line;
	const char *feed = memchr(start, '\n', (size_t)(stop - start));

	if (feed)
		stop = feed;
	for (const char *at = start; at < stop; at += RECORD_PAD) {
		uint64_t tabs = tabs_in(at);

		if (stop - at < RECORD_PAD)
			tabs &= ((uint64_t)1 << (stop - at)) - 1;
		for (; tabs; tabs &= tabs - 1) {
			const char *tab = at + (unsigned)__builtin_ctzll(tabs);

			field->text = start;
			field->length = (size_t)(tab - start);
			start = tab + 1;
			if (++field == last)
				goto split;
		}
	}
split:
	*field = (struct field){start, (size_t)(stop - start)};
	record->fields = (int)(field - record->field) + 1;
	record->length = (size_t)(stop - record->line);
	return feed;
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
