#include "harness.h"

#include "allocations.h"
#include "diag.h"
#include "record.h"
#include "text.h"

#include <errno.h>
#include <getopt.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

_Noreturn void fuzz_exit(int status);
ssize_t fuzz_read(int fd, void *out, size_t room);
ssize_t fuzz_write(int fd, const void *bytes, size_t length);
ssize_t fuzz_say(int fd, const void *bytes, size_t length);
int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__asan_default_options(void);

static struct run *running;
static const char *input;
static size_t input_left;
static jmp_buf ended;

/* Memory that a tool leaves behind when it dies is freed by allocations.c. */
const char *__asan_default_options(void)
{
	return "detect_leaks=0:quarantine_size_mb=16:malloc_context_size=8";
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	/* a huge page for a handful of records takes longer than all else */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	allocations_init();
	return 0;
}

_Noreturn void broken(const char *what, const char *bytes, size_t length)
{
	fprintf(stderr, "BROKEN: %s: %.*s\n", what, (int)(length > 400 ? 400 : length), bytes);
	abort();
}

_Noreturn void fuzz_exit(int status)
{
	if (!running)
		exit(status);
	running->status = status;
	longjmp(ended, 1);
}

static size_t step_of(size_t length)
{
	size_t step = running ? running->step : 0;

	return step && step < length ? step : length;
}

/* Not the tool's own memory. */
static void keep(struct buffer *buffer, const void *bytes, size_t length)
{
	allocations_write_down(false);
	buffer_add(buffer, bytes, length);
	allocations_write_down(true);
}

ssize_t fuzz_read(int fd, void *out, size_t room)
{
	size_t count = step_of(room);

	if (fd != STDIN_FILENO)
		return read(fd, out, count);
	if (count > input_left)
		count = input_left;
	if (count)
		memcpy(out, input, count);
	input += count;
	input_left -= count;
	return (ssize_t)count;
}

ssize_t fuzz_write(int fd, const void *bytes, size_t length)
{
	size_t count = step_of(length);

	if (fd != STDOUT_FILENO)
		broken("a write to another descriptor", bytes, length);
	keep(&running->out, bytes, count);
	return (ssize_t)count;
}

ssize_t fuzz_say(int fd, const void *bytes, size_t length)
{
	(void)fd;
	keep(&running->said, bytes, length);
	return (ssize_t)length;
}

int memory_file(const void *bytes, size_t length)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || (length && write(fd, bytes, length) != (ssize_t)length) ||
	    lseek(fd, 0, SEEK_SET) < 0)
		abort();
	return fd;
}

static bool ends_whole(const struct buffer *lines)
{
	return !lines->length || lines->data[lines->length - 1] == '\n';
}

static void check_run(const struct run *run)
{
	const struct buffer *said = &run->said;

	for (size_t i = 0; i < said->length; i++) {
		unsigned char c = (unsigned char)said->data[i];

		if ((c < 0x20 && c != '\n') || c == 0x7f)
			broken("control character in a message", said->data, said->length);
	}
	if (!ends_whole(said))
		broken("message without an end", said->data, said->length);
	if (!ends_whole(&run->out))
		broken("a last line without its end", run->out.data, run->out.length);
	if (run->status != TPA_DONE && !said->length)
		broken("nothing said", "", 0);
	if (run->status != TPA_DONE && run->status != TPA_FAILED && run->status != TPA_LOSSY)
		broken("exit status", said->data, said->length);
}

void run_tool(struct run *run, tool_main *tool, const char *arguments, const void *in,
	      size_t length)
{
	static char words[1024];
	static char *argv[32];
	int argc = 0;

	snprintf(words, sizeof(words), "%s", arguments);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	/* forgets where in its arguments the tool before was */
	optind = 0;
	getopt(1, argv, "");
	diag_quiet(false);
	diag_on_die(NULL, NULL);
	buffer_clear(&run->out);
	buffer_clear(&run->said);
	input = in;
	input_left = length;
	running = run;
	allocations_write_down(true);
	if (!setjmp(ended)) {
		run->status = tool(argc, argv);
		allocations_write_down(false);
		allocations_forget();
	} else {
		allocations_write_down(false);
		allocations_free();
	}
	running = NULL;
	check_run(run);
}

bool same_buffers(const struct buffer *a, const struct buffer *b)
{
	return a->length == b->length && (!a->length || !memcmp(a->data, b->data, a->length));
}

