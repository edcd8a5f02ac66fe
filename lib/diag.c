#include "diag.h"

#include "terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *tool_name = "tpa";
static bool quiet_notes;
static void (*die_function)(void *);
static void *die_argument;

void diag_init(const char *tool)
{
	tool_name = tool;
}

const char *diag_tool(void)
{
	return tool_name;
}

void diag_quiet(bool quiet)
{
	quiet_notes = quiet;
}

bool diag_notes_wanted(void)
{
	return !quiet_notes;
}

void diag_on_die(void (*function)(void *), void *argument)
{
	die_function = function;
	die_argument = argument;
}

/* No allocation here: the message may be that there is no memory. */
static void say(const char *format, va_list arguments)
{
	char plain[2048], safe[2 * sizeof(plain)];
	int length = vsnprintf(plain, sizeof(plain), format, arguments);
	size_t used = (size_t)snprintf(safe, sizeof(safe), "%.64s: ", tool_name);

	for (const char *p = plain; length >= 0 && *p && used < sizeof(safe) - 8;) {
		uint32_t code;
		bool is_safe;
		size_t step = terminal_character(p, strlen(p), &code, &is_safe);

		if (is_safe) {
			memcpy(safe + used, p, step);
			used += step;
		} else {
			used += (size_t)snprintf(safe + used, 8,
						 code < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)code);
		}
		p += step;
	}
	safe[used++] = '\n';
	if (write(STDERR_FILENO, safe, used) < 0)
		return;
}

void diag_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

void diag_note(const char *format, ...)
{
	va_list arguments;

	if (quiet_notes)
		return;
	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

void diag_die(const char *format, ...)
{
	va_list arguments;
	void (*function)(void *) = die_function;

	die_function = NULL;
	if (function)
		function(die_argument);
	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	exit(TPA_FAILED);
}

void diag_misuse(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	diag_error("'%s -h' lists the options", tool_name);
	exit(TPA_MISUSE);
}
