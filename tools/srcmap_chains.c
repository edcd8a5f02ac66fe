#include "srcmap_chains.h"

#include "xalloc.h"

#include <stdlib.h>
#include <string.h>

#define KEY_MAX 4 /* so many frames make the key */

void chain_add(struct chain *chain, uint32_t name, bool meaningful)
{
	if (chain->meaningful && !meaningful)
		return;
	if (meaningful && !chain->meaningful)
		*chain = (struct chain){.meaningful = true};
	if (chain->count == CHAIN_MAX)
		memmove(chain->name, chain->name + 1, --chain->count * sizeof(*chain->name));
	chain->name[chain->count++] = name;
}

static uint32_t best_scope(struct texts *texts, const struct chain *chain)
{
	unsigned best = 0;
	int best_score = 0;

	for (unsigned i = 0; i < chain->count; i++) {
		int score = texts_score(texts, chain->name[i]) + (int)i;

		if (i && score <= best_score)
			continue;
		best = i;
		best_score = score;
	}
	return chain->name[best];
}

static uint32_t key_of(struct texts *texts, const struct chain *chain)
{
	unsigned first = chain->count > KEY_MAX ? chain->count - KEY_MAX : 0;
	struct buffer key = BUFFER_INIT;
	uint32_t id;

	for (unsigned i = first; i < chain->count; i++) {
		const struct interned *name = &texts->names.item[chain->name[i]];

		if (i > first)
			buffer_add_string(&key, " -> ");
		buffer_add(&key, name->text, name->length);
	}
	id = texts_add(texts, key.data, key.length);
	buffer_release(&key);
	return id;
}

uint32_t chains_add(struct chains *chains, struct texts *texts, const struct chain *chain)
{
	uint32_t known = chains->known.count, id;

	if (!chain->count)
		return CHAIN_NONE;
	id = intern(&chains->known, (const char *)chain->name, chain->count * sizeof(*chain->name));
	if (id == known) {
		chains->counted = xgrow(chains->counted, &chains->capacity, (size_t)id + 1,
					sizeof(*chains->counted));
		chains->counted[id] = (struct chain_count){
		    .scope = best_scope(texts, chain),
		    .key = key_of(texts, chain),
		};
	}
	return id;
}

void chains_release(struct chains *chains)
{
	intern_release(&chains->known);
	free(chains->counted);
	*chains = (struct chains)CHAINS_INIT;
}
