/*
 * terminal: what must not reach one.
 *
 * Control characters, line separators, what turns the direction of writing, and
 * bytes that are not UTF-8.
 */
#ifndef TPA_TERMINAL_H
#define TPA_TERMINAL_H

#include "buffer.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The character that the text, of at least a byte, begins with: how many bytes it
 * has, and whether it is safe.  What is not UTF-8 is one byte, and not safe.
 */
size_t terminal_character(const char *text, size_t length, uint32_t *code, bool *safe);

/* Appends the text; what is not safe as \x1b or \u202e. */
void terminal_safe(struct buffer *out, const char *text, size_t length);

#endif
