#include "diag.h"
#include "fmt_formats.h"
#include "number.h"
#include "options.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_MIN 20

enum { OPTION_FROM = OPTION_LONG, OPTION_TO, OPTION_AROUND, OPTION_WEIGHT };

static const struct option_row rows[] = {
	{'f', "format", "FORMAT", "table, md, jsonl, csv, text, svg, html, chrome or folded"},
	{'c', "columns", "COLUMN,...", "these columns, as they are, of the types that have them"},
	{OPTION_FROM, "from", "US", "text, svg, html: draw from this time of the trace on"},
	{OPTION_TO, "to", "US", "and up to this one"},
	{OPTION_AROUND, "around", "IDX", "or around the kernel with this idx"},
	{OPTION_WEIGHT, "weight", "WHAT", "folded: by total (the default), exclusive or hidden time"},
	OPTION_ROWS_COMMON,
	{0},
};

static const struct tool tool = {"tpa-fmt", "show records as tables, drawings and other programs' formats",
				 "[FILE...]", rows};

/* The terminal's width: COLUMNS, or as it says itself; 0 if it is none. */
static size_t terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = {0};
	uint64_t width = 80;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (!columns || !number_count(columns, strlen(columns), &width) || width > 10000)
		if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
			width = size.ws_col;
	return width < WIDTH_MIN ? WIDTH_MIN : (size_t)width;
}

static int64_t parse_time(const char *option, const char *text)
{
	int64_t ns;

	if (number_time(text, strlen(text), &ns) != NUMBER_IS_TIME)
		diag_misuse("--%s wants a time in microseconds: \"%s\"", option, text);
	return ns;
}

static enum weight parse_weight(const char *word)
{
	static const char *const words[WEIGHT_KINDS] = {"total", "exclusive", "hidden"};

	for (int i = 0; i < WEIGHT_KINDS; i++)
		if (!strcmp(word, words[i]))
			return (enum weight)i;
	diag_misuse("--weight wants total, exclusive or hidden: \"%s\"", word);
}

struct shown {
	const struct format *format;
	void *state;
};

static enum stage_taken take(void *state, struct record *record)
{
	struct shown *shown = state;

	return shown->format->take(shown->state, record) ? STAGE_KEPT : STAGE_FAULT;
}

int main(int argc, char **argv)
{
	struct options options = options_init(&tool, argc, argv);
	struct shown shown = {.format = &format_table};
	struct stage stage = {.wants = RECORD_ALL, .take = take, .state = &shown};
	struct request request = {.out = &stage.out};
	enum tpa_exit status;
	int letter;

	while ((letter = options_next(&options))) {
		switch (letter) {
		case 'f':
			shown.format = format_named(options.argument);
			break;
		case 'c':
			request.choice = choice_parse(options.argument);
			break;
		case OPTION_FROM:
			request.stretch.from = parse_time("from", options.argument);
			request.stretch.has_from = true;
			break;
		case OPTION_TO:
			request.stretch.to = parse_time("to", options.argument);
			request.stretch.has_to = true;
			break;
		case OPTION_AROUND:
			request.stretch.around = options_number(&options, letter, 0, INT64_MAX);
			request.stretch.has_around = true;
			break;
		case OPTION_WEIGHT:
			request.weight = parse_weight(options.argument);
			break;
		case 'k':
			stage.keep_going = true;
			break;
		}
	}
	stage_open(&stage);
	request.width = terminal_width();
	shown.state = shown.format->open(&request);
	status = stage_run(&stage, options.operand, options.operands);
	shown.format->close(shown.state);
	return (int)stage_close(&stage, status);
}
