#include "srcmap_kernel_map.h"

#include "buffer.h"
#include "diag.h"
#include "fd_io.h"
#include "number.h"
#include "text.h"
#include "xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One "kernels" object, its keys also in lower case. */
struct table {
	struct field stage; /* of the tables of "stages" */
	struct key {
		struct field name;
		char *lowered;
		size_t characters;
		json_object *entry;
	} * key;
	size_t keys, capacity;
};

struct kernel_map {
	json_object *root;
	struct table *stage;
	size_t stages, capacity;
	struct table global;
};

static json_object *member(json_object *object, const char *key)
{
	json_object *value = NULL;

	if (json_object_is_type(object, json_type_object))
		json_object_object_get_ex(object, key, &value);
	return value;
}

/* The file, with U+FFFD for what is not UTF-8 in it. */
static void read_text(struct buffer *text, const char *path)
{
	struct buffer raw = BUFFER_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		diag_die("%s: cannot open: %s", path, strerror(errno));
	if (fd_read_all(fd, &raw, INT_MAX) < 0)
		diag_die("%s: cannot read: %s", path, strerror(errno));
	close(fd);
	text_repair(text, raw.data, raw.length);
	buffer_release(&raw);
}

static json_object *read_json(const char *path)
{
	struct buffer text = BUFFER_INIT;
	enum json_tokener_error error;
	json_tokener *tokener;
	json_object *root;

	read_text(&text, path);
	if (text.length > INT_MAX)
		diag_die("%s: not a kernel map: more than 2 GiB", path);
	errno = 0;
	tokener = json_tokener_new();
	root = tokener ? json_tokener_parse_ex(tokener, text.data, (int)text.length) : NULL;
	/* json-c leaves out what it has no memory for, and does not say so */
	if (!tokener || errno == ENOMEM)
		diag_die("out of memory");
	error = json_tokener_get_error(tokener);
	if (error == json_tokener_continue || !text.length)
		diag_die("%s: not a kernel map: the JSON is cut short", path);
	if (error != json_tokener_success)
		diag_die("%s: not a kernel map: %s", path, json_tokener_error_desc(error));
	json_tokener_free(tokener);
	buffer_release(&text);
	return root;
}

static void add_keys(struct table *table, json_object *holder)
{
	json_object *kernels = member(holder, "kernels");

	if (!json_object_is_type(kernels, json_type_object))
		return;
	json_object_object_foreach(kernels, name, entry)
	{
		struct buffer lowered = BUFFER_INIT;
		size_t length = strlen(name);

		text_lower(&lowered, name, length);
		buffer_add_char(&lowered, '\0');
		table->key =
		    xgrow(table->key, &table->capacity, table->keys + 1, sizeof(*table->key));
		table->key[table->keys++] = (struct key){
		    .name = {name, length},
		    .lowered = lowered.data,
		    .characters = text_characters(name, length),
		    .entry = entry,
		};
	}
}

static void add_stages(struct kernel_map *map, json_object *stages)
{
	if (!json_object_is_type(stages, json_type_object))
		return;
	json_object_object_foreach(stages, name, holder)
	{
		map->stage =
		    xgrow(map->stage, &map->capacity, map->stages + 1, sizeof(*map->stage));
		map->stage[map->stages] = (struct table){.stage = {name, strlen(name)}};
		add_keys(&map->stage[map->stages++], holder);
	}
}

struct kernel_map *kernel_map_open(const char *path)
{
	struct kernel_map *map = xcalloc(1, sizeof(*map));
	json_object *stages, *global;

	map->root = read_json(path);
	stages = member(map->root, "stages");
	global = member(map->root, "global");
	if (!json_object_is_type(stages, json_type_object) &&
	    !json_object_is_type(global, json_type_object))
		diag_die("%s: not a kernel map: it has neither \"stages\" nor \"global\"", path);
	add_stages(map, stages);
	add_keys(&map->global, global);
	return map;
}

/* How well a key fits a name, both in lower case; -1: not at all. */
static int64_t fit(const struct key *key, const char *name, size_t length, size_t characters)
{
	size_t shorter = characters < key->characters ? characters : key->characters;

	if (text_starts(key->lowered, key->name.length, name, length) ||
	    text_starts(name, length, key->lowered, key->name.length))
		return (int64_t)shorter;
	if (text_contains(name, length, key->lowered, key->name.length) ||
	    text_contains(key->lowered, key->name.length, name, length))
		return (int64_t)(shorter / 2);
	return -1;
}

static bool same_text(struct field a, struct field b)
{
	/* no text may be NULL */
	return a.length == b.length && (!a.length || !memcmp(a.text, b.text, a.length));
}

