#include "rules.h"

#include "diag.h"
#include "fd_io.h"
#include "record_io.h"
#include "share.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const looks[LOOK_COUNT] = {
	[LOOK_KIND] = "kind", [LOOK_BASE] = "base", [LOOK_PATH] = "path",
	[LOOK_NAME] = "name", [LOOK_FULL] = "full",
};

static const char *const hows[] = {
	[HOW_EQUAL] = "equal",
	[HOW_PREFIX] = "prefix",
	[HOW_SUBSTRING] = "substring",
	[HOW_TOKEN] = "token",
};

static const char *const categories[] = {"communication", "compute", "memory", "elementwise",
					 "other"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A rules file while it is read. */
struct parser {
	struct rules *rules;
	const char *name; /* as messages and rule= call it */
	size_t line;
	const char *at; /* in the line */
	const char *end;
};

struct word {
	const char *text;
	size_t length;
	bool quoted;
};

/* The next word of the line; an empty one at its end, where a note begins. */
static struct word next_word(struct parser *parser)
{
	struct word word = {0};

	while (parser->at < parser->end && ascii_is_space(*parser->at))
		parser->at++;
	word.text = parser->at;
	if (parser->at == parser->end || *parser->at == '#')
		return word;
	if (*parser->at == '"') {
		const char *close =
			memchr(parser->at + 1, '"', (size_t)(parser->end - parser->at - 1));

		if (close) {
			word = (struct word){parser->at + 1, (size_t)(close - parser->at - 1), true};
			parser->at = close + 1;
			return word;
		}
	}
	while (parser->at < parser->end && !ascii_is_space(*parser->at))
		parser->at++;
	word.length = (size_t)(parser->at - word.text);
	return word;
}

static bool is_end(struct word word)
{
	return !word.length && !word.quoted;
}

static bool complain(const struct parser *parser, const char *what, struct word word)
{
	diag_error("%s:%zu: %s: \"%.*s\"", parser->name, parser->line, what,
		   (int)text_prefix(word.text, word.length, 60), word.text);
	return false;
}

static bool word_is(struct word word, const char *text)
{
	return !word.quoted && word.length == strlen(text) && !memcmp(word.text, text, word.length);
}

/* The word's place in a list, or -1. */
static int find_word(struct word word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (word_is(word, list[i]))
			return (int)i;
	return -1;
}

static void add_pattern(struct rules *rules, enum rule_how how, const char *text, size_t length)
{
	struct buffer out = BUFFER_INIT;

	if (how == HOW_TOKEN)
		kernel_tokens(&out, text, length);
	else
		text_lower(&out, text, length);
	rules->pattern = xgrow(rules->pattern, &rules->pattern_capacity, rules->patterns + 1,
			       sizeof(*rules->pattern));
	rules->pattern[rules->patterns++] = (struct rule_pattern){out.data, out.length};
}

static void add_wrapper(struct kernel_wrappers *wrappers, const char *text, size_t length)
{
	wrappers->path = xgrow(wrappers->path, &wrappers->capacity, wrappers->count + 1,
			       sizeof(*wrappers->path));
	wrappers->path[wrappers->count] = (struct buffer)BUFFER_INIT;
	text_lower(&wrappers->path[wrappers->count++], text, length);
}

/* Takes a pattern's alternatives apart, for `how` or, if that is -1, for wrappers. */
static bool read_pattern(struct parser *parser, int how)
{
	struct rules *rules = parser->rules;
	struct word word = next_word(parser);
	const char *end = word.text + word.length;

	if (is_end(word))
		return complain(parser, "no pattern", word);
	for (const char *at = word.text; at <= end;) {
		const char *bar = at < end ? memchr(at, '|', (size_t)(end - at)) : NULL;
		size_t length = (size_t)((bar ? bar : end) - at);

		if (!length)
			return complain(parser, "an empty alternative", word);
		if (how < 0)
			add_wrapper(&rules->wrappers, at, length);
		else
			add_pattern(rules, (enum rule_how)how, at, length);
		if (how == HOW_TOKEN && rules->pattern[rules->patterns - 1].length < 3)
			return complain(parser, "an alternative without a token", word);
		at += length + 1;
	}
	return true;
}

static bool read_test(struct parser *parser, struct word first)
{
	struct rules *rules = parser->rules;
	int look = find_word(first, looks, COUNT(looks)), how;
	struct word word;
	size_t start = rules->patterns;

	if (look < 0)
		return complain(parser, "not something to look at (kind, base, path, name, full)",
				first);
	word = next_word(parser);
	how = find_word(word, hows, COUNT(hows));
	if (how < 0)
		return complain(parser, "not a way to compare (equal, prefix, substring, token)",
				word);
	if (!read_pattern(parser, how))
		return false;
	rules->test = xgrow(rules->test, &rules->test_capacity, rules->tests + 1,
			    sizeof(*rules->test));
	rules->test[rules->tests++] = (struct rule_test){
		.look = (enum kernel_look)look,
		.how = (enum rule_how)how,
		.pattern = start,
		.patterns = rules->patterns - start,
	};
	rules->look_full |= look == LOOK_FULL;
	return true;
}

static bool is_class(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!ascii_is_digit(text[i]) && text[i] != '-' && text[i] != '_' &&
		    !(text[i] >= 'a' && text[i] <= 'z'))
			return false;
	return length;
}

