/*
 * Tables for a terminal, or plain ones.
 *
 * On a terminal no line is wider than it: long names are cut, and columns that
 * find no room go to a further line of their row.  Elsewhere nothing is cut and
 * a row is a line.  The widths are those of a block of rows, so that memory is
 * bounded; a longer section is several blocks, each with its titles.
 */
#include "fmt_formats.h"
#include "fmt_sections.h"
#include "fmt_text.h"
#include "xalloc.h"

#include <stdlib.h>

#define BLOCK_ROWS 1000
#define BLOCK_BYTES ((size_t)1 << 20)
#define NAME_MIN 20 /* less of a name than that says too little */
#define INDENT 4

struct table {
	struct sections sections;
	struct record_writer *out;
	size_t terminal; /* its width, or 0 */
	bool begun;	 /* a section came before */
	const struct view_column *column; /* after the heads */
	size_t columns;
	/* the block */
	struct buffer text;
	struct cell *cell; /* row by row */
	size_t cells, cell_capacity;
	size_t *width; /* by column */
	size_t width_capacity;
	size_t gap;
	bool apart; /* names have a line of their own */
	/* the line that is made */
	struct buffer line;
	size_t used; /* of its width */
};

static void put_line(struct table *table)
{
	struct buffer *line = &table->line;

	while (line->length && line->data[line->length - 1] == ' ')
		line->length--;
	buffer_add_char(line, '\n');
	record_put_lines(table->out, line->data, line->length);
	buffer_clear(line);
	table->used = 0;
}

static void pad(struct table *table, size_t count)
{
	table->used += count;
	while (count--)
		buffer_add_char(&table->line, ' ');
}

/* The text, cut so that it has at most that width. */
static void add_text(struct table *table, const char *text, size_t length, size_t width,
		     enum view_cut cut)
{
	size_t here = fmt_text_width(text, length), part, dots = width > 3 ? 3 : 0;

	table->used += here < width ? here : width;
	if (here <= width) {
		buffer_add(&table->line, text, length);
	} else if (cut == VIEW_CUT_START) {
		part = fmt_text_ending(text, length, width - dots);
		buffer_add(&table->line, "...", dots);
		buffer_add(&table->line, text + length - part, part);
	} else {
		part = fmt_text_beginning(text, length, width - dots);
		buffer_add(&table->line, text, part);
		buffer_add(&table->line, "...", dots);
	}
}

static bool begins_names(const struct table *table, size_t column)
{
	return table->column[column].cut != VIEW_WHOLE &&
	       (!column || table->column[column - 1].cut == VIEW_WHOLE);
}

/* What finds no room in the line begins the next one. */
static void add_cell(struct table *table, size_t column, const char *text, size_t length)
{
	size_t width = table->width[column], gap = table->line.length ? table->gap : 0;
	size_t here = fmt_text_width(text, length);
	size_t space = here < width ? width - here : 0;
	bool right = table->column[column].right;
	bool full = table->terminal && table->used + gap + width > table->terminal;

	if (table->used && (full || (table->apart && begins_names(table, column)))) {
		put_line(table);
		pad(table, INDENT);
		gap = 0;
	}
	pad(table, gap + (right ? space : 0));
	add_text(table, text, length, width, table->column[column].cut);
	pad(table, right ? 0 : space);
}

/* A sentence below its row, broken between words. */
static void put_note(struct table *table, const char *text, size_t length)
{
	while (length) {
		size_t part = length, next;

		if (table->terminal)
			part = fmt_text_beginning(text, length, table->terminal - INDENT);
		next = part;
		if (part < length)
			while (next && text[next - 1] != ' ' && text[next] != ' ')
				next--;
		if (next)
			part = next;
		pad(table, INDENT);
		buffer_add(&table->line, text, part);
		put_line(table);
		while (part < length && text[part] == ' ')
			part++;
		text += part;
		length -= part;
	}
}

static void measure(struct table *table)
{
	for (size_t i = 0; i < table->columns; i++)
		table->width[i] = fmt_text_width(table->column[i].title,
						 strlen(table->column[i].title));
	for (size_t i = 0; i < table->cells; i++) {
		size_t *width = &table->width[i % table->columns];
		size_t here = fmt_text_width(table->text.data + table->cell[i].start,
					     table->cell[i].length);

		if (here > *width)
			*width = here;
	}
}

/* The columns that can be cut: how many, and how wide if none is wider than `most`. */
static size_t count_names(const struct table *table, size_t most, size_t *together)
{
	size_t count = 0;

	*together = 0;
	for (size_t i = 0; i < table->columns; i++) {
		if (table->column[i].note || table->column[i].cut == VIEW_WHOLE)
			continue;
		*together += table->width[i] < most ? table->width[i] : most;
		count++;
	}
	return count;
}

