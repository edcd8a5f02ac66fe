/*
 * fmt_text: text that is safe and fits.
 *
 * Whatever a name holds, the terminal gets no control character, no byte that
 * is not UTF-8 and nothing that turns the direction of writing: those come out
 * as \x1b, U+FFFD and \u202e.
 *
 * Widths are columns of a terminal: characters, those of the East Asian scripts
 * and emoji counting two and combining ones none.  They follow a table of our
 * own, not the locale, so the same records give the same bytes everywhere.
 */
#ifndef TPA_FMT_TEXT_H
#define TPA_FMT_TEXT_H

#include "buffer.h"

#include <stddef.h>

/*
 * Appends the plain text of a record's field, with U+FFFD for what is not UTF-8;
 * what is not known is nothing.
 */
void fmt_text_plain(struct buffer *out, const char *field, size_t length);

/* Appends JSON whose strings may hold such characters: as \u001b, the same to a reader. */
void fmt_text_json_safe(struct buffer *out, const char *json, size_t length);

/* Appends plain text as a JSON string, with its quotes, made safe in that way. */
void fmt_text_json(struct buffer *out, const char *plain, size_t length);

size_t fmt_text_width(const char *text, size_t length);

/* The bytes of the longest beginning, or end, that is at most so wide. */
size_t fmt_text_beginning(const char *text, size_t length, size_t width);
size_t fmt_text_ending(const char *text, size_t length, size_t width);

#endif
