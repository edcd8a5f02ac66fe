#include "record.h"

#include "number.h"

bool record_fault(struct record *record, int column, const char *fault)
{
	record->bad_column = column;
	record->fault = fault;
	return false;
}

bool record_split(struct record *record)
{
	int end = record_columns[record->type].end;
	const char *at = record->line, *stop = record->line + record->length;

	for (int i = 0; i <= end; i++) {
		const char *tab = i < end ? memchr(at, '\t', (size_t)(stop - at)) : NULL;

		record->field[i].text = at;
		record->field[i].length = (size_t)((tab ? tab : stop) - at);
		record->fields = i + 1;
		if (!tab)
			break;
		at = tab + 1;
	}
	if (record->fields < end)
		return record_fault(record, 0, "too few columns");
	return true;
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
