#include "columns.h"

#include <string.h>

#define C(type, column, word, kind) {word, COLUMN_##kind},
#define T(type, word) static const struct column type##_columns[] = {{word, COLUMN_TEXT}, type##_COLUMNS(C)};
RECORD_TYPES(T)
#undef T
#undef C

const struct record_columns record_columns[RECORD_TYPE_COUNT] = {
#define T(type, word) \
	[RECORD_##type] = {word, sizeof(word) - 1, type##_COLUMN_END, type##_columns},
	RECORD_TYPES(T)
#undef T
};

#define T(type, word) \
	_Static_assert(type##_COLUMN_END <= RECORD_FIELDS_MAX, "RECORD_FIELDS_MAX is too small");
RECORD_TYPES(T)
#undef T

enum record_type record_type_named(const char *name, size_t length)
{
	for (int type = 0; type < RECORD_TYPE_COUNT; type++)
		if (record_columns[type].type_length == length &&
		    !memcmp(record_columns[type].type, name, length))
			return (enum record_type)type;
	return RECORD_UNKNOWN;
}

int record_column_named(enum record_type type, const char *name, size_t length)
{
	const struct record_columns *columns = &record_columns[type];

	for (int i = 1; i < columns->end; i++)
		if (strlen(columns->column[i].name) == length &&
		    !memcmp(columns->column[i].name, name, length))
			return i;
	return 0;
}
