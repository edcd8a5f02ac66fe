#include "extract_json.h"

#include <string.h>
#include <strings.h>

/* Whether the word is `name`, in any case. */
static bool is_word(const char *word, size_t length, const char *name)
{
	return length == strlen(name) && !strncasecmp(word, name, length);
}

bool json_is_bare_value(const unsigned char *at, size_t length)
{
	static const char *const names[] = {"null", "true", "false", "none", "undefined"};
	const char *word = (const char *)at;

	if (length && (*word == '-' || *word == '+')) {
		word++;
		length--;
	}
	if (!length)
		return false;
	if (ascii_is_digit(*word) || *word == '.')
		return true;
	/* not finite, and perhaps more about it: "nan(ind)" */
	if (is_word(word, length, "inf") || is_word(word, length, "infinity") ||
	    (length >= 3 && is_word(word, 3, "nan") &&
	     (length == 3 || (word[3] == '(' && word[length - 1] == ')'))))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_word(word, length, names[i]))
			return true;
	return false;
}

/* The four hexadecimal digits of a \u escape, or -1. */
static long hex_four(const char *at, const char *end)
{
	long code = 0;

	if (end - at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = ascii_lower(at[i]);

		if (ascii_is_digit(c))
			code = code * 16 + (c - '0');
		else if (c >= 'a' && c <= 'f')
			code = code * 16 + (c - 'a' + 10);
		else
			return -1;
	}
	return code;
}

/* Resolves the escape at `at` (behind its backslash) and returns what follows it. */
static const char *add_escape(struct buffer *out, const char *at, const char *end)
{
	static const char letters[] = "bfnrt\"\\/", bytes[] = "\b\f\n\r\t\"\\/";
	const char *found = *at ? strchr(letters, *at) : NULL;
	long code, low;

	if (found) {
		buffer_add_char(out, bytes[found - letters]);
		return at + 1;
	}
	code = *at == 'u' ? hex_four(at + 1, end) : -1;
	if (code < 0) {
		buffer_add_char(out, '\\');
		return at;
	}
	at += 5;
	if (code >= 0xd800 && code < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
		low = hex_four(at + 2, end);
		if (low >= 0xdc00 && low < 0xe000) {
			code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
			at += 6;
		}
	}
	text_add_code_point(out, (unsigned long)code);
	return at;
}

void json_text(struct buffer *out, const struct json_slice *slice)
{
	const char *at = slice->text, *end = slice->text + slice->length;
	struct buffer plain = BUFFER_INIT;

	if (!slice->escaped) {
		text_repair(out, slice->text, slice->length);
		return;
	}
	while (at < end) {
		const char *backslash = memchr(at, '\\', (size_t)(end - at));
		const char *stop = backslash ? backslash : end;

		buffer_add(&plain, at, (size_t)(stop - at));
		at = stop;
		if (backslash)
			at = backslash + 1 < end ? add_escape(&plain, backslash + 1, end) : end;
	}
	text_repair(out, plain.data, plain.length);
	buffer_release(&plain);
}
