/*
 * extract_json: JSON values, found but not built.
 *
 * Values are slices of the trace's window.  Scanning works on [at, end) with
 * INPUT_PAD quotes behind `end` (extract_input.h).  A function that returns a
 * place returns NULL when it cannot go on, and says where and why in *fault.
 */
#ifndef TPA_EXTRACT_JSON_H
#define TPA_EXTRACT_JSON_H

#include "buffer.h"
#include "extract_skip.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

/* A JSON value as it stands in the trace. */
struct json_slice {
	const char *text; /* of text: between its quotes */
	uint32_t length;
	enum { JSON_TEXT, JSON_BARE, JSON_NESTED } kind; /* bare: number, true, null, nan, ... */
	bool escaped;					 /* text with a backslash in it */
};

/* Appends the text of a value: escapes resolved, what is not UTF-8 repaired. */
void json_text(struct buffer *out, const struct json_slice *slice);

/* Whether a bare word may stand as a value: a number, or one of a few names. */
bool json_is_bare_value(const unsigned char *at, size_t length);

typedef const unsigned char *cursor;

/* Where scanning stopped: `at` is the byte at fault. */
struct fault {
	cursor at;
	bool cut; /* the window ended there */
};

static inline cursor fail(struct fault *fault, cursor at, cursor end)
{
	fault->at = at;
	fault->cut = at >= end;
	return NULL;
}

static inline cursor cut(struct fault *fault, cursor end)
{
	return fail(fault, end, end);
}

/*
 * From an opening bracket to behind the one that closes it.  Brackets are told
 * from braces only by their number, which finds a missing one at once.
 */
static inline cursor skip_nested(cursor at, cursor end, struct fault *fault)
{
	struct bracket_depth depth = {0};
	cursor close = skip_brackets(at, end, &depth);

	if (!close)
		return cut(fault, end);
	return depth.square ? fail(fault, close, end) : close + 1;
}

/* Over a number, or a word that may stand as a value. */
static inline cursor skip_bare_value(cursor at, cursor end, struct fault *fault)
{
	cursor start = at;

	at = skip_bare(at);
	if (at >= end)
		return cut(fault, end);
	if (!ascii_is_digit((char)*start) && !json_is_bare_value(start, (size_t)(at - start)))
		return fail(fault, start, end);
	return at;
}

/* From the first byte of a value to behind its last; what it is, is in *slice. */
static inline cursor scan_value(cursor at, cursor end, struct json_slice *slice, struct fault *fault)
{
	cursor start = at;

	slice->escaped = false;
	if (*at == '"') {
		at = skip_text(++start, end, &slice->escaped);
		if (!at)
			return cut(fault, end);
		slice->kind = JSON_TEXT;
	} else if (*at == '{' || *at == '[') {
		at = skip_nested(at, end, fault);
		slice->kind = JSON_NESTED;
	} else {
		at = skip_bare_value(at, end, fault);
		slice->kind = JSON_BARE;
	}
	if (!at)
		return NULL;
	slice->text = (const char *)start;
	slice->length = (uint32_t)(at - start);
	return at + (slice->kind == JSON_TEXT);
}

/* The same for a value that nobody looks at. */
static inline cursor skip_value(cursor at, cursor end, struct fault *fault)
{
	struct json_slice slice;

	return scan_value(at, end, &slice, fault);
}

#endif
