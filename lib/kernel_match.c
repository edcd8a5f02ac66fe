#include "kernel_match.h"

#include "mangled.h"
#include "text.h"

/* So many wrappers around one another are looked into. */
#define WRAPPERS_DEEP 8

struct span {
	const char *text;
	size_t length;
};

static void advance(struct span *span, size_t count)
{
	span->text += count;
	span->length -= count;
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_word(char c)
{
	return is_upper(c) || is_lower(c) || ascii_is_digit(c) || (c & 0x80);
}

void kernel_tokens(struct buffer *out, const char *text, size_t length)
{
	char last = '\0';

	buffer_add_char(out, '_');
	for (size_t i = 0; i < length; i++) {
		char c = text[i];
		bool begins = is_upper(c) && is_word(last) &&
			      (!is_upper(last) || (i + 1 < length && is_lower(text[i + 1])));

		if (begins || (!is_word(c) && is_word(last)))
			buffer_add_char(out, '_');
		if (is_word(c))
			buffer_add_char(out, ascii_lower(c));
		last = c;
	}
	if (is_word(last))
		buffer_add_char(out, '_');
}

/*
 * Where the bracket that opens at `at` has closed.  "<" and ">" inside
 * parentheses may be comparisons: a ">" closes only a "<" of its own level.
 */
static size_t after_bracket(struct span span, size_t at)
{
	struct buffer open = BUFFER_INIT;
	size_t i = at;

	for (; i < span.length; i++) {
		char c = span.text[i];

		if (c == '<' || c == '(') {
			buffer_add_char(&open, c);
		} else if (c == ')') {
			while (open.length && open.data[--open.length] != '(')
				;
		} else if (c == '>' && open.length && open.data[open.length - 1] == '<' &&
			   span.text[i - 1] != '-') {
			open.length--;
		}
		if (!open.length)
			break;
	}
	buffer_release(&open);
	return i < span.length ? i + 1 : span.length;
}

static void drop_return_type(struct span *span)
{
	static const char enable[] = "std::enable_if<";
	static const char type[] = "::type ";

	if (TEXT_STARTS(span->text, span->length, "void "))
		advance(span, 5);
	if (TEXT_STARTS(span->text, span->length, enable)) {
		struct span rest = *span;

		advance(&rest, after_bracket(*span, sizeof(enable) - 2));
		if (TEXT_STARTS(rest.text, rest.length, type)) {
			advance(&rest, sizeof(type) - 1);
			*span = rest;
		}
	}
}

static void add_without_anonymous(struct buffer *out, struct span span)
{
	static const char *const anonymous[] = {"(anonymous namespace)::", "<unnamed>::",
						"{anonymous}::"};

	while (span.length) {
		size_t skip = 0;

		for (size_t i = 0; i < sizeof(anonymous) / sizeof(anonymous[0]) && !skip; i++)
			if (text_starts(span.text, span.length, anonymous[i], strlen(anonymous[i])))
				skip = strlen(anonymous[i]);
		if (!skip)
			buffer_add_char(out, *span.text);
		advance(&span, skip ? skip : 1);
	}
}

static size_t path_length(struct span span)
{
	size_t length = 0;

	while (length < span.length && span.text[length] != '<' && span.text[length] != '(')
		length++;
	return length;
}

/* Up to the parameter list, if it has one. */
static size_t name_length_of(struct span span)
{
	size_t at = path_length(span);

	while (at < span.length && span.text[at] == '<') {
		struct span rest = span;

		at = after_bracket(span, at);
		advance(&rest, at);
		at += path_length(rest);
	}
	return at;
}

static struct span trimmed(struct span span)
{
	while (span.length && ascii_is_space(*span.text))
		advance(&span, 1);
	while (span.length && ascii_is_space(span.text[span.length - 1]))
		span.length--;
	return span;
}

static void cut_at(struct span *span, const char *mark)
{
	const char *found =
		span->length ? memmem(span->text, span->length, mark, strlen(mark)) : NULL;

	if (found)
		span->length = (size_t)(found - span->text);
}

static void cut_cute_dsl(struct span *span)
{
	static const char prefix[] = "kernel_cutlass_";

	if (!TEXT_STARTS(span->text, span->length, prefix))
		return;
	advance(span, sizeof(prefix) - 1);
	cut_at(span, "_object_at_");
	cut_at(span, "_tensor");
}

/* The name proper, in `clean`, of a canonical name. */
static struct span clean_name(struct kernel_match *match, struct span raw)
{
	struct span name;

	buffer_clear(&match->clean);
	if (!mangled_read(&match->clean, raw.text, raw.length)) {
		drop_return_type(&raw);
		add_without_anonymous(&match->clean, raw);
	}
	name = (struct span){match->clean.data, match->clean.length};
	cut_at(&name, " [clone ");
	if (TEXT_ENDS(name.text, name.length, ".kd"))
		name.length -= 3;
	name.length = name_length_of(name);
	name = trimmed(name);
	cut_cute_dsl(&name);
	return name;
}

static bool is_wrapper(const struct kernel_wrappers *wrappers, struct span path)
{
	struct buffer lowered = BUFFER_INIT;
	bool found = false;

	text_lower(&lowered, path.text, path.length);
	for (size_t i = 0; i < wrappers->count && !found; i++) {
		const struct buffer *wrapper = &wrappers->path[i];
		size_t before = lowered.length - wrapper->length;

		found = text_ends(lowered.data, lowered.length, wrapper->data, wrapper->length) &&
			(!before || lowered.data[before - 1] == ':');
	}
	buffer_release(&lowered);
	return found;
}

/* A template argument that can say something: no number, plain word or type (..._t). */
static bool is_telling(struct span argument)
{
	char first = argument.length ? *argument.text : '\0';

	if ((!is_upper(first) && !is_lower(first) && first != '_') ||
	    TEXT_ENDS(argument.text, argument.length, "_t"))
		return false;
	for (size_t i = 0; i < argument.length; i++)
		if (strchr("_:<(", argument.text[i]))
			return true;
	return false;
}

/* The first telling argument between the brackets, up to the end of the text; or none. */
static struct span first_argument(struct span inside)
{
	size_t start = 0, at = 0;

	while (at <= inside.length) {
		char c = at < inside.length ? inside.text[at] : '>';

		if (c == '<' || c == '(') {
			at = after_bracket(inside, at);
		} else if (c == ',' || c == '>') {
			struct span argument = trimmed((struct span){inside.text + start, at - start});

			drop_return_type(&argument);
			if (is_telling(argument))
				return argument;
			if (c == '>')
				break;
			start = ++at;
		} else {
			at++;
		}
	}
	return (struct span){NULL, 0};
}

/* The path that says something. */
static struct span telling_path(const struct kernel_wrappers *wrappers, struct span name)
{
	struct span path = {name.text, path_length(name)};

	for (int depth = 0; depth < WRAPPERS_DEEP; depth++) {
		struct span inside = name;

		if (path.length == name.length || name.text[path.length] != '<' ||
		    !is_wrapper(wrappers, path))
			break;
		advance(&inside, path.length + 1);
		name = first_argument(inside);
		if (!name.length)
			break;
		path = (struct span){name.text, path_length(name)};
	}
	return trimmed(path);
}

static struct span base_of(struct span path)
{
	for (size_t i = path.length; i-- > 0;)
		if (path.text[i] == ':')
			return (struct span){path.text + i + 1, path.length - i - 1};
	return path;
}

static void set_look(struct kernel_match *match, enum kernel_look look, struct span span)
{
	buffer_clear(&match->lowered[look]);
	text_lower(&match->lowered[look], span.text, span.length);
	buffer_clear(&match->tokens[look]);
	kernel_tokens(&match->tokens[look], span.text, span.length);
}

void kernel_match_set(struct kernel_match *match, const struct kernel_wrappers *wrappers,
		      const char *kind, size_t kind_length, const char *name, size_t name_length,
		      const char *params, size_t params_length)
{
	struct buffer *raw = &match->unescaped;
	struct span clean, path;
	size_t canonical;

	buffer_clear(raw);
	text_unescape(raw, kind, kind_length);
	set_look(match, LOOK_KIND, (struct span){raw->data, raw->length});

	buffer_clear(raw);
	text_unescape(raw, name, name_length);
	canonical = raw->length;
	text_unescape(raw, params, params_length);
	set_look(match, LOOK_FULL, (struct span){raw->data, raw->length});

	clean = clean_name(match, (struct span){raw->data, canonical});
	path = telling_path(wrappers, clean);
	set_look(match, LOOK_NAME, clean);
	set_look(match, LOOK_PATH, path);
	set_look(match, LOOK_BASE, base_of(path));
}

void kernel_match_release(struct kernel_match *match)
{
	for (int look = 0; look < LOOK_COUNT; look++) {
		buffer_release(&match->lowered[look]);
		buffer_release(&match->tokens[look]);
	}
	buffer_release(&match->clean);
	buffer_release(&match->unescaped);
}
