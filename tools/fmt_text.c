#include "fmt_text.h"

#include "terminal.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

struct range {
	uint32_t first, last;
};

static const struct range wide[] = {
	{0x1100, 0x115f},   {0x2e80, 0x303e},	{0x3041, 0xa4cf},   {0xa960, 0xa97c},
	{0xac00, 0xd7a3},   {0xf900, 0xfaff},	{0xfe30, 0xfe6f},   {0xff01, 0xff60},
	{0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
	{0x20000, 0x3fffd},
};

static const struct range combining[] = {
	{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f}, {0x200b, 0x200d},
	{0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

#define IN(table, code) is_in(table, sizeof(table) / sizeof((table)[0]), code)

static bool is_in(const struct range *table, size_t count, uint32_t code)
{
	for (size_t i = 0; i < count; i++)
		if (code >= table[i].first && code <= table[i].last)
			return true;
	return false;
}

static uint32_t character(const char *text, size_t length, size_t *step)
{
	uint32_t code;
	bool safe;

	*step = terminal_character(text, length, &code, &safe);
	return code;
}

void fmt_text_plain(struct buffer *out, const char *field, size_t length)
{
	struct buffer plain = BUFFER_INIT;

	text_unescape(&plain, field, length);
	if (plain.length)
		text_repair(out, plain.data, plain.length);
	buffer_release(&plain);
}

static size_t width_of(uint32_t code)
{
	if (code < 0x300)
		return 1;
	return IN(combining, code) ? 0 : IN(wide, code) ? 2 : 1;
}

void fmt_text_json_safe(struct buffer *out, const char *json, size_t length)
{
	size_t from = 0;

	for (size_t at = 0, step; at < length; at += step) {
		uint32_t code;
		bool safe;

		step = terminal_character(json + at, length - at, &code, &safe);
		if (safe)
			continue;
		buffer_add(out, json + from, at - from);
		buffer_printf(out, "\\u%04x", code);
		from = at + step;
	}
	if (from < length)
		buffer_add(out, json + from, length - from);
}

void fmt_text_json(struct buffer *out, const char *plain, size_t length)
{
	size_t from = 0;

	buffer_add_char(out, '"');
	for (size_t i = 0; i < length; i++) {
		if (plain[i] != '"' && plain[i] != '\\')
			continue;
		fmt_text_json_safe(out, plain + from, i - from);
		buffer_add_char(out, '\\');
		from = i;
	}
	if (from < length)
		fmt_text_json_safe(out, plain + from, length - from);
	buffer_add_char(out, '"');
}

size_t fmt_text_width(const char *text, size_t length)
{
	size_t width = 0;

	for (size_t at = 0, step; at < length; at += step)
		width += width_of(character(text + at, length - at, &step));
	return width;
}

size_t fmt_text_beginning(const char *text, size_t length, size_t width)
{
	size_t at = 0, step;

	for (; at < length; at += step) {
		size_t here = width_of(character(text + at, length - at, &step));

		if (here > width)
			break;
		width -= here;
	}
	return at;
}

size_t fmt_text_ending(const char *text, size_t length, size_t width)
{
	size_t over = fmt_text_width(text, length), at = 0, step;

	for (; at < length && over > width; at += step)
		over -= width_of(character(text + at, length - at, &step));
	return length - at;
}
