/*
 * Comma-separated values (RFC 4180) with a header, for spreadsheets and
 * databases.
 *
 * A file of rows has one kind of row: the type of the first record that is not
 * a meta record, or with -c all types that have the columns.  What is left out
 * is said on standard error.  What is not known is empty.
 */
#include "diag.h"
#include "fmt_formats.h"
#include "fmt_text.h"
#include "terminal.h"
#include "xalloc.h"

#include <stdlib.h>

struct csv {
	const struct request *request;
	bool begun;
	enum record_type type;
	unsigned long long left_out;
	struct buffer line, text;
};

static void *open_csv(const struct request *request)
{
	struct csv *csv = xcalloc(1, sizeof(*csv));

	csv->request = request;
	csv->type = RECORD_UNKNOWN;
	return csv;
}

static void add_cell(struct csv *csv, const char *text, size_t length)
{
	bool quoted = false;

	for (size_t i = 0; i < length; i++)
		quoted = quoted || text[i] == ',' || text[i] == '"' || text[i] == '\n' ||
			 text[i] == '\r';
	if (!quoted) {
		buffer_add(&csv->line, text, length);
		return;
	}
	buffer_add_char(&csv->line, '"');
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '"')
			buffer_add_char(&csv->line, '"');
		buffer_add_char(&csv->line, text[i]);
	}
	buffer_add_char(&csv->line, '"');
}

static void add_field(struct csv *csv, struct field field)
{
	struct buffer plain = BUFFER_INIT;

	fmt_text_plain(&plain, field.text, field.length);
	buffer_clear(&csv->text);
	terminal_safe(&csv->text, plain.data, plain.length);
	add_cell(csv, csv->text.data, csv->text.length);
	buffer_release(&plain);
}

static void put_line(struct csv *csv)
{
	buffer_add_char(&csv->line, '\n');
	record_put_lines(csv->request->out, csv->line.data, csv->line.length);
	buffer_clear(&csv->line);
}

/* The column that stands at a place of the rows. */
static int column_at(const struct csv *csv, enum record_type type, int place)
{
	const struct choice *choice = &csv->request->choice;

	return choice->made ? choice->column[type][place] : place;
}

static int column_count(const struct csv *csv, enum record_type type)
{
	const struct choice *choice = &csv->request->choice;

	return choice->made ? choice->count : record_columns[type].end;
}

static void put_header(struct csv *csv, enum record_type type)
{
	for (int i = 0; i < column_count(csv, type); i++) {
		int column = column_at(csv, type, i);
		const char *name = column ? record_columns[type].column[column].name : "type";

		if (i)
			buffer_add_char(&csv->line, ',');
		add_cell(csv, name, strlen(name));
	}
	put_line(csv);
}

static bool is_wanted(struct csv *csv, const struct record *record)
{
	const struct choice *choice = &csv->request->choice;

	if (record->type == RECORD_UNKNOWN || (record->type == RECORD_META && !choice->made))
		return false;
	if (choice->made)
		return choice->has[record->type];
	if (csv->type == RECORD_UNKNOWN)
		csv->type = record->type;
	return csv->type == record->type;
}

static bool take(void *state, struct record *record)
{
	struct csv *csv = state;

	if (!is_wanted(csv, record)) {
		csv->left_out += record->type != RECORD_META &&
				 !(record->length && record->line[0] == '#');
		return true;
	}
	if (!csv->begun)
		put_header(csv, record->type);
	csv->begun = true;
	for (int i = 0; i < column_count(csv, record->type); i++) {
		if (i)
			buffer_add_char(&csv->line, ',');
		add_field(csv, record->field[column_at(csv, record->type, i)]);
	}
	put_line(csv);
	return true;
}

static void close_csv(void *state)
{
	struct csv *csv = state;

	if (csv->left_out)
		diag_note("%llu records of other types are left out; grep the type that you want first",
			  csv->left_out);
	buffer_release(&csv->line);
	buffer_release(&csv->text);
	free(csv);
}

const struct format format_csv = {"csv", open_csv, take, close_csv};
