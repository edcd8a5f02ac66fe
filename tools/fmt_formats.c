#include "fmt_formats.h"

#include <string.h>

static const struct format *const formats[] = {&format_table, &format_markdown, &format_jsonl};

const struct format *format_named(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}