/* Cuts the names so that together they are at most `room` wide: the longest first. */
static void cut_names(struct table *table, size_t room)
{
	size_t low = 1, high = room + 1, together;

	while (low + 1 < high) {
		size_t middle = low + (high - low) / 2;

		count_names(table, middle, &together);
		if (together <= room)
			low = middle;
		else
			high = middle;
	}
	for (size_t i = 0; i < table->columns; i++)
		if (table->column[i].cut != VIEW_WHOLE && table->width[i] > low)
			table->width[i] = low;
}

/* The width of a row with `gap` between its columns. */
static size_t row_width(const struct table *table, size_t gap)
{
	size_t width = 0;

	for (size_t i = 0; i < table->columns; i++)
		if (!table->column[i].note)
			width += table->width[i] + gap;
	return width ? width - gap : 0;
}

static void fit(struct table *table)
{
	size_t names, together, least, others;

	measure(table);
	table->gap = 2;
	table->apart = false;
	if (!table->terminal || row_width(table, 2) <= table->terminal)
		return;
	names = count_names(table, SIZE_MAX, &together);
	count_names(table, NAME_MIN, &least);
	others = row_width(table, 2) - together;
	if (others + least <= table->terminal) {
		cut_names(table, table->terminal - others);
		return;
	}
	table->apart = true;
	table->gap = 1;
	others = INDENT + (names ? names - 1 : 0);
	cut_names(table, table->terminal > others ? table->terminal - others : 1);
	for (size_t i = 0; i < table->columns; i++)
		if (table->width[i] > table->terminal - INDENT)
			table->width[i] = table->terminal - INDENT;
}

static void put_titles(struct table *table)
{
	for (size_t i = 0; i < table->columns; i++)
		if (!table->column[i].note)
			add_cell(table, i, table->column[i].title, strlen(table->column[i].title));
	put_line(table);
}

static void put_row(struct table *table, const struct cell *cell)
{
	for (size_t i = 0; i < table->columns; i++)
		if (!table->column[i].note)
			add_cell(table, i, table->text.data + cell[i].start, cell[i].length);
	put_line(table);
	for (size_t i = 0; i < table->columns; i++)
		if (table->column[i].note)
			put_note(table, table->text.data + cell[i].start, cell[i].length);
}

static void put_block(struct table *table)
{
	fit(table);
	put_titles(table);
	for (size_t i = 0; i < table->cells; i += table->columns)
		put_row(table, table->cell + i);
	buffer_clear(&table->text);
	table->cells = 0;
}

static void begin(void *state, const struct view *view, const struct buffer *heading)
{
	struct table *table = state;
	struct buffer title = BUFFER_INIT;

	if (table->begun)
		put_line(table);
	table->begun = true;
	table->column = view->column + view->heads;
	table->columns = view->count - (size_t)view->heads;
	table->width = xgrow(table->width, &table->width_capacity, table->columns + 1,
			     sizeof(*table->width));
	buffer_add_string(&title, view->title);
	if (heading->length)
		buffer_add_string(&title, ": ");
	buffer_add(&title, heading->data, heading->length);
	add_text(table, title.data, title.length, table->terminal ? table->terminal : SIZE_MAX,
		 VIEW_CUT_END);
	put_line(table);
	buffer_release(&title);
}

static void add_row(void *state, const struct row *row)
{
	struct table *table = state;

	if (table->cells >= BLOCK_ROWS * table->columns || table->text.length >= BLOCK_BYTES) {
		put_block(table);
		put_line(table);
	}
	table->cell = xgrow(table->cell, &table->cell_capacity, table->cells + row->cells + 1,
			    sizeof(*table->cell));
	for (size_t i = 0; i < row->cells; i++)
		table->cell[table->cells++] = (struct cell){
			table->text.length + row->cell[i].start, row->cell[i].length};
	buffer_add(&table->text, row->text.data, row->text.length);
}

static void end(void *state)
{
	struct table *table = state;

	if (table->cells)
		put_block(table);
}

static void *open_table(const struct request *request)
{
	static const struct section_sink sink = {begin, add_row, end};
	struct table *table = xcalloc(1, sizeof(*table));

	table->out = request->out;
	table->terminal = request->width;
	sections_init(&table->sections, &request->choice, &sink, table);
	return table;
}

static bool take(void *state, struct record *record)
{
	struct table *table = state;

	return sections_take(&table->sections, record);
}

static void close_table(void *state)
{
	struct table *table = state;

	sections_close(&table->sections);
	free(table->cell);
	free(table->width);
	buffer_release(&table->text);
	buffer_release(&table->line);
	free(table);
}

const struct format format_table = {"table", open_table, take, close_table};
