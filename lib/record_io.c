#include "record_io.h"

#include "diag.h"
#include "fd_io.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define READ_BLOCK ((size_t)256 << 10)
#define PIPE_SIZE (1 << 20)
#define RECORD_USUAL ((size_t)8 << 10) /* a longer one makes the writer's block grow */

/* Fewer, larger turns between two stages; where it may not be had, so be it. */
static void enlarge_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
	int size = fcntl(fd, F_GETPIPE_SZ);

	if (size > 0 && size < PIPE_SIZE)
		fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
#else
	(void)fd;
#endif
}

void record_writer_init(struct record_writer *writer, int fd, const char *name)
{
	*writer = (struct record_writer){.fd = fd, .name = name};
	buffer_room(&writer->buffer, RECORD_BLOCK + RECORD_USUAL);
	enlarge_pipe(fd);
}

static void write_out(struct record_writer *writer, const char *bytes, size_t length)
{
	while (length && !writer->error) {
		ssize_t written = fd_write(writer->fd, bytes, length);

		if (written < 0) {
			writer->error = errno;
			return;
		}
		bytes += written;
		length -= (size_t)written;
	}
}

void record_writer_flush(struct record_writer *writer)
{
	size_t rest = writer->buffer.length - writer->whole;

	if (!writer->whole)
		return;
	write_out(writer, writer->buffer.data, writer->whole);
	memmove(writer->buffer.data, writer->buffer.data + writer->whole, rest);
	writer->buffer.length = rest;
	writer->whole = 0;
}

bool record_writer_close(struct record_writer *writer)
{
	record_writer_flush(writer);
	buffer_release(&writer->buffer);
	if (!writer->error)
		return true;
	diag_error("%s: cannot write: %s", writer->name, strerror(writer->error));
	return false;
}

void record_put_lines(struct record_writer *writer, const char *lines, size_t length)
{
	if (length >= RECORD_BLOCK / 2) {
		record_writer_flush(writer);
		write_out(writer, lines, length);
		return;
	}
	buffer_add(&writer->buffer, lines, length);
	writer->whole = writer->buffer.length;
	if (writer->whole >= RECORD_BLOCK)
		record_writer_flush(writer);
}

void record_put_text(struct record_writer *writer, const char *text, size_t length)
{
	buffer_add_char(&writer->buffer, '\t');
	text_escape(&writer->buffer, text, length);
}

void record_put_ratio(struct record_writer *writer, double value, int decimals)
{
	buffer_add_char(&writer->buffer, '\t');
	buffer_printf(&writer->buffer, "%.*f", decimals, value);
}

void record_reader_init(struct record_reader *reader, int fd, const char *name, unsigned wants,
			struct record_writer *pass)
{
	*reader = (struct record_reader){.fd = fd, .name = name, .wants = wants, .pass = pass};
	reader->skip = record_skip_init(wants);
	buffer_room(&reader->buffer, READ_BLOCK + RECORD_PAD);
	enlarge_pipe(fd);
}

void record_reader_release(struct record_reader *reader)
{
	buffer_release(&reader->buffer);
}

/* Gives the writer what passes up to there; what is read already does not. */
static void pass(struct record_reader *reader, size_t to)
{
	if (reader->pass && to > reader->passing)
		record_put_lines(reader->pass, reader->buffer.data + reader->passing,
				 to - reader->passing);
	reader->passing = reader->at;
}

void record_reader_drop(struct record_reader *reader)
{
	pass(reader, reader->last);
}

void record_reader_flush(struct record_reader *reader)
{
	if (!reader->pass || reader->last <= reader->passing)
		return;
	record_writer_flush(reader->pass);
	write_out(reader->pass, reader->buffer.data + reader->passing,
		  reader->last - reader->passing);
	reader->passing = reader->last;
}

/* Moves what is not read yet to the front and reads more behind it. */
static bool read_more(struct record_reader *reader)
{
	struct buffer *buffer = &reader->buffer;
	ssize_t count;

	if (reader->at) {
		buffer->length -= reader->at;
		memmove(buffer->data, buffer->data + reader->at, buffer->length);
		reader->at = reader->passing = reader->last = 0;
	}
	buffer_room(buffer, READ_BLOCK + RECORD_PAD);
	count = fd_read(reader->fd, buffer->data + buffer->length, READ_BLOCK);
	if (count < 0) {
		diag_error("%s: cannot read: %s", reader->name, strerror(errno));
		return false;
	}
	if (count > 0) {
		buffer->length += (size_t)count;
		return true;
	}
	reader->ended = true;
	if (buffer->length)
		buffer_add_char(buffer, '\n');
	return true;
}

#define LINE_USUAL 16
#define T(type, word) \
	_Static_assert(sizeof(word) <= LINE_USUAL, "too long a word for line_type");
RECORD_TYPES(T)
#undef T

/* Of a line that is not short. */
static enum record_type usual_type(const char *line)
{
#define T(type, word) \
	if (!memcmp(line, word "\t", sizeof(word))) \
		return RECORD_##type;
	RECORD_TYPES(T)
#undef T
	return RECORD_UNKNOWN;
}

static enum record_type short_type(const char *line, size_t length)
{
	const char *tab = length ? memchr(line, '\t', length) : NULL;

	return record_type_named(line, tab ? (size_t)(tab - line) : length);
}