void run_tool_twice(struct run *run, tool_main *tool, const char *arguments, const void *in,
		    size_t length)
{
	struct run again = {.step = length % 61 + 1};

	run_tool(&again, tool, arguments, in, length);
	run_tool(run, tool, arguments, in, length);
	if (again.status != run->status)
		broken("small reads change the exit status", run->said.data, run->said.length);
	if (!same_buffers(&again.out, &run->out))
		broken("small reads change the output", again.out.data, again.out.length);
	if (!same_buffers(&again.said, &run->said))
		broken("small reads change what is said", again.said.data, again.said.length);
	run_release(&again);
}

void run_release(struct run *run)
{
	buffer_release(&run->out);
	buffer_release(&run->said);
}

static void check_kernel(struct record *record)
{
	int64_t dur, hidden = -1, exclusive = -1, compute = -1;

	if (!record_time(record, KERNEL_DUR, &dur) ||
	    !record_time_if_known(record, KERNEL_HIDDEN, &hidden) ||
	    !record_time_if_known(record, KERNEL_EXCLUSIVE, &exclusive) ||
	    !record_time_if_known(record, KERNEL_HIDDEN_COMPUTE, &compute))
		broken("kernel", record->line, record->length);
	if (hidden >= 0 && (hidden + exclusive != dur || compute > hidden || exclusive < 0))
		broken("hidden and exclusive are not dur", record->line, record->length);
}

static void check_window(struct record *record)
{
	int64_t start, end, busy, overlap, idle;

	if (!record_time(record, WINDOW_START, &start) || !record_time(record, WINDOW_END, &end) ||
	    !record_time(record, WINDOW_BUSY, &busy) || !record_time(record, WINDOW_IDLE, &idle) ||
	    !record_time(record, WINDOW_OVERLAP, &overlap))
		broken("window", record->line, record->length);
	if (busy + idle != end - start || overlap > busy || idle < 0)
		broken("busy and idle are not the window", record->line, record->length);
}

static bool is_ratio(struct field field)
{
	size_t digits = 0, points = 0;

	for (size_t i = 0; i < field.length; i++) {
		digits += ascii_is_digit(field.text[i]);
		points += field.text[i] == '.';
	}
	return digits && points == 1 && digits + points == field.length;
}

static bool is_of_kind(struct record *record, int column)
{
	int64_t value;

	switch (record_columns[record->type].column[column].kind) {
	case COLUMN_INT:
		return record_int_if_known(record, column, &value);
	case COLUMN_TIME:
		return record_time_if_known(record, column, &value);
	case COLUMN_RATIO:
		return is_ratio(record->field[column]);
	case COLUMN_TEXT:
	default:
		return record->field[column].length > 0;
	}
}

static void check_record(struct record *record)
{
	const struct record_columns *columns = &record_columns[record->type];

	if (!record_split(record) || record->fields < columns->end)
		broken("columns", record->line, record->length);
	for (int i = 1; i < columns->end; i++)
		if (!is_of_kind(record, i))
			broken(columns->column[i].name, record->line, record->length);
	if (record->type == RECORD_KERNEL)
		check_kernel(record);
	if (record->type == RECORD_WINDOW)
		check_window(record);
}

bool is_plain_text(const struct buffer *text)
{
	struct buffer repaired = BUFFER_INIT;
	bool plain;

	text_repair(&repaired, text->data, text->length);
	plain = same_buffers(&repaired, text);
	for (size_t i = 0; i < text->length; i++) {
		unsigned char c = (unsigned char)text->data[i];

		if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
			plain = false;
	}
	buffer_release(&repaired);
	return plain;
}

void check_records(const struct buffer *records)
{
	struct buffer lines = BUFFER_INIT;
	const char *end;

	if (!is_plain_text(records))
		broken("no plain text", records->data, records->length);
	buffer_add(&lines, records->data, records->length);
	buffer_room(&lines, RECORD_PAD);
	for (const char *line = lines.data; line < lines.data + lines.length; line = end + 1) {
		struct record record = {.line = line};
		const char *tab;

		end = memchr(line, '\n', (size_t)(lines.data + lines.length - line));
		record.length = (size_t)(end - line);
		if (*line == '#')
			continue;
		tab = memchr(line, '\t', record.length);
		record.type = record_type_named(line, tab ? (size_t)(tab - line) : record.length);
		if (record.type == RECORD_UNKNOWN)
			broken("unknown type", line, record.length);
		check_record(&record);
	}
	buffer_release(&lines);
}
