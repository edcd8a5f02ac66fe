#include "fmt_formats.h"

#include "diag.h"

#include <string.h>

static const struct format *const formats[] = {
	&format_table, &format_markdown, &format_jsonl,	 &format_csv,	 &format_text,
	&format_svg,   &format_html,	 &format_chrome, &format_folded,
};

#define COUNT (sizeof(formats) / sizeof(formats[0]))

const struct format *format_named(const char *name)
{
	struct buffer names = BUFFER_INIT;

	for (size_t i = 0; i < COUNT; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	for (size_t i = 0; i < COUNT; i++)
		buffer_printf(&names, "%s%s", i == 0 ? "" : i + 1 < COUNT ? ", " : " or ",
			      formats[i]->name);
	diag_misuse("--format wants %.*s: \"%s\"", (int)names.length, names.data, name);
}
