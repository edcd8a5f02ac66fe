/*
 * text: what is done to the characters of names and labels.
 *
 * Text is UTF-8 in memory, given as pointer and length (it may hold NUL).  All
 * functions append to `out`, which the caller owns; `out` must not be the
 * buffer that the input lies in.
 *
 * Lengths "in characters" count Unicode code points, not bytes.
 */
#ifndef TPA_TEXT_H
#define TPA_TEXT_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>

static inline char ascii_lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static inline bool ascii_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Lower-cases ASCII letters; everything else is copied. */
void text_lower(struct buffer *out, const char *text, size_t length);

/*
 * Runs of blank, TAB, LF, VT, FF and CR become one blank, the ends are trimmed
 * (normalize_text of the reference script).
 */
void text_fold(struct buffer *out, const char *text, size_t length);

/*
 * The bytes of the UTF-8 character that the text, of at least one byte, begins
 * with; *valid says whether it is one.  What is none is as long as the part of it
 * that could have begun one, at least 1.
 */
size_t text_sequence(const char *text, size_t length, bool *valid);

/*
 * Copies; what is not UTF-8 becomes U+FFFD, one for each byte that could not
 * have begun a character and one for each character cut short.
 */
void text_repair(struct buffer *out, const char *text, size_t length);

/*
 * The text of a record's field: backslash, TAB, LF, CR and other bytes below
 * 0x20, and 0x7f, are escaped; empty text becomes "-" and "-" becomes "\-".
 */
void text_escape(struct buffer *out, const char *text, size_t length);

/* The reverse: "-" is nothing.  A malformed escape stands for itself. */
void text_unescape(struct buffer *out, const char *field, size_t length);

/* How many characters it has. */
size_t text_characters(const char *text, size_t length);

/* The bytes of its first `characters` characters. */
size_t text_prefix(const char *text, size_t length, size_t characters);

/*
 * Folds and, if longer than `characters`, cuts it so that with three dots it
 * has just that many (short_name of the reference script).
 */
void text_shorten(struct buffer *out, const char *text, size_t length, size_t characters);

/*
 * Only the ASCII letters and digits, lowered: what is compared when two names
 * are to match loosely (normalize_match_text of the reference script).
 */
void text_compact(struct buffer *out, const char *text, size_t length);

/* Whether `part` occurs in `text`, begins it or ends it.  The empty part does. */
bool text_contains(const char *text, size_t length, const char *part, size_t part_length);
bool text_starts(const char *text, size_t length, const char *part, size_t part_length);
bool text_ends(const char *text, size_t length, const char *part, size_t part_length);

/* The same for a part that is a string literal. */
#define TEXT_CONTAINS(text, length, literal) text_contains(text, length, literal, sizeof(literal) - 1)
#define TEXT_STARTS(text, length, literal) text_starts(text, length, literal, sizeof(literal) - 1)
#define TEXT_ENDS(text, length, literal) text_ends(text, length, literal, sizeof(literal) - 1)
#define TEXT_IS(text, length, literal) \
	((length) == sizeof(literal) - 1 && !memcmp(text, literal, sizeof(literal) - 1))

/* Bytewise order, which for UTF-8 is the order of code points. */
int text_compare(const char *a, size_t a_length, const char *b, size_t b_length);

/* Appends the UTF-8 form of a code point; surrogates become U+FFFD. */
void text_add_code_point(struct buffer *out, unsigned long code);

#endif
