#include "source_lookup.h"

#include "names.h"
#include "text.h"
#include "xalloc.h"

#include <stdlib.h>

/* A set of hashed four-byte parts: what lacks a part of a text cannot hold it. */
#define PARTS_WORDS 8
#define PART 4

struct parts {
	uint64_t word[PARTS_WORDS];
};

#define COMPACT_MIN 96
#define PREFIX_MIN 64

/* A name, the map's or one that is looked up. */
struct spelling {
	size_t lowered, lowered_length; /* in the lookup's text */
	size_t compact, compact_length;
	size_t characters;
	struct parts parts;
};

struct source_lookup {
	struct buffer text;
	struct spelling *spelling; /* of the map's names, in their order */
	uint32_t *order;	   /* their ids */
	uint32_t count;
	uint16_t *aliases; /* by place: which of alias_word[] occur, once worked out */
	struct intern asked;
	uint32_t *answer; /* the id of a name of the map, or INTERN_NONE; by asked */
	size_t capacity;
};

static void find_parts(struct parts *parts, const char *text, size_t length)
{
	*parts = (struct parts){0};
	for (size_t i = 0; i + PART <= length; i++) {
		uint32_t part;

		memcpy(&part, text + i, PART);
		part = (uint32_t)(hash_number(part) >> 32) % (PARTS_WORDS * 64);
		parts->word[part / 64] |= (uint64_t)1 << part % 64;
	}
}

static bool may_hold(const struct parts *whole, const struct parts *part)
{
	uint64_t missing = 0;

	for (int i = 0; i < PARTS_WORDS; i++)
		missing |= part->word[i] & ~whole->word[i];
	return !missing;
}

static struct spelling spell(struct buffer *text, const char *name, size_t length)
{
	struct spelling spelling = {.lowered = text->length};

	buffer_room(text, 1); /* so that the empty name, too, has a place */
	text_lower(text, name, length);
	spelling.lowered_length = text->length - spelling.lowered;
	spelling.compact = text->length;
	text_compact(text, name, length);
	spelling.compact_length = text->length - spelling.compact;
	spelling.characters = text_characters(name, length);
	find_parts(&spelling.parts, text->data + spelling.lowered, spelling.lowered_length);
	return spelling;
}

static struct source_lookup *prepare(const struct source_stage *stage)
{
	struct source_lookup *lookup = xcalloc(1, sizeof(*lookup));
	uint32_t count = stage->names.count;

	lookup->spelling = xcalloc(count, sizeof(*lookup->spelling));
	lookup->order = xcalloc(count, sizeof(*lookup->order));
	for (uint32_t i = 0; i < stage->ordered; i++)
		lookup->order[lookup->count++] = stage->order[i];
	for (uint32_t id = 0; id < count; id++)
		if (!stage->source[id].placed)
			lookup->order[lookup->count++] = id;
	for (uint32_t i = 0; i < count; i++) {
		const struct interned *name = &stage->names.item[lookup->order[i]];

		lookup->spelling[i] = spell(&lookup->text, name->text, name->length);
	}
	return lookup;
}

void source_lookup_free(struct source_lookup *lookup)
{
	if (!lookup)
		return;
	buffer_release(&lookup->text);
	free(lookup->spelling);
	free(lookup->order);
	free(lookup->aliases);
	intern_release(&lookup->asked);
	free(lookup->answer);
	free(lookup);
}

/* What two spellings score as beginning or part of each other, or -1. */
static int64_t score_part(const struct buffer *text, const struct spelling *a,
			  const struct spelling *b)
{
	const struct spelling *whole = a, *part = b;
	const char *haystack, *needle;

	if (a->lowered_length < b->lowered_length) {
		whole = b;
		part = a;
	}
	if (!may_hold(&whole->parts, &part->parts))
		return -1;
	haystack = text->data + whole->lowered;
	needle = text->data + part->lowered;
	if (text_starts(haystack, whole->lowered_length, needle, part->lowered_length))
		return (int64_t)part->characters;
	if (whole->lowered_length > part->lowered_length &&
	    text_contains(haystack, whole->lowered_length, needle, part->lowered_length))
		return (int64_t)(part->characters / 2);
	return -1;
}

