#include "srcmap_texts.h"

#include "names.h"
#include "text.h"
#include "xalloc.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN_CHARACTERS 100

enum {
	KNOWN_WORTH = 1,
	KNOWN_SCORE = 2,
	KNOWN_SHOWN = 4,
};

static uint32_t add_next(struct texts *texts, uint32_t *last, const char *text, size_t length)
{
	uint32_t known = texts->names.count;
	uint32_t id = intern_next(&texts->names, last, text, length);

	if (id == known) {
		texts->fact =
		    xgrow(texts->fact, &texts->capacity, (size_t)id + 1, sizeof(*texts->fact));
		texts->fact[id] = (struct text_fact){0};
	}
	return id;
}

uint32_t texts_add(struct texts *texts, const char *text, size_t length)
{
	uint32_t last = TEXT_NONE;

	return add_next(texts, &last, text, length);
}

uint32_t texts_add_field(struct texts *texts, uint32_t *last, struct field field)
{
	if (!field_unknown(field) && !memchr(field.text, '\\', field.length))
		return add_next(texts, last, field.text, field.length);
	buffer_clear(&texts->scratch);
	text_unescape(&texts->scratch, field.text, field.length);
	return add_next(texts, last, texts->scratch.data, texts->scratch.length);
}

unsigned texts_worth(struct texts *texts, uint32_t id)
{
	struct text_fact *fact = &texts->fact[id];
	const struct interned *name = &texts->names.item[id];

	if (!(fact->known & KNOWN_WORTH)) {
		fact->worth = (uint8_t)name_scope_worth(name->text, name->length);
		fact->known |= KNOWN_WORTH;
	}
	return fact->worth;
}

int texts_score(struct texts *texts, uint32_t id)
{
	struct text_fact *fact = &texts->fact[id];
	const struct interned *name = &texts->names.item[id];

	if (!(fact->known & KNOWN_SCORE)) {
		fact->score = (int16_t)name_scope_score(name->text, name->length);
		fact->known |= KNOWN_SCORE;
	}
	return fact->score;
}

uint32_t texts_shown(struct texts *texts, uint32_t id)
{
	const struct interned *name = &texts->names.item[id];
	uint32_t shown;

	if (texts->fact[id].known & KNOWN_SHOWN)
		return texts->fact[id].shown;
	buffer_clear(&texts->scratch);
	text_shorten(&texts->scratch, name->text, name->length, SHOWN_CHARACTERS);
	shown = texts_add(texts, texts->scratch.data, texts->scratch.length);
	texts->fact[id].shown = shown;
	texts->fact[id].known |= KNOWN_SHOWN;
	return shown;
}

int texts_compare(const struct texts *texts, uint32_t a, uint32_t b)
{
	const struct interned *left = &texts->names.item[a], *right = &texts->names.item[b];

	return text_compare(left->text, left->length, right->text, right->length);
}

void texts_release(struct texts *texts)
{
	intern_release(&texts->names);
	free(texts->fact);
	buffer_release(&texts->scratch);
	*texts = (struct texts)TEXTS_INIT;
}
