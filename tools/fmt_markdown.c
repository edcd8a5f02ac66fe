/* Markdown: a heading and a table a section, as GitHub and pandoc read them. */
#include "fmt_formats.h"
#include "fmt_sections.h"
#include "xalloc.h"

#include <stdlib.h>

struct markdown {
	struct sections sections;
	struct record_writer *out;
	const struct view *view;
	bool begun; /* a section came before */
	struct buffer line;
};

static void put_line(struct markdown *markdown)
{
	buffer_add_char(&markdown->line, '\n');
	record_put_lines(markdown->out, markdown->line.data, markdown->line.length);
	buffer_clear(&markdown->line);
}

/* What Markdown or HTML would take for its own is escaped. */
static void add_words(struct buffer *line, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (strchr("\\`*_[]<>|&~", text[i]))
			buffer_add_char(line, '\\');
		buffer_add_char(line, text[i]);
	}
}

static size_t longest_ticks(const char *text, size_t length)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < length; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

/* In a code span all is literal, but a table's pipe must be escaped even there. */
static void add_code(struct buffer *line, const char *text, size_t length)
{
	size_t ticks = longest_ticks(text, length) + 1;
	bool pad = length && (text[0] == '`' || text[length - 1] == '`');

	for (size_t i = 0; i < ticks; i++)
		buffer_add_char(line, '`');
	if (pad)
		buffer_add_char(line, ' ');
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '|')
			buffer_add_char(line, '\\');
		buffer_add_char(line, text[i]);
	}
	if (pad)
		buffer_add_char(line, ' ');
	for (size_t i = 0; i < ticks; i++)
		buffer_add_char(line, '`');
}

static void begin(void *state, const struct view *view, const struct buffer *heading)
{
	struct markdown *markdown = state;
	struct buffer *line = &markdown->line;

	markdown->view = view;
	if (markdown->begun)
		put_line(markdown);
	markdown->begun = true;
	buffer_printf(line, "### %s", view->title);
	if (heading->length) {
		buffer_add_string(line, ": ");
		add_words(line, heading->data, heading->length);
	}
	put_line(markdown);
	put_line(markdown);
	if (view->count == (size_t)view->heads)
		return;
	for (size_t i = (size_t)view->heads; i < view->count; i++) {
		buffer_add_string(line, "| ");
		add_words(line, view->column[i].title, strlen(view->column[i].title));
		buffer_add_char(line, ' ');
	}
	buffer_add_char(line, '|');
	put_line(markdown);
	for (size_t i = (size_t)view->heads; i < view->count; i++)
		buffer_add_string(line, view->column[i].right ? "| ---: " : "| --- ");
	buffer_add_char(line, '|');
	put_line(markdown);
}

static void add_row(void *state, const struct row *row)
{
	struct markdown *markdown = state;
	struct buffer *line = &markdown->line;

	for (size_t i = 0; i < row->cells; i++) {
		const char *text = row->text.data + row->cell[i].start;
		size_t length = row->cell[i].length;
		bool code = markdown->view->column[(size_t)markdown->view->heads + i].code;

		buffer_add_string(line, "| ");
		if (code && !(length == 1 && text[0] == '-'))
			add_code(line, text, length);
		else
			add_words(line, text, length);
		buffer_add_char(line, ' ');
	}
	if (!row->cells)
		return;
	buffer_add_char(line, '|');
	put_line(markdown);
}

static void end(void *state)
{
	(void)state;
}

static void *open_markdown(const struct request *request)
{
	static const struct section_sink sink = {begin, add_row, end};
	struct markdown *markdown = xcalloc(1, sizeof(*markdown));

	markdown->out = request->out;
	sections_init(&markdown->sections, &request->choice, &sink, markdown);
	return markdown;
}

static bool take(void *state, struct record *record)
{
	struct markdown *markdown = state;

	return sections_take(&markdown->sections, record);
}

static void close_markdown(void *state)
{
	struct markdown *markdown = state;

	sections_close(&markdown->sections);
	buffer_release(&markdown->line);
	free(markdown);
}

const struct format format_markdown = {"md", open_markdown, take, close_markdown};
