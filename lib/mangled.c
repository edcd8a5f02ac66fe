#include "mangled.h"

#include "text.h"

/*
 * What is open: N nested name, I template arguments, J argument pack, L literal,
 * X expression, F function type, Z function around a local name, U lambda.
 */
struct reader {
	const char *at;
	const char *end;
	struct buffer *out;
	struct buffer open;
	bool joined; /* the next identifier is a member of what was written last */
};

static char top(const struct reader *reader)
{
	return reader->open.length ? reader->open.data[reader->open.length - 1] : '\0';
}

static void open_bracket(struct reader *reader, char what, size_t skip)
{
	buffer_add_char(&reader->open, what);
	reader->at += skip;
	reader->joined = false;
}

static void skip_digits(struct reader *reader)
{
	while (reader->at < reader->end && ascii_is_digit(*reader->at))
		reader->at++;
}

/* "12_", "_" and the like */
static void skip_sequence(struct reader *reader)
{
	while (reader->at < reader->end &&
	       (ascii_is_digit(*reader->at) || (*reader->at >= 'A' && *reader->at <= 'Z')))
		reader->at++;
	if (reader->at < reader->end && *reader->at == '_')
		reader->at++;
}

/* The value of a literal follows its type. */
static void skip_value(struct reader *reader)
{
	if (top(reader) != 'L')
		return;
	if (reader->at < reader->end && *reader->at == 'n')
		reader->at++;
	skip_digits(reader);
}

static bool is_anonymous(const char *name, size_t length)
{
	return TEXT_STARTS(name, length, "_GLOBAL__N_") || TEXT_STARTS(name, length, "_INTERNAL_");
}

static void write_name(struct reader *reader, const char *name, size_t length)
{
	struct buffer *out = reader->out;
	char last = out->length ? out->data[out->length - 1] : '<';

	if (is_anonymous(name, length))
		return;
	if (reader->joined)
		buffer_add(out, "::", 2);
	else if (last != '<')
		buffer_add_char(out, ',');
	buffer_add(out, name, length);
	reader->joined = top(reader) == 'N';
}

static void read_name(struct reader *reader)
{
	size_t length = 0;

	while (reader->at < reader->end && ascii_is_digit(*reader->at)) {
		length = length * 10 + (size_t)(*reader->at++ - '0');
		if (length > (size_t)(reader->end - reader->at))
			length = (size_t)(reader->end - reader->at);
	}
	if (!length)
		return;
	write_name(reader, reader->at, length);
	reader->at += length;
	skip_value(reader);
}

static void read_literal(struct reader *reader)
{
	size_t there = (size_t)(reader->end - reader->at);
	char next = there > 1 ? reader->at[1] : 'E';
	const char *close;

	if (TEXT_STARTS(reader->at, there, "L_Z")) {
		open_bracket(reader, 'L', 3);
	} else if ((next >= 'a' && next <= 'z') || next == 'D') {
		close = memchr(reader->at, 'E', there);
		reader->at = close ? close + 1 : reader->end;
	} else if (top(reader) == 'I' || top(reader) == 'J' || top(reader) == 'X') {
		open_bracket(reader, 'L', 1);
	} else {
		reader->at++;
	}
}

static void read_end(struct reader *reader)
{
	char closed = top(reader);

	reader->at++;
	if (!closed)
		return;
	reader->open.length--;
	if (closed == 'I')
		buffer_add_char(reader->out, '>');
	reader->joined = closed == 'I' && top(reader) == 'N';
	if (closed == 'U')
		skip_sequence(reader);
	else
		skip_value(reader);
}

/* Builtin types with digits in them (DF16b, Dv8_f), arrays (A128_f), back references. */
static void skip_type(struct reader *reader)
{
	char first = *reader->at++;
	char second = reader->at < reader->end ? *reader->at : '\0';

	switch (first) {
	case 'D':
		reader->at += second != '\0';
		skip_digits(reader);
		if ((second == 'F' || second == 'v') && reader->at < reader->end)
			reader->at++;
		break;
	case 'A':
		skip_digits(reader);
		break;
	default:
		if (second >= 'a' && second <= 'z')
			reader->at++;
		else
			skip_sequence(reader);
		reader->joined = false;
		skip_value(reader);
	}
}

static void read_next(struct reader *reader)
{
	switch (*reader->at) {
	case '0': case '1': case '2': case '3': case '4':
	case '5': case '6': case '7': case '8': case '9':
		read_name(reader);
		break;
	case 'I':
		open_bracket(reader, 'I', 1);
		buffer_add_char(reader->out, '<');
		break;
	case 'N': case 'J': case 'X': case 'F': case 'Z':
		open_bracket(reader, *reader->at, 1);
		break;
	case 'U':
		if (reader->at + 1 < reader->end && reader->at[1] == 'l')
			open_bracket(reader, 'U', 2);
		else
			reader->at++;
		break;
	case 'L':
		read_literal(reader);
		break;
	case 'E':
		read_end(reader);
		break;
	case 'A': case 'D': case 'S': case 'T':
		skip_type(reader);
		break;
	default:
		reader->at++;
	}
}

bool mangled_read(struct buffer *out, const char *name, size_t length)
{
	struct reader reader = {.out = out};
	size_t start = out->length;

	if (!TEXT_STARTS(name, length, "_Z"))
		return false;
	reader.at = name + 2;
	reader.end = name + length;
	if (TEXT_STARTS(name, length, "_ZTS")) /* a type's name, as SYCL has kernels */
		reader.at += 2;
	while (reader.at < reader.end) {
		/* the kernel's own name ends where its parameters begin */
		if (!reader.open.length && out->length > start && *reader.at != 'I')
			break;
		read_next(&reader);
	}
	buffer_release(&reader.open);
	return out->length > start;
}
