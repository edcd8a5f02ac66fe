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

static const struct option_row rows[] = {
	{'f', "format", "FORMAT", "table (the default), md or jsonl"},
	{'c', "columns", "COLUMN,...", "these columns, as they are, of the types that have them"},
	OPTION_ROWS_COMMON,
	{0},
};

static const struct tool tool = {"tpa-fmt", "show records as a table, Markdown or JSON lines",
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
			if (!shown.format)
				diag_misuse("--format wants table, md or jsonl: \"%s\"",
					    options.argument);
			break;
		case 'c':
			request.choice = choice_parse(options.argument);
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