static const struct key *best_key(const struct table *table, struct field name)
{
	struct buffer lowered = BUFFER_INIT;
	size_t characters = text_characters(name.text, name.length);
	const struct key *best = NULL;
	int64_t best_fit = -1;

	for (size_t i = 0; i < table->keys; i++)
		if (same_text(table->key[i].name, name))
			return &table->key[i];
	text_lower(&lowered, name.text, name.length);
	for (size_t i = 0; i < table->keys; i++) {
		int64_t here = fit(&table->key[i], lowered.data, lowered.length, characters);

		if (here <= best_fit)
			continue;
		best = &table->key[i];
		best_fit = here;
	}
	buffer_release(&lowered);
	return best && best->name.length ? best : NULL;
}

/* An entry that is empty stands for none. */
static const struct kernel_map_entry *find_in(const struct table *table, struct field name)
{
	const struct key *key = best_key(table, name);

	if (!key || !json_object_is_type(key->entry, json_type_object) ||
	    !json_object_object_length(key->entry))
		return NULL;
	return (const struct kernel_map_entry *)(const void *)key->entry;
}

static const struct kernel_map_entry *find_in_stage(const struct kernel_map *map,
						    struct field stage, struct field name)
{
	for (size_t i = 0; i < map->stages; i++)
		if (same_text(map->stage[i].stage, stage))
			return find_in(&map->stage[i], name);
	return NULL;
}

const struct kernel_map_entry *kernel_map_find(const struct kernel_map *map, struct field stage,
					       struct field name)
{
	const struct kernel_map_entry *found = find_in_stage(map, stage, name);

	if (!found && field_is(stage, "extend"))
		found = find_in_stage(map, (struct field){"prefill", 7}, name);
	if (!found && field_is(stage, "prefill"))
		found = find_in_stage(map, (struct field){"extend", 6}, name);
	return found ? found : find_in(&map->global, name);
}

/* An entry is the JSON object that it was read from. */
static json_object *json_of(const struct kernel_map_entry *entry)
{
	return (json_object *)(uintptr_t)entry;
}

/* The value as text; nothing for what is no text, like null, 0 and false. */
static struct field as_text(json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_string:
		return (struct field){json_object_get_string(value),
				      (size_t)json_object_get_string_len(value)};
	case json_type_int:
	case json_type_double:
		if (json_object_get_boolean(value)) {
			const char *text = json_object_get_string(value);

			return (struct field){text, strlen(text)};
		}
		return (struct field){"", 0};
	default:
		return (struct field){"", 0};
	}
}

static struct field trim(struct field field)
{
	while (field.length && ascii_is_space(field.text[0])) {
		field.text++;
		field.length--;
	}
	while (field.length && ascii_is_space(field.text[field.length - 1]))
		field.length--;
	return field;
}

static struct field as_location(json_object *value)
{
	struct field location = trim(as_text(value));

	return field_is(location, "unresolved") ? (struct field){"", 0} : location;
}

static int64_t as_launches(json_object *value)
{
	int64_t launches = 0;

	if (json_object_is_type(value, json_type_string)) {
		struct field text = trim(as_text(value));

		if (!number_int(text.text, text.length, &launches))
			launches = 0;
	} else if (!json_object_is_type(value, json_type_object) &&
		   !json_object_is_type(value, json_type_array)) {
		launches = json_object_get_int64(value);
	}
	return launches > KERNEL_MAP_LAUNCHES_MAX ? KERNEL_MAP_LAUNCHES_MAX : launches;
}

struct field kernel_map_location(const struct kernel_map_entry *entry)
{
	return as_location(member(json_of(entry), "best_location"));
}

static json_object *sites_of(const struct kernel_map_entry *entry)
{
	json_object *sites = member(json_of(entry), "sites");

	return json_object_is_type(sites, json_type_array) ? sites : NULL;
}

size_t kernel_map_sites(const struct kernel_map_entry *entry)
{
	json_object *sites = sites_of(entry);

	return sites ? json_object_array_length(sites) : 0;
}

struct kernel_map_site kernel_map_site(const struct kernel_map_entry *entry, size_t index)
{
	json_object *site = json_object_array_get_idx(sites_of(entry), index);
	json_object *location = member(site, "display_location");

	if (!as_text(location).length)
		location = member(site, "location");
	return (struct kernel_map_site){
	    .location = as_location(location),
	    .cpu_op = as_text(member(site, "top_cpu_op")),
	    .launches = as_launches(member(site, "launches")),
	};
}

static void release_table(struct table *table)
{
	for (size_t i = 0; i < table->keys; i++)
		free(table->key[i].lowered);
	free(table->key);
}

void kernel_map_close(struct kernel_map *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->stages; i++)
		release_table(&map->stage[i]);
	free(map->stage);
	release_table(&map->global);
	json_object_put(map->root);
	free(map);
}
