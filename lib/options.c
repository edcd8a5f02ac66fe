#include "options.h"

#include "buffer.h"
#include "diag.h"
#include "number.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HELP_COLUMN 27
#define USAGE_WIDTH 80

static const struct option_row *find_row(const struct tool *tool, int letter)
{
	const struct option_row *row = tool->rows;

	while (row->letter && row->letter != letter)
		row++;
	return row->letter ? row : NULL;
}

/* Appends a blank and the word, on a new line if this one would be too long. */
static void add_word(struct buffer *out, size_t *line, size_t indent, const struct buffer *word)
{
	if (out->length - *line + 1 + word->length > USAGE_WIDTH) {
		buffer_add_char(out, '\n');
		*line = out->length;
		buffer_printf(out, "%*s", (int)indent, "");
	}
	buffer_add_char(out, ' ');
	buffer_add(out, word->data, word->length);
}

static void add_option(struct buffer *word, const struct option_row *row)
{
	bool is_short = row->letter < OPTION_LONG;

	buffer_clear(word);
	if (is_short)
		buffer_printf(word, "[-%c", row->letter);
	else
		buffer_printf(word, "[--%s", row->name);
	if (row->argument)
		buffer_printf(word, " %s", row->argument);
	buffer_add_char(word, ']');
}

/* "usage: tpa-x [-ahk] [-l LABEL] [--min-share PCT] [FILE...]" */
static void add_usage(struct buffer *out, const struct tool *tool)
{
	struct buffer word = BUFFER_INIT;
	size_t line = out->length, indent;

	buffer_printf(out, "usage: %s", tool->name);
	indent = out->length - line;
	buffer_add_string(&word, "[-");
	for (const struct option_row *row = tool->rows; row->letter; row++)
		if (row->letter < OPTION_LONG && !row->argument)
			buffer_add_char(&word, (char)row->letter);
	buffer_add_char(&word, ']');
	add_word(out, &line, indent, &word);
	for (const struct option_row *row = tool->rows; row->letter; row++) {
		if ((row->letter < OPTION_LONG && !row->argument) || row->letter == OPTION_VERSION)
			continue;
		add_option(&word, row);
		add_word(out, &line, indent, &word);
	}
	buffer_clear(&word);
	buffer_add_string(&word, tool->operands);
	add_word(out, &line, indent, &word);
	buffer_add_char(out, '\n');
	buffer_release(&word);
}

static _Noreturn void finish(const struct buffer *text)
{
	if (fwrite(text->data, 1, text->length, stdout) != text->length || fflush(stdout))
		diag_die("stdout: cannot write");
	exit(TPA_DONE);
}

static _Noreturn void help(const struct tool *tool)
{
	struct buffer text = BUFFER_INIT;

	add_usage(&text, tool);
	buffer_printf(&text, "%s\n\n", tool->summary);
	for (const struct option_row *row = tool->rows; row->letter; row++) {
		size_t start = text.length;

		if (row->letter < OPTION_LONG)
			buffer_printf(&text, "  -%c, --%s", row->letter, row->name);
		else
			buffer_printf(&text, "      --%s", row->name);
		if (row->argument)
			buffer_printf(&text, " %s", row->argument);
		if (text.length - start >= HELP_COLUMN)
			buffer_printf(&text, "\n%*s", HELP_COLUMN, "");
		else
			buffer_printf(&text, "%*s", (int)(HELP_COLUMN - (text.length - start)), "");
		buffer_printf(&text, "%s\n", row->help);
	}
	finish(&text);
}

static _Noreturn void version(const struct tool *tool)
{
	struct buffer text = BUFFER_INIT;

	buffer_printf(&text, "%s %s\n", tool->name, TPA_VERSION);
	finish(&text);
}

struct options options_init(const struct tool *tool, int argc, char **argv)
{
	struct options options = {.tool = tool, .argc = argc, .argv = argv};
	struct option *table;
	size_t rows = 0;

	diag_init(tool->name);
	while (tool->rows[rows].letter)
		rows++;
	table = xcalloc(rows + 1, sizeof(*table));
	for (size_t i = 0; i < rows; i++)
		table[i] = (struct option){
			.name = tool->rows[i].name,
			.has_arg = tool->rows[i].argument ? required_argument : no_argument,
			.val = tool->rows[i].letter,
		};
	options.table = table;
	opterr = 0;
	optind = 1;
	return options;
}

/* The word that holds the option at fault; optopt is 0 for an unknown long one. */
static _Noreturn void complain(const struct options *options, int result)
{
	const char *word = optind > 0 && optind <= options->argc ? options->argv[optind - 1] : "";
	const struct option_row *row = optopt ? find_row(options->tool, optopt) : NULL;

	if (row && (result == ':' || row->argument))
		diag_misuse("--%s wants an argument: %s", row->name, row->argument);
	if (row)
		diag_misuse("--%s takes no argument: \"%s\"", row->name, word);
	if (optopt)
		diag_misuse("unknown option: \"-%c\"", optopt);
	diag_misuse("unknown option: \"%s\"", word);
}

int options_next(struct options *options)
{
	struct buffer letters = BUFFER_INIT;
	int letter;

	buffer_add_char(&letters, ':');
	for (const struct option_row *row = options->tool->rows; row->letter; row++)
		if (row->letter < OPTION_LONG)
			buffer_printf(&letters, "%c%s", row->letter, row->argument ? ":" : "");
	buffer_add_char(&letters, '\0');
	letter = getopt_long(options->argc, options->argv, letters.data, options->table, NULL);
	buffer_release(&letters);
	options->argument = optarg;
	switch (letter) {
	case -1:
		options->operand = options->argv + optind;
		options->operands = options->argc - optind;
		free(options->table);
		options->table = NULL;
		return 0;
	case '?':
	case ':':
		complain(options, letter);
	case 'h':
		help(options->tool);
	case OPTION_VERSION:
		version(options->tool);
	case 'q':
		diag_quiet(true);
		return options_next(options);
	default:
		return letter;
	}
}

int64_t options_number(const struct options *options, int letter, int64_t low, int64_t high)
{
	int64_t value;

	if (!number_int(options->argument, strlen(options->argument), &value) || value < low ||
	    value > high)
		diag_misuse("--%s wants a whole number from %lld to %lld: \"%s\"",
			    find_row(options->tool, letter)->name, (long long)low, (long long)high,
			    options->argument);
	return value;
}

double options_decimal(const struct options *options, int letter, double low, double high)
{
	char *end;
	double value = strtod(options->argument, &end);

	if (end == options->argument || *end || !(value >= low && value <= high))
		diag_misuse("--%s wants a number from %g to %g: \"%s\"",
			    find_row(options->tool, letter)->name, low, high, options->argument);
	return value;
}