static bool is_wanted(const struct record_reader *reader, enum record_type type)
{
	return reader->wants & RECORD_BIT(type);
}

/*
 * The line's type and length, and its columns if it is wanted; false if the line
 * does not end before `stop`.
 */
static bool find_line(const struct record_reader *reader, struct record *record, const char *stop)
{
	const char *line = record->line, *end;
	size_t there = (size_t)(stop - line);

	record->type = there < LINE_USUAL ? RECORD_UNKNOWN : usual_type(line);
	if (record->type != RECORD_UNKNOWN && is_wanted(reader, record->type))
		return record_scan(record, stop);
	end = there ? memchr(line, '\n', there) : NULL;
	record->length = end ? (size_t)(end - line) : there;
	if (!end || record->length >= LINE_USUAL)
		return end;
	record->type = short_type(line, record->length);
	return record->type == RECORD_UNKNOWN || record_scan(record, stop);
}

/* A stream of a later version says so in its first line; it is not ours to read. */
static bool is_foreign_version(struct record_reader *reader, const struct record *record)
{
	const char *line = record->line;
	size_t length = record->length, digits = 5;
	uint64_t version;

	if (!TEXT_STARTS(line, length, "#tpa "))
		return false;
	while (digits < length && ascii_is_digit(line[digits]))
		digits++;
	if (digits == 5 || (number_count(line + 5, digits - 5, &version) && version <= 1))
		return false;
	pass(reader, reader->last);
	diag_error("%s:%llu: a record format that this version does not read: \"%.*s\"",
		   reader->name, (unsigned long long)reader->line,
		   (int)(length > 40 ? 40 : length), line);
	return true;
}

/* Drops the rest of a line that is too long; false when the input fails. */
static bool skip_line(struct record_reader *reader)
{
	for (;;) {
		char *start = reader->buffer.data + reader->at;
		char *end = memchr(start, '\n', reader->buffer.length - reader->at);

		if (end) {
			reader->at = (size_t)(end + 1 - reader->buffer.data);
			return true;
		}
		reader->at = reader->buffer.length;
		if (reader->ended)
			return true;
		if (!read_more(reader))
			return false;
	}
}

/* A line that is too long to be a record, which is not at the end of the buffer. */
static enum record_read drop_line(struct record_reader *reader, struct record *record)
{
	pass(reader, reader->at);
	*record = (struct record){.type = RECORD_UNKNOWN};
	if (!skip_line(reader))
		return RECORD_FAILED;
	reader->passing = reader->last = reader->at;
	record_fault(record, 0, "a line of more than 16 MiB");
	return RECORD_BAD;
}

static enum record_read take_line(struct record_reader *reader, struct record *record)
{
	bool passes = reader->reads & RECORD_BIT(record->type);

	if (!passes)
		pass(reader, reader->last);
	record->fault = NULL;
	if (record->type == RECORD_UNKNOWN || record_complete(record))
		return RECORD_READ;
	if (passes)
		record_reader_drop(reader);
	return RECORD_BAD;
}

enum record_read record_reader_next(struct record_reader *reader, struct record *record)
{
	struct buffer *buffer = &reader->buffer;

	for (;;) {
		const char *stop = buffer->data + buffer->length, *line;
		bool ended;

		record->line = buffer->data + reader->at;
		ended = find_line(reader, record, stop);
		if (!ended && record->length <= RECORD_LENGTH_MAX) {
			pass(reader, reader->at);
			if (reader->ended)
				return RECORD_ENDED;
			if (!read_more(reader))
				return RECORD_FAILED;
			continue;
		}
		reader->line++;
		if (record->length > RECORD_LENGTH_MAX)
			return drop_line(reader, record);
		reader->last = reader->at;
		reader->at += record->length + 1;
		if (record->length && record->line[0] == '#' && is_foreign_version(reader, record))
			return RECORD_FAILED;
		if (is_wanted(reader, record->type))
			return take_line(reader, record);
		line = record_skip(&reader->skip, buffer->data + reader->at, stop, &reader->line);
		reader->at = (size_t)(line - buffer->data);
	}
}

void record_reader_complain(const struct record_reader *reader, const struct record *record)
{
	const struct record_columns *columns;
	struct field field;
	struct buffer where = BUFFER_INIT;

	buffer_printf(&where, "%s:%llu: ", reader->name, (unsigned long long)reader->line);
	if (record->type == RECORD_UNKNOWN) {
		diag_error("%.*s%s", (int)where.length, where.data, record->fault);
		buffer_release(&where);
		return;
	}
	columns = &record_columns[record->type];
	buffer_printf(&where, "%s: ", columns->type);
	field = (struct field){record->line, record->length};
	if (record->bad_column) {
		buffer_printf(&where, "%s: ", columns->column[record->bad_column].name);
		field = record->field[record->bad_column];
	}
	diag_error("%.*s%s: \"%.*s\"%s", (int)where.length, where.data, record->fault,
		   (int)text_prefix(field.text, field.length, 60), field.text,
		   text_characters(field.text, field.length) > 60 ? " ..." : "");
	buffer_release(&where);
}

int record_open(const char *path, const char **name)
{
	int fd;

	if (!strcmp(path, "-")) {
		*name = "stdin";
		return STDIN_FILENO;
	}
	*name = path;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		diag_error("%s: cannot open: %s", path, strerror(errno));
	return fd;
}
