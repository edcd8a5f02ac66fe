#include "terminal.h"

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
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *byte = (const unsigned char *)text;
	size_t count = byte[0] < 0x80 ? 1 : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
	uint32_t bits = count > 1 ? byte[0] & 0x7fu >> count : byte[0];
	bool sound = byte[0] < 0x80 || (byte[0] >= 0xc0 && count <= length);

	for (size_t i = 1; sound && i < count; i++) {
		sound = (byte[i] & 0xc0) == 0x80;
		bits = bits << 6 | (byte[i] & 0x3f);
	}
	sound = sound && bits >= least[count] && bits <= 0x10ffff;
	*code = sound ? bits : byte[0];
	*safe = sound && ((bits >= 0x20 && bits < 0x7f) || is_safe(bits));
	return sound ? count : 1;
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
