#include "terminal.h"

#include "text.h"

static bool is_safe(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} unsafe[] = {
		{0x00, 0x1f},	  {0x7f, 0x9f},	    {0x061c, 0x061c}, {0x200e, 0x200f},
		{0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff},
	};

	for (size_t i = 0; i < sizeof(unsafe) / sizeof(unsafe[0]); i++)
		if (code >= unsafe[i].first && code <= unsafe[i].last)
			return false;
	return true;
}

size_t terminal_character(const char *text, size_t length, uint32_t *code, bool *safe)
{
	const unsigned char *byte = (const unsigned char *)text;
	bool valid;
	size_t count = text_sequence(text, length, &valid);

	*code = byte[0];
	*safe = false;
	if (!valid)
		return 1;
	if (count > 1)
		*code &= 0x7fu >> count;
	for (size_t i = 1; i < count; i++)
		*code = *code << 6 | (byte[i] & 0x3f);
	*safe = (*code >= 0x20 && *code < 0x7f) || is_safe(*code);
	return count;
}

void terminal_safe(struct buffer *out, const char *text, size_t length)
{
	for (size_t at = 0, step; at < length; at += step) {
		uint32_t code;
		bool safe;

		step = terminal_character(text + at, length - at, &code, &safe);
		if (safe)
			buffer_add(out, text + at, step);
		else
			buffer_printf(out, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
	}
}
