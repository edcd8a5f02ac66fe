#include "text.h"

#include <stdint.h>

static const char replacement[] = "\xef\xbf\xbd";

void text_lower(struct buffer *out, const char *text, size_t length)
{
	buffer_room(out, length);
	for (size_t i = 0; i < length; i++)
		out->data[out->length++] = ascii_lower(text[i]);
}

void text_fold(struct buffer *out, const char *text, size_t length)
{
	size_t start = out->length;
	bool pending = false;

	buffer_room(out, length);
	for (size_t i = 0; i < length; i++) {
		if (ascii_is_space(text[i])) {
			pending = out->length > start;
			continue;
		}
		if (pending)
			out->data[out->length++] = ' ';
		pending = false;
		out->data[out->length++] = text[i];
	}
}

size_t text_sequence(const char *bytes, size_t length, bool *valid)
{
	const unsigned char *text = (const unsigned char *)bytes;
	unsigned char c = text[0], low = 0x80, high = 0xbf;
	size_t need, have = 1;

	*valid = c < 0x80;
	if (c < 0xc2 || c > 0xf4)
		return 1;
	need = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (c == 0xe0)
		low = 0xa0;
	else if (c == 0xed)
		high = 0x9f;
	else if (c == 0xf0)
		low = 0x90;
	else if (c == 0xf4)
		high = 0x8f;
	while (have < need && have < length && text[have] >= low && text[have] <= high) {
		have++;
		low = 0x80;
		high = 0xbf;
	}
	*valid = have == need;
	return have;
}

void text_repair(struct buffer *out, const char *text, size_t length)
{
	size_t i = 0, plain = 0;

	while (i < length) {
		bool valid;
		size_t step = text_sequence(text + i, length - i, &valid);

		if (!valid) {
			buffer_add(out, text + plain, i - plain);
			buffer_add(out, replacement, sizeof(replacement) - 1);
			plain = i + step;
		}
		i += step;
	}
	if (plain < i)
		buffer_add(out, text + plain, i - plain);
}

void text_escape(struct buffer *out, const char *text, size_t length)
{
	static const char hex[] = "0123456789abcdef";

	if (!length) {
		buffer_add_char(out, '-');
		return;
	}
	if (length == 1 && text[0] == '-')
		buffer_add_char(out, '\\');
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		buffer_room(out, 4);
		if (c >= 0x20 && c != '\\' && c != 0x7f) {
			out->data[out->length++] = text[i];
			continue;
		}
		out->data[out->length++] = '\\';
		switch (c) {
		case '\\':
			out->data[out->length++] = '\\';
			break;
		case '\t':
			out->data[out->length++] = 't';
			break;
		case '\n':
			out->data[out->length++] = 'n';
			break;
		case '\r':
			out->data[out->length++] = 'r';
			break;
		default:
			out->data[out->length++] = 'x';
			out->data[out->length++] = hex[c >> 4];
			out->data[out->length++] = hex[c & 15];
		}
	}
}

static int hex_digit(char c)
{
	if (ascii_is_digit(c))
		return c - '0';
	c = ascii_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void text_unescape(struct buffer *out, const char *field, size_t length)
{
	if (length == 1 && field[0] == '-')
		return;
	if (length == 2 && field[0] == '\\' && field[1] == '-') {
		buffer_add_char(out, '-');
		return;
	}
	buffer_room(out, length);
	for (size_t i = 0; i < length; i++) {
		char c = field[i];

		if (c == '\\' && i + 1 < length) {
			char next = field[i + 1];

			if (next == 'x' && i + 3 < length && hex_digit(field[i + 2]) >= 0 &&
			    hex_digit(field[i + 3]) >= 0) {
				c = (char)(hex_digit(field[i + 2]) << 4 | hex_digit(field[i + 3]));
				i += 3;
			} else if (next == '\\' || next == 't' || next == 'n' || next == 'r') {
				c = (char)(next == 't'	 ? '\t'
					   : next == 'n' ? '\n'
					   : next == 'r' ? '\r'
							 : '\\');
				i++;
			}
		}
		out->data[out->length++] = c;
	}
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

size_t text_characters(const char *text, size_t length)
{
	size_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += !is_continuation(text[i]);
	return count;
}

size_t text_prefix(const char *text, size_t length, size_t characters)
{
	for (size_t i = 0; i < length; i++)
		if (!is_continuation(text[i]) && characters-- == 0)
			return i;
	return length;
}

void text_shorten(struct buffer *out, const char *text, size_t length, size_t characters)
{
	size_t start = out->length, cut;

	buffer_room(out, 1); /* nothing at all, too, has a place */
	text_fold(out, text, length);
	if (text_characters(out->data + start, out->length - start) <= characters)
		return;
	cut = text_prefix(out->data + start, out->length - start, characters - 3);
	out->length = start + cut;
	buffer_add(out, "...", 3);
}

void text_compact(struct buffer *out, const char *text, size_t length)
{
	buffer_room(out, length);
	for (size_t i = 0; i < length; i++) {
		char c = ascii_lower(text[i]);

		if (ascii_is_digit(c) || (c >= 'a' && c <= 'z'))
			out->data[out->length++] = c;
	}
}

bool text_contains(const char *text, size_t length, const char *part, size_t part_length)
{
	return !part_length || (length && memmem(text, length, part, part_length));
}

bool text_starts(const char *text, size_t length, const char *part, size_t part_length)
{
	return length >= part_length && (!part_length || !memcmp(text, part, part_length));
}

bool text_ends(const char *text, size_t length, const char *part, size_t part_length)
{
	return length >= part_length &&
	       (!part_length || !memcmp(text + length - part_length, part, part_length));
}

int text_compare(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t common = a_length < b_length ? a_length : b_length;
	int order = common ? memcmp(a, b, common) : 0;

	return order ? order : (a_length > b_length) - (a_length < b_length);
}

void text_add_code_point(struct buffer *out, unsigned long code)
{
	if (code >= 0xd800 && code <= 0xdfff)
		code = 0xfffd;
	if (code < 0x80) {
		buffer_add_char(out, (char)code);
	} else if (code < 0x800) {
		buffer_add_char(out, (char)(0xc0 | code >> 6));
		buffer_add_char(out, (char)(0x80 | (code & 0x3f)));
	} else if (code < 0x10000) {
		buffer_add_char(out, (char)(0xe0 | code >> 12));
		buffer_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
		buffer_add_char(out, (char)(0x80 | (code & 0x3f)));
	} else {
		buffer_add_char(out, (char)(0xf0 | code >> 18));
		buffer_add_char(out, (char)(0x80 | (code >> 12 & 0x3f)));
		buffer_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
		buffer_add_char(out, (char)(0x80 | (code & 0x3f)));
	}
}
