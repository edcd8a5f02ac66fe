/*
 * buffer: growable bytes.
 *
 *	struct buffer b = BUFFER_INIT;
 *	buffer_add(&b, "abc", 3);
 *	...
 *	buffer_release(&b);
 *
 * `data` is NULL until the first byte is added, and moves when the buffer
 * grows: never keep a pointer into it across an add.  It is not terminated.
 */
#ifndef TPA_BUFFER_H
#define TPA_BUFFER_H

#include "xalloc.h"

#include <stddef.h>
#include <string.h>

struct buffer {
	char *data;
	size_t length;
	size_t capacity;
};

#define BUFFER_INIT {NULL, 0, 0}

/* Makes room for `more` bytes beyond length. */
static inline void buffer_room(struct buffer *buffer, size_t more)
{
	if (buffer->capacity - buffer->length < more)
		buffer->data = xgrow(buffer->data, &buffer->capacity, buffer->length + more, 1);
}

static inline void buffer_add(struct buffer *buffer, const void *bytes, size_t count)
{
	if (!count)
		return;
	buffer_room(buffer, count);
	memcpy(buffer->data + buffer->length, bytes, count);
	buffer->length += count;
}

static inline void buffer_add_char(struct buffer *buffer, char c)
{
	buffer_room(buffer, 1);
	buffer->data[buffer->length++] = c;
}

void buffer_add_string(struct buffer *buffer, const char *string);
void buffer_printf(struct buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Empties it and keeps the memory. */
static inline void buffer_clear(struct buffer *buffer)
{
	buffer->length = 0;
}

/* Frees it; it may be used again as if new. */
void buffer_release(struct buffer *buffer);

#endif
