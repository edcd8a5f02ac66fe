/*
 * fmt_formats: the formats that records can be shown in, a row each.
 *
 * To add one, write its functions in a file fmt_NAME.c, declare its row below
 * and name it in fmt_formats.c.
 */
#ifndef TPA_FMT_FORMATS_H
#define TPA_FMT_FORMATS_H

#include "fmt_timeline.h"
#include "fmt_view.h"
#include "record_io.h"

#include <stdbool.h>
#include <stddef.h>

/* What folded stacks are weighted by. */
enum weight { WEIGHT_TOTAL, WEIGHT_EXCLUSIVE, WEIGHT_HIDDEN, WEIGHT_KINDS };

/* What a format is told. */
struct request {
	struct record_writer *out;
	size_t width; /* of the terminal, in columns; 0: as wide as need be */
	struct choice choice;
	struct stretch stretch; /* of the drawings */
	enum weight weight;
};

struct format {
	const char *name;
	/* The state that the other two are given; the request outlives it. */
	void *(*open)(const struct request *request);
	/* Takes a record of any type, or a comment; false with the fault noted. */
	bool (*take)(void *state, struct record *record);
	/* Writes what is left and frees the state. */
	void (*close)(void *state);
};

extern const struct format format_table, format_markdown, format_jsonl, format_csv, format_text,
	format_svg, format_html, format_chrome, format_folded;

/* The format of that name; ends the tool as diag_misuse does if there is none. */
const struct format *format_named(const char *name);

#endif
