/*
 * record_io: records from a descriptor and to one.
 *
 * The writer collects records in a buffer and writes them in blocks; a block
 * always ends with a whole record.  An error is remembered and reported once,
 * by record_writer_close.  A reader that leaves early ends the process by
 * SIGPIPE, quietly, as everywhere in Unix.
 *
 *	record_begin(&w, RECORD_COVER);
 *	record_put_field(&w, rank);		escaped already
 *	record_put_time(&w, 12500);		"12.500"
 *	record_put_text(&w, name, length);	to be escaped
 *	record_end(&w);
 *
 * The reader owns the line; a record holds until the next is read.  Lines of
 * types that its user does not want go straight to the writer, as blocks, and so
 * do those that it only reads.
 */
#ifndef TPA_RECORD_IO_H
#define TPA_RECORD_IO_H

#include "buffer.h"
#include "number.h"
#include "record.h"
#include "record_skip.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_writer {
	int fd;
	const char *name; /* of the descriptor, for messages */
	struct buffer buffer;
	size_t whole; /* the bytes of the buffer that are whole records */
	int error;    /* the errno of the first failed write, or 0 */
};

/* `name` is kept, not copied. */
void record_writer_init(struct record_writer *writer, int fd, const char *name);

/* Writes the whole records out now. */
void record_writer_flush(struct record_writer *writer);

/* Flushes, frees, and returns false after saying why if any write failed. */
bool record_writer_close(struct record_writer *writer) __attribute__((warn_unused_result));

/* Whole lines, LF included, as they are. */
void record_put_lines(struct record_writer *writer, const char *lines, size_t length);

/* A block is written when this much is there. */
#define RECORD_BLOCK ((size_t)128 << 10)

static inline void record_put_bytes(struct record_writer *writer, const char *bytes, size_t length)
{
	buffer_add(&writer->buffer, bytes, length);
}

static inline void record_begin_named(struct record_writer *writer, const char *type)
{
	record_put_bytes(writer, type, strlen(type));
}

static inline void record_begin(struct record_writer *writer, enum record_type type)
{
	record_put_bytes(writer, record_columns[type].type, record_columns[type].type_length);
}

static inline void record_end(struct record_writer *writer)
{
	buffer_add_char(&writer->buffer, '\n');
	writer->whole = writer->buffer.length;
	if (writer->whole >= RECORD_BLOCK)
		record_writer_flush(writer);
}

/* A field that is escaped already, or one as a record had it. */
static inline void record_put_escaped(struct record_writer *writer, const char *text, size_t length)
{
	struct buffer *buffer = &writer->buffer;

	buffer_room(buffer, length + 1);
	buffer->data[buffer->length] = '\t';
	memcpy(buffer->data + buffer->length + 1, text, length);
	buffer->length += length + 1;
}

static inline void record_put_field(struct record_writer *writer, struct field field)
{
	record_put_escaped(writer, field.text, field.length);
}

static inline void record_put_unknown(struct record_writer *writer)
{
	record_put_escaped(writer, "-", 1);
}

static inline void record_put_int(struct record_writer *writer, int64_t value)
{
	struct buffer *buffer = &writer->buffer;

	buffer_room(buffer, NUMBER_LENGTH + 1);
	buffer->data[buffer->length] = '\t';
	buffer->length = (size_t)(number_put_int(buffer->data + buffer->length + 1, value) -
				  buffer->data);
}

/* An id, of which 0 is none. */
static inline void record_put_id(struct record_writer *writer, int64_t id)
{
	if (id)
		record_put_int(writer, id);
	else
		record_put_unknown(writer);
}

static inline void record_put_time(struct record_writer *writer, int64_t ns)
{
	struct buffer *buffer = &writer->buffer;

	buffer_room(buffer, NUMBER_LENGTH + 1);
	buffer->data[buffer->length] = '\t';
	buffer->length = (size_t)(number_put_time(buffer->data + buffer->length + 1, ns) -
				  buffer->data);
}

/* Text that is not escaped yet; none at all becomes "-". */
void record_put_text(struct record_writer *writer, const char *text, size_t length);

/* A decimal number with that many decimals, rounded half to even. */
void record_put_ratio(struct record_writer *writer, double value, int decimals);

enum record_read {
	RECORD_READ = 1, /* a record, split into its columns */
	RECORD_ENDED = 0,
	RECORD_BAD = -1,    /* a line that cannot be used; its fault is noted; go on if you like */
	RECORD_FAILED = -2, /* the input cannot be read on; it has been said why */
};

struct record_reader {
	int fd;
	const char *name; /* of the input, for messages */
	uint64_t line;	  /* the number of the line read last, from 1 */
	unsigned wants;	  /* RECORD_BIT() of each type that is wanted */
	unsigned reads;	  /* of these, those that pass nevertheless; 0 unless set */
	struct record_writer *pass; /* where all else goes, or NULL: nowhere */
	/* the rest is the reader's own */
	struct buffer buffer;
	size_t passing; /* what passes, and is not with the writer yet, begins here, */
	size_t last;	/* the line that was read last here, */
	size_t at;	/* and what is not read yet here */
	struct record_skip skip;
	bool ended;
};

/* `name` is kept, not copied; `fd` is not closed by the reader. */
void record_reader_init(struct record_reader *reader, int fd, const char *name, unsigned wants,
			struct record_writer *pass);

/*
 * The next record of a type that is wanted.  Comments, unknown types and types
 * not wanted pass.  A "#tpa 2" or higher is RECORD_FAILED.
 *
 * When it gives a record, all that passes before it is with the writer, unless
 * it is of a type in `reads`: then the writer must not be used until the next.
 */
enum record_read record_reader_next(struct record_reader *reader, struct record *record)
	__attribute__((warn_unused_result));

/* The record that was read last, of a type in `reads`, does not pass after all. */
void record_reader_drop(struct record_reader *reader);

/* Writes out what passes before it, at once and without allocating anything. */
void record_reader_flush(struct record_reader *reader);

/* Says what is wrong with a record, with the reader's place. */
void record_reader_complain(const struct record_reader *reader, const struct record *record);

void record_reader_release(struct record_reader *reader);

/* Opens a file operand, "-" being standard input; -1 after saying why. */
int record_open(const char *path, const char **name);

#endif
