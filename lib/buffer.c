#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void buffer_add_string(struct buffer *buffer, const char *string)
{
	buffer_add(buffer, string, strlen(string));
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	buffer_room(buffer, (size_t)length + 1);
	va_start(arguments, format);
	vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, arguments);
	va_end(arguments);
	buffer->length += (size_t)length;
}

void buffer_release(struct buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct buffer)BUFFER_INIT;
}
