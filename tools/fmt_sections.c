#include "fmt_sections.h"

#include "fmt_text.h"
#include "terminal.h"
#include "xalloc.h"

#include <stdlib.h>

/* However odd the input, a row and what is kept of comments stay small. */
#define FOREIGN_MAX 64
#define NAMED_MAX 256

static struct view choose(const struct choice *choice, enum record_type type)
{
	size_t count = (size_t)choice->count;
	struct view_column *column = xcalloc(count, sizeof(*column));

	for (size_t i = 0; i < count; i++)
		column[i] = view_column_plain(type, choice->column[type][i]);
	return (struct view){view_of(type)->title, 0, column, count};
}

void sections_init(struct sections *sections, const struct choice *choice,
		   const struct section_sink *sink, void *state)
{
	*sections = (struct sections){.choice = choice, .sink = sink, .state = state};
	for (int type = 0; type < RECORD_TYPE_COUNT; type++)
		if (choice->made && choice->has[type])
			sections->chosen[type] = choose(choice, (enum record_type)type);
}

static void end_section(struct sections *sections)
{
	if (sections->open)
		sections->sink->end(sections->state);
	sections->open = false;
}

/* Adds what is in scratch to the row. */
static void add_cell(struct sections *sections)
{
	struct row *row = &sections->row;
	size_t start = row->text.length;

	terminal_safe(&row->text, sections->scratch.data, sections->scratch.length);
	row->cell = xgrow(row->cell, &row->capacity, row->cells + 1, sizeof(*row->cell));
	row->cell[row->cells++] = (struct cell){start, row->text.length - start};
}

static void clear_row(struct row *row)
{
	buffer_clear(&row->text);
	row->cells = 0;
}

/* "rank 0, pid 42, stage decode"; what is not known is left out. */
static void write_heading(struct sections *sections, const struct record *record)
{
	struct buffer *heading = &sections->heading;

	buffer_clear(heading);
	for (int i = 0; i < sections->view.heads; i++) {
		const struct view_column *column = &sections->view.column[i];
		struct field field = record->field[column->column];

		if (field_unknown(field))
			continue;
		buffer_printf(heading, "%s%s ", heading->length ? ", " : "", column->title);
		buffer_clear(&sections->scratch);
		fmt_text_plain(&sections->scratch, field.text, field.length);
		terminal_safe(heading, sections->scratch.data, sections->scratch.length);
	}
}

/* The fields that head a section, which are the first ones, as one text. */
static struct field head_of(const struct record *record, int heads)
{
	const char *start = record->field[1].text;

	if (!heads)
		return (struct field){"", 0};
	return (struct field){start, (size_t)(record->field[heads].text +
					      record->field[heads].length - start)};
}

static void enter_known(struct sections *sections, const struct record *record,
			const struct view *view)
{
	struct field head = head_of(record, view->heads);

	if (sections->open && sections->type == record->type &&
	    head.length == sections->head.length &&
	    (!head.length || !memcmp(head.text, sections->head.data, head.length)))
		return;
	end_section(sections);
	sections->view = *view;
	sections->type = record->type;
	buffer_clear(&sections->head);
	buffer_add(&sections->head, head.text, head.length);
	write_heading(sections, record);
	sections->open = true;
	sections->sink->begin(sections->state, &sections->view, &sections->heading);
}

static bool take_known(struct sections *sections, struct record *record)
{
	const struct view *view = sections->choice->made ? &sections->chosen[record->type]
							 : view_of(record->type);

	clear_row(&sections->row);
	for (size_t i = (size_t)view->heads; i < view->count; i++) {
		buffer_clear(&sections->scratch);
		if (!view->column[i].show(&sections->scratch, record, view->column[i].column))
			return false;
		add_cell(sections);
	}
	enter_known(sections, record, view);
	sections->sink->row(sections->state, &sections->row);
	return true;
}

