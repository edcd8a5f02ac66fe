/*
 * JSON lines: one object a record, its columns by name.
 *
 * Numbers are numbers, with just the digits of the record; what is not known is
 * null; text is plain.  Columns after the last one we know are in "extensions".
 */
#include "diag.h"
#include "fmt_formats.h"
#include "fmt_number.h"
#include "fmt_text.h"
#include "xalloc.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>

struct jsonl {
	const struct request *request;
	struct buffer text, line;
};

static struct json_object *there(struct json_object *value)
{
	if (!value)
		diag_die("out of memory");
	return value;
}

static struct json_object *text_value(struct jsonl *jsonl, const char *text, size_t length)
{
	buffer_clear(&jsonl->text);
	fmt_text_plain(&jsonl->text, text, length);
	if (!jsonl->text.length)
		return NULL;
	return there(json_object_new_string_len(jsonl->text.data, (int)jsonl->text.length));
}

/* json-c writes a double as the text that it was made from. */
static bool number_value(struct jsonl *jsonl, struct record *record, int column,
			 struct json_object **value)
{
	*value = NULL;
	buffer_clear(&jsonl->text);
	if (!fmt_number(&jsonl->text, record, column))
		return false;
	if (!jsonl->text.length)
		return true;
	buffer_add_char(&jsonl->text, '\0');
	*value = there(json_object_new_double_s(0, jsonl->text.data));
	return true;
}

static bool column_value(struct jsonl *jsonl, struct record *record, int column,
			 struct json_object **value)
{
	const struct record_columns *columns = &record_columns[record->type];

	if (!column)
		*value = there(json_object_new_string(columns->type));
	else if (columns->column[column].kind == COLUMN_TEXT)
		*value = text_value(jsonl, record->field[column].text,
				    record->field[column].length);
	else
		return number_value(jsonl, record, column, value);
	return true;
}

static void add(struct json_object *object, const char *key, struct json_object *value)
{
	if (json_object_object_add(object, key, value))
		diag_die("out of memory");
}

static bool add_columns(struct jsonl *jsonl, struct json_object *object, struct record *record)
{
	const struct record_columns *columns = &record_columns[record->type];
	const struct choice *choice = &jsonl->request->choice;
	int count = choice->made ? choice->count : columns->end;

	for (int i = 0; i < count; i++) {
		int column = choice->made ? choice->column[record->type][i] : i;
		struct json_object *value;

		if (!column_value(jsonl, record, column, &value))
			return false;
		add(object, column ? columns->column[column].name : "type", value);
	}
	return true;
}

/* Fields with the tabs between them, as an array of text. */
static struct json_object *fields_value(struct jsonl *jsonl, const char *at, const char *end)
{
	struct json_object *fields = there(json_object_new_array());

	for (const char *tab; at; at = tab ? tab + 1 : NULL) {
		tab = memchr(at, '\t', (size_t)(end - at));
		if (json_object_array_add(fields, text_value(jsonl, at,
							     (size_t)((tab ? tab : end) - at))))
			diag_die("out of memory");
	}
	return fields;
}

static void add_foreign(struct jsonl *jsonl, struct json_object *object,
			const struct record *record)
{
	const char *end = record->line + record->length;
	const char *tab = memchr(record->line, '\t', record->length);

	add(object, "type", text_value(jsonl, record->line,
				       (size_t)((tab ? tab : end) - record->line)));
	if (tab)
		add(object, "fields", fields_value(jsonl, tab + 1, end));
}

static void put_object(struct jsonl *jsonl, struct json_object *object)
{
	size_t length;
	const char *text = json_object_to_json_string_length(
		object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);

	/* json-c leaves out what it has no memory for, and does not say so */
	if (!text || errno == ENOMEM)
		diag_die("out of memory");
	buffer_clear(&jsonl->line);
	fmt_text_json_safe(&jsonl->line, text, length);
	buffer_add_char(&jsonl->line, '\n');
	record_put_lines(jsonl->request->out, jsonl->line.data, jsonl->line.length);
}

static bool take_known(struct jsonl *jsonl, struct json_object *object, struct record *record)
{
	struct field more;

	if (!add_columns(jsonl, object, record))
		return false;
	if (record->fields <= record_columns[record->type].end || jsonl->request->choice.made)
		return true;
	more = record->field[record_columns[record->type].end];
	add(object, "extensions", fields_value(jsonl, more.text, more.text + more.length));
	return true;
}

static bool is_wanted(const struct jsonl *jsonl, const struct record *record)
{
	const struct choice *choice = &jsonl->request->choice;

	if (record->type != RECORD_UNKNOWN)
		return !choice->made || choice->has[record->type];
	return !choice->made && record->length && record->line[0] != '#';
}

static bool take(void *state, struct record *record)
{
	struct jsonl *jsonl = state;
	struct json_object *object;
	bool sound = true;

	if (!is_wanted(jsonl, record))
		return true;
	errno = 0;
	object = there(json_object_new_object());
	if (record->type == RECORD_UNKNOWN)
		add_foreign(jsonl, object, record);
	else
		sound = take_known(jsonl, object, record);
	if (sound)
		put_object(jsonl, object);
	json_object_put(object);
	return sound;
}

static void *open_jsonl(const struct request *request)
{
	struct jsonl *jsonl = xcalloc(1, sizeof(*jsonl));

	jsonl->request = request;
	return jsonl;
}

static void close_jsonl(void *state)
{
	struct jsonl *jsonl = state;

	buffer_release(&jsonl->text);
	buffer_release(&jsonl->line);
	free(jsonl);
}

const struct format format_jsonl = {"jsonl", open_jsonl, take, close_jsonl};
