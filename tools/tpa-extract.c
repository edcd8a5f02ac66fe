/*
 * tpa-extract: a profiler's trace to records.
 *
 * In: PyTorch profiler traces, plain or gzip.  Out: the record stream.
 */
#include "extract_trace.h"
#include "options.h"
#include "stage.h"
#include "xalloc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_CLIP = OPTION_LONG, OPTION_SORT };

static const struct option_row rows[] = {
	{'a', "all", NULL, "keep the kernels of every process, not only the heaviest"},
	{'p', "pid", "TEXT", "only processes whose pid contains TEXT"},
	{'l', "label", "LABEL", "the rank's label; again for each further trace"},
	{'s', "stage", "STAGE", "the stage of all kernels (all: each its own)"},
	{'t', "types", "TYPE,...", "write only records of these types"},
	{'j', "jobs", "N", "1: all in one thread; 2: inflate in a second (default if it can run)"},
	{OPTION_CLIP, "clip", NULL, "end kernels that overrun two later ones at the next start"},
	{OPTION_SORT, "sort", NULL, "write kernels by start time, for tpa-overlap --sorted"},
	OPTION_ROWS_COMMON,
	{0},
};

static const struct tool tool = {
	"tpa-extract", "turn profiler traces (JSON, plain or gzip) into records", "[TRACE...]", rows};

/* What extract itself writes. */
#define EXTRACTED \
	(RECORD_BIT(RECORD_META) | RECORD_BIT(RECORD_KERNEL) | RECORD_BIT(RECORD_CPU_OP) | \
	 RECORD_BIT(RECORD_PYTHON) | RECORD_BIT(RECORD_LAUNCH) | RECORD_BIT(RECORD_SPAN))

static unsigned parse_types(const char *list)
{
	unsigned types = 0;

	for (const char *word = list; *word;) {
		size_t length = strcspn(word, ",");
		enum record_type type = record_type_named(word, length);

		if (type == RECORD_UNKNOWN || !(EXTRACTED & RECORD_BIT(type)))
			diag_misuse("--types: no type that tpa-extract writes: \"%.*s\"", (int)length,
				    word);
		types |= RECORD_BIT(type);
		word += length + (word[length] == ',');
	}
	return types;
}

/* A file explains itself: its version, and the columns of what it may hold. */
static void put_heads(struct record_writer *out, unsigned types)
{
	record_put_lines(out, "#tpa 1\n", 7);
	for (int type = 0; type < RECORD_TYPE_COUNT; type++) {
		const struct record_columns *columns = &record_columns[type];

		if (!(types & RECORD_BIT(type)))
			continue;
		record_put_bytes(out, "#", 1);
		record_begin(out, (enum record_type)type);
		for (int i = 1; i < columns->end; i++)
			record_put_escaped(out, columns->column[i].name,
					   strlen(columns->column[i].name));
		record_end(out);
	}
}

static enum tpa_exit extract_file(const struct extract_options *options, const char *path,
				  const char *label, const char *place,
				  struct extract_labels *labels, struct record_writer *out)
{
	enum tpa_exit status;
	const char *name;
	int fd = record_open(path, &name);

	if (fd < 0)
		return TPA_FAILED;
	status = extract_trace(options, fd, name, label, place, labels, out);
	if (fd != STDIN_FILENO)
		close(fd);
	return status;
}

int main(int argc, char **argv)
{
	static char *standard_input[] = {"-"};
	struct extract_options extract = {.types = EXTRACTED};
	struct extract_labels labels = {INTERN_INIT, 0};
	struct options options = options_init(&tool, argc, argv);
	enum tpa_exit status = TPA_DONE;
	struct stage stage = {.pass = true};
	const char **label = NULL;
	size_t label_capacity = 0;
	int letter, given = 0, traces;
	char **trace;

	extract.threads = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
	while ((letter = options_next(&options)))
		switch (letter) {
		case 'a':
			extract.choice.all = true;
			break;
		case 'p':
			extract.choice.pid_part = options.argument;
			break;
		case 'l':
			label = xgrow(label, &label_capacity, (size_t)given + 1, sizeof(*label));
			label[given++] = options.argument;
			break;
		case 's':
			extract.stage = options.argument;
			break;
		case 't':
			extract.types = parse_types(options.argument);
			break;
		case 'j':
			extract.threads = (int)options_number(&options, 'j', 1, 2);
			break;
		case OPTION_CLIP:
			extract.choice.clip = true;
			break;
		case OPTION_SORT:
			extract.choice.by_start = true;
			break;
		default:
			break;
		}
	trace = options.operands ? options.operand : standard_input;
	traces = options.operands ? options.operands : 1;
	if (!options.operands && isatty(STDIN_FILENO))
		diag_note("waiting for a trace on standard input, which is the terminal; "
			  "'tpa-extract TRACE' reads a file");
	if (given > traces)
		diag_misuse("--label: %d labels for %d trace%s", given, traces, traces == 1 ? "" : "s");

	xalloc_large();
	stage_open(&stage);
	put_heads(&stage.out, extract.types);
	for (int i = 0; i < traces && status != TPA_FAILED; i++) {
		char place[NUMBER_LENGTH];
		enum tpa_exit here;

		*number_put_int(place, i) = '\0';
		here = extract_file(&extract, trace[i], i < given ? label[i] : NULL,
				    traces > 1 ? place : NULL, &labels, &stage.out);
		if (here != TPA_DONE)
			status = here;
	}
	free(label);
	intern_release(&labels.seen);
	return (int)stage_close(&stage, status);
}