static bool read_category(struct parser *parser, struct rule *rule, struct word word)
{
	const char *slash = word.length ? memchr(word.text, '/', word.length) : NULL;
	struct word category = word;
	int found;

	if (is_end(word))
		return complain(parser, "no category", word);
	if (slash)
		category.length = (size_t)(slash - word.text);
	found = find_word(category, categories, COUNT(categories));
	if (found < 0)
		return complain(parser, "unknown category", category);
	rule->category = categories[found];
	if (!slash)
		return true;
	if (!is_class(slash + 1, word.length - category.length - 1))
		return complain(parser, "not a class (lower-case letters, digits, - and _)", word);
	buffer_printf(&rule->mark, "class=%.*s", (int)word.length, word.text);
	return true;
}

static bool read_rule(struct parser *parser, struct word word)
{
	struct rules *rules = parser->rules;
	struct rule rule = {.test = rules->tests};

	do {
		if (!read_test(parser, word))
			return false;
		word = next_word(parser);
	} while (word_is(word, "and") && (word = next_word(parser), true));
	rule.tests = rules->tests - rule.test;
	if (!read_category(parser, &rule, word)) {
		buffer_release(&rule.mark);
		return false;
	}
	buffer_add_string(&rule.where, "rule=");
	text_escape(&rule.where, parser->name, strlen(parser->name));
	buffer_printf(&rule.where, ":%zu", parser->line);
	rules->rule = xgrow(rules->rule, &rules->capacity, rules->count + 1, sizeof(*rules->rule));
	rules->rule[rules->count++] = rule;
	return true;
}

static bool read_line(struct parser *parser)
{
	struct word word = next_word(parser);

	if (is_end(word))
		return true;
	if (!(word_is(word, "wrapper") ? read_pattern(parser, -1) : read_rule(parser, word)))
		return false;
	word = next_word(parser);
	if (!is_end(word))
		return complain(parser, "more than a rule (a note begins with #)", word);
	return true;
}

static bool read_lines(struct rules *rules, const char *name, const struct buffer *text)
{
	struct parser parser = {.rules = rules, .name = name};
	const char *at = text->data, *stop = text->data + text->length;

	while (at < stop) {
		const char *end = memchr(at, '\n', (size_t)(stop - at));

		parser.line++;
		parser.at = at;
		parser.end = end ? end : stop;
		if (!read_line(&parser))
			return false;
		at = parser.end + 1;
	}
	return true;
}

static bool read_file(struct buffer *text, const char *path)
{
	const char *name;
	int fd = record_open(path, &name);
	int result;

	if (fd < 0)
		return false;
	result = fd_read_all(fd, text, RULES_SIZE_MAX);
	if (result < 0)
		diag_error("%s: cannot read: %s", name, strerror(errno));
	else if (result > 0)
		diag_error("%s: a rules file of more than 16 MiB", name);
	if (strcmp(path, "-") != 0) /* not by number: with standard input closed it may be 0 */
		close(fd);
	return !result;
}

bool rules_load(struct rules *rules, const char *name)
{
	struct buffer text = BUFFER_INIT, path = BUFFER_INIT, shared = BUFFER_INIT;
	bool loaded;

	if (!strpbrk(name, "/.")) {
		buffer_printf(&shared, "%s.rules", name);
		buffer_add_char(&shared, '\0');
		name = shared.data;
		share_path(&path, name);
	} else {
		buffer_add(&path, name, strlen(name) + 1);
	}
	loaded = read_file(&text, path.data) && read_lines(rules, name, &text);
	buffer_release(&text);
	buffer_release(&path);
	buffer_release(&shared);
	return loaded;
}

static bool pattern_holds(const struct kernel_match *match, const struct rule_test *test,
			  const struct rule_pattern *pattern)
{
	const struct buffer *text = test->how == HOW_TOKEN ? &match->tokens[test->look]
							   : &match->lowered[test->look];

	switch (test->how) {
	case HOW_EQUAL:
		return text->length == pattern->length &&
		       text_starts(text->data, text->length, pattern->text, pattern->length);
	case HOW_PREFIX:
		return text_starts(text->data, text->length, pattern->text, pattern->length);
	case HOW_SUBSTRING:
	case HOW_TOKEN:
	default:
		return text_contains(text->data, text->length, pattern->text, pattern->length);
	}
}

static bool test_holds(const struct rules *rules, const struct kernel_match *match,
		       const struct rule_test *test)
{
	for (size_t i = 0; i < test->patterns; i++)
		if (pattern_holds(match, test, &rules->pattern[test->pattern + i]))
			return true;
	return false;
}

const struct rule *rules_match(const struct rules *rules, const struct kernel_match *match)
{
	for (size_t i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->rule[i];
		size_t held = 0;

		while (held < rule->tests &&
		       test_holds(rules, match, &rules->test[rule->test + held]))
			held++;
		if (held == rule->tests)
			return rule;
	}
	return NULL;
}

void rules_release(struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		buffer_release(&rules->rule[i].mark);
		buffer_release(&rules->rule[i].where);
	}
	for (size_t i = 0; i < rules->patterns; i++)
		free((char *)rules->pattern[i].text);
	for (size_t i = 0; i < rules->wrappers.count; i++)
		buffer_release(&rules->wrappers.path[i]);
	free(rules->rule);
	free(rules->test);
	free(rules->pattern);
	free(rules->wrappers.path);
	*rules = (struct rules)RULES_INIT;
}
