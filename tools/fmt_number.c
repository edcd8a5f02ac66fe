#include "fmt_number.h"

#include "number.h"
#include "text.h"

#include <stdlib.h>

#define RATIO_LENGTH_MAX 64

static size_t digits(const char *text, size_t length)
{
	size_t count = 0;

	while (count < length && ascii_is_digit(text[count]))
		count++;
	return count;
}

/* [-]DIGITS[.DIGITS], no 0 before another digit: a JSON number without exponent. */
static bool is_ratio(const char *text, size_t length)
{
	size_t at = length && text[0] == '-', whole = digits(text + at, length - at), below;

	if (!whole || (whole > 1 && text[at] == '0') || length > RATIO_LENGTH_MAX)
		return false;
	at += whole;
	if (at == length)
		return true;
	below = digits(text + at + 1, length - at - 1);
	return text[at] == '.' && below && at + 1 + below == length;
}

static bool put_int(struct buffer *out, struct record *record, int column)
{
	int64_t value;

	if (!record_int(record, column, &value))
		return false;
	buffer_room(out, NUMBER_LENGTH);
	out->length = (size_t)(number_put_int(out->data + out->length, value) - out->data);
	return true;
}

void fmt_time(struct buffer *out, int64_t ns)
{
	buffer_room(out, NUMBER_LENGTH);
	out->length = (size_t)(number_put_time(out->data + out->length, ns) - out->data);
}

static bool put_time(struct buffer *out, struct record *record, int column)
{
	int64_t ns;

	if (!record_time(record, column, &ns))
		return false;
	fmt_time(out, ns);
	return true;
}

static bool put_ratio(struct buffer *out, struct record *record, int column)
{
	struct field field = record->field[column];

	if (!is_ratio(field.text, field.length))
		return record_fault(record, column, "not a decimal number");
	buffer_add(out, field.text, field.length);
	return true;
}

bool fmt_number(struct buffer *out, struct record *record, int column)
{
	if (field_unknown(record->field[column]))
		return true;
	switch (record_columns[record->type].column[column].kind) {
	case COLUMN_INT:
		return put_int(out, record, column);
	case COLUMN_TIME:
		return put_time(out, record, column);
	default:
		return put_ratio(out, record, column);
	}
}

bool fmt_number_ratio(struct record *record, int column, double *value)
{
	struct field field = record->field[column];
	char text[RATIO_LENGTH_MAX + 1];

	if (field_unknown(field))
		return true;
	if (!is_ratio(field.text, field.length))
		return record_fault(record, column, "not a decimal number");
	memcpy(text, field.text, field.length);
	text[field.length] = '\0';
	*value = strtod(text, NULL);
	return true;
}