/* "#TYPE<TAB>COLUMN<TAB>..." of a type that is not ours. */
static void take_comment(struct sections *sections, const struct record *record)
{
	const char *name = record->line + 1, *end = record->line + record->length;
	const char *tab = memchr(name, '\t', record->length - 1);
	uint32_t known = sections->named.count, id;

	if (!tab || known == NAMED_MAX ||
	    record_type_named(name, (size_t)(tab - name)) != RECORD_UNKNOWN)
		return;
	id = intern(&sections->named, name, (size_t)(tab - name));
	if (id < known)
		return;
	sections->names = xgrow(sections->names, &sections->names_capacity, known + 1,
				sizeof(*sections->names));
	sections->names[id] = (struct buffer)BUFFER_INIT;
	while (tab) {
		const char *column = tab + 1;

		tab = memchr(column, '\t', (size_t)(end - column));
		buffer_clear(&sections->scratch);
		fmt_text_plain(&sections->scratch, column, (size_t)((tab ? tab : end) - column));
		terminal_safe(&sections->names[id], sections->scratch.data,
			      sections->scratch.length);
		buffer_add_char(&sections->names[id], '\0');
	}
}

/* Columns that no comment names are called by the number that cut(1) wants. */
static void name_columns(struct sections *sections, const char *type, size_t length, size_t count)
{
	uint32_t id = intern_find(&sections->named, type, length);
	struct buffer *titles = &sections->titles;
	size_t at = 0, given = 0;

	buffer_clear(titles);
	if (id != INTERN_NONE)
		buffer_add(titles, sections->names[id].data, sections->names[id].length);
	for (size_t i = 0; i < titles->length; i++)
		given += !titles->data[i];
	for (; given < count; given++) {
		buffer_printf(titles, "%zu", given + 2);
		buffer_add_char(titles, '\0');
	}
	sections->column = xgrow(sections->column, &sections->column_capacity, count + 1,
				 sizeof(*sections->column));
	for (size_t i = 0; i < count; i++) {
		sections->column[i] = (struct view_column){.title = titles->data + at,
							   .cut = VIEW_CUT_END};
		at += strlen(titles->data + at) + 1;
	}
}

static void enter_foreign(struct sections *sections, const char *type, size_t length)
{
	size_t count = sections->row.cells;

	if (sections->open && sections->type == RECORD_UNKNOWN &&
	    sections->view.count == count && sections->head.length == length &&
	    (!length || !memcmp(sections->head.data, type, length)))
		return;
	end_section(sections);
	name_columns(sections, type, length, count);
	sections->type = RECORD_UNKNOWN;
	sections->view = (struct view){"other records", 0, sections->column, count};
	buffer_clear(&sections->head);
	buffer_add(&sections->head, type, length);
	buffer_clear(&sections->scratch);
	fmt_text_plain(&sections->scratch, type, length);
	buffer_clear(&sections->heading);
	terminal_safe(&sections->heading, sections->scratch.data, sections->scratch.length);
	sections->open = true;
	sections->sink->begin(sections->state, &sections->view, &sections->heading);
}

static void take_foreign(struct sections *sections, const struct record *record)
{
	const char *end = record->line + record->length;
	const char *tab = memchr(record->line, '\t', record->length);
	size_t type_length = (size_t)((tab ? tab : end) - record->line);

	clear_row(&sections->row);
	while (tab) {
		const char *field = tab + 1;

		tab = sections->row.cells + 1 < FOREIGN_MAX
			      ? memchr(field, '\t', (size_t)(end - field))
			      : NULL;
		buffer_clear(&sections->scratch);
		fmt_text_plain(&sections->scratch, field, (size_t)((tab ? tab : end) - field));
		if (!sections->scratch.length)
			buffer_add_char(&sections->scratch, '-');
		add_cell(sections);
	}
	enter_foreign(sections, record->line, type_length);
	sections->sink->row(sections->state, &sections->row);
}

bool sections_take(struct sections *sections, struct record *record)
{
	if (record->type != RECORD_UNKNOWN)
		return (sections->choice->made && !sections->choice->has[record->type]) ||
		       take_known(sections, record);
	if (!record->length)
		return true;
	if (record->line[0] == '#')
		take_comment(sections, record);
	else if (!sections->choice->made)
		take_foreign(sections, record);
	return true;
}

void sections_close(struct sections *sections)
{
	end_section(sections);
	for (int type = 0; type < RECORD_TYPE_COUNT; type++)
		free((void *)sections->chosen[type].column);
	for (uint32_t id = 0; id < sections->named.count; id++)
		buffer_release(&sections->names[id]);
	intern_release(&sections->named);
	free(sections->names);
	buffer_release(&sections->titles);
	free(sections->column);
	free(sections->row.cell);
	buffer_release(&sections->row.text);
	buffer_release(&sections->head);
	buffer_release(&sections->heading);
	buffer_release(&sections->scratch);
}