static uint32_t find_part(const struct source_lookup *lookup, const struct spelling *asked)
{
	uint32_t best = INTERN_NONE;
	int64_t best_score = -1;

	for (uint32_t i = 0; i < lookup->count; i++) {
		const struct spelling *here = &lookup->spelling[i];
		int64_t score;

		if ((int64_t)here->characters <= best_score)
			continue;
		score = score_part(&lookup->text, here, asked);
		if (score > best_score) {
			best = i;
			best_score = score;
		}
	}
	/* the empty name begins every other, and says nothing about it */
	return best != INTERN_NONE && !lookup->spelling[best].lowered_length ? INTERN_NONE : best;
}

static size_t common_prefix(const char *a, const char *b, size_t length)
{
	size_t i = 0;

	for (; i + 8 <= length && !memcmp(a + i, b + i, 8); i += 8)
		;
	while (i < length && a[i] == b[i])
		i++;
	return i;
}

static uint32_t find_prefix(const struct source_lookup *lookup, const struct spelling *asked)
{
	const char *name = lookup->text.data + asked->compact;
	uint32_t best = INTERN_NONE;
	size_t best_score = 0;

	if (asked->compact_length < COMPACT_MIN)
		return INTERN_NONE;
	for (uint32_t i = 0; i < lookup->count; i++) {
		const struct spelling *here = &lookup->spelling[i];
		const char *other = lookup->text.data + here->compact;
		size_t shorter, score;

		if (here->compact_length < COMPACT_MIN || memcmp(name, other, PREFIX_MIN) != 0)
			continue;
		shorter = here->compact_length < asked->compact_length ? here->compact_length
								      : asked->compact_length;
		score = common_prefix(name, other, shorter);
		if (score < (size_t)((double)shorter * 0.4))
			continue;
		if (score > best_score) {
			best = i;
			best_score = score;
		}
	}
	return best;
}

/* Kernels with `mark` in their compact name may be found by any of `count` words. */
static const struct alias_group {
	const char *mark;
	bool begins; /* the mark must begin the name */
	int first, count;
} alias_groups[] = {
	{"flashattnfwdcombine", false, 0, 4},
	{"kernelmha", false, 4, 3},
	{"applybiasropeupdatekvcachev2", false, 7, 3},
	{"memset", true, 10, 1},
};

static const char *const alias_word[] = {
	"flashattnfwdsm90",
	"flashattnvarlenfunc",
	"vllmflashattnflashattninterface",
	"vllmfa3cfwd",
	"maskedmultiheadattentionkernel",
	"attentioninplace",
	"attentionbackendtrtllm",
	"fusedqknormropekernel",
	"applyqknormrope",
	"modelingqwen3py98applyqknormrope",
	"memset",
};

#define ALIAS_GROUPS (sizeof(alias_groups) / sizeof(alias_groups[0]))
#define ALIAS_WORDS (sizeof(alias_word) / sizeof(alias_word[0]))

/* Which groups a name that is looked up belongs to, as bits. */
static unsigned groups_of(const char *compact, size_t length)
{
	unsigned groups = 0;

	for (size_t i = 0; i < ALIAS_GROUPS; i++) {
		const struct alias_group *group = &alias_groups[i];
		size_t mark = strlen(group->mark);

		if (group->begins ? text_starts(compact, length, group->mark, mark)
				  : text_contains(compact, length, group->mark, mark))
			groups |= 1u << i;
	}
	return groups;
}

/* The words that occur in a name of the map and in what is known of it. */
static uint16_t words_of(const struct source_map *map, const struct source_stage *stage,
			 const struct source *source, struct buffer *text)
{
	const struct interned *name = &stage->names.item[source->name];
	unsigned words = 0;

	buffer_clear(text);
	text_compact(text, name->text, name->length);
	for (int kind = SITES_SCOPE; kind <= SITES_LAUNCH; kind++) {
		const struct interned *best = source_best(map, source, (enum sites_kind)kind);

		if (best)
			text_compact(text, best->text, best->length);
	}
	for (size_t i = 0; i < ALIAS_WORDS; i++)
		if (text_contains(text->data, text->length, alias_word[i], strlen(alias_word[i])))
			words |= 1u << i;
	return (uint16_t)words;
}

static void find_words(const struct source_map *map, const struct source_stage *stage)
{
	struct source_lookup *lookup = stage->lookup;
	struct buffer text = BUFFER_INIT;

	lookup->aliases = xcalloc(lookup->count, sizeof(*lookup->aliases));
	for (uint32_t i = 0; i < lookup->count; i++)
		lookup->aliases[i] =
			words_of(map, stage, &stage->source[lookup->order[i]], &text);
	buffer_release(&text);
}

/* What the words score for the groups asked for; later groups count for more. */
static int64_t score_words(unsigned groups, unsigned words)
{
	int64_t score = 0, rank = 0;

	for (size_t i = 0; i < ALIAS_GROUPS; i++) {
		const struct alias_group *group = &alias_groups[i];
		size_t longest = 0;

		if (!(groups & 1u << i))
			continue;
		rank++;
		for (int word = group->first; word < group->first + group->count; word++)
			if (words & 1u << word && strlen(alias_word[word]) > longest)
				longest = strlen(alias_word[word]);
		if (longest)
			score += 1000 * rank + (int64_t)longest;
	}
	return score;
}

static uint32_t find_alias(const struct source_map *map, const struct source_stage *stage,
			   const struct spelling *asked)
{
	struct source_lookup *lookup = stage->lookup;
	unsigned groups = groups_of(lookup->text.data + asked->compact, asked->compact_length);
	uint32_t best = INTERN_NONE;
	int64_t best_score = -1;

	if (!groups)
		return INTERN_NONE;
	if (!lookup->aliases)
		find_words(map, stage);
	for (uint32_t i = 0; i < lookup->count; i++) {
		const struct source *source = &stage->source[lookup->order[i]];
		int64_t score = score_words(groups, lookup->aliases[i]);
		const struct interned *scope;

		if (!score)
			continue;
		scope = source_best(map, source, SITES_SCOPE);
		if (scope)
			score += name_scope_priority(scope->text, scope->length);
		if (source->total)
			score += (int64_t)((double)source->mapped / (double)source->total * 100);
		if (score > best_score) {
			best = i;
			best_score = score;
		}
	}
	return best;
}

static uint32_t find(const struct source_map *map, struct source_stage *stage, const char *name,
		     size_t length)
{
	struct source_lookup *lookup = stage->lookup;
	size_t kept = lookup->text.length;
	struct spelling asked = spell(&lookup->text, name, length);
	uint32_t place = find_part(lookup, &asked);

	if (place == INTERN_NONE)
		place = find_prefix(lookup, &asked);
	if (place == INTERN_NONE)
		place = find_alias(map, stage, &asked);
	lookup->text.length = kept;
	if (place == INTERN_NONE || !stage->names.item[lookup->order[place]].length)
		return INTERN_NONE;
	return lookup->order[place];
}

const struct source *source_find(const struct source_map *map, struct source_stage *stage,
				 const char *name, size_t length)
{
	const struct source *exact;
	struct source_lookup *lookup;
	uint32_t known, id;

	if (!stage)
		return NULL;
	exact = source_exact(stage, name, length);
	if (exact)
		return exact;
	if (!stage->lookup)
		stage->lookup = prepare(stage);
	lookup = stage->lookup;
	known = lookup->asked.count;
	id = intern(&lookup->asked, name, length);
	if (id == known) {
		lookup->answer = xgrow(lookup->answer, &lookup->capacity, known + 1,
				       sizeof(*lookup->answer));
		lookup->answer[id] = find(map, stage, name, length);
	}
	id = lookup->answer[id];
	return id == INTERN_NONE ? NULL : &stage->source[id];
}
