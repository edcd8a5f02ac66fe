/*
 * srcmap_chains: scope chains, the frames around a launch from the outermost in.
 *
 *	"vllm/a.py(1): run", "vllm/b.py(7): forward"
 *
 * A chain has its last six frames: the meaningful ones if there is any, else
 * those that serve.  Each chain is held once, with what it is counted as: its
 * best scope (choose_best_scope of the reference script) and its key, the last
 * four joined (scope_chain_key).
 */
#ifndef TPA_SRCMAP_CHAINS_H
#define TPA_SRCMAP_CHAINS_H

#include "buffer.h"
#include "intern.h"
#include "srcmap_texts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHAIN_MAX 6

struct chain {
	uint32_t name[CHAIN_MAX];
	unsigned count;
	bool meaningful;
};

#define CHAIN_INIT {0}
#define CHAIN_NONE UINT32_MAX /* the id of the chain without frames */

/* The next frame inwards: the chain keeps the last six of its better kind. */
void chain_add(struct chain *chain, uint32_t name, bool meaningful);

struct chains {
	struct intern known;
	struct chain_count {
		uint32_t scope, key; /* texts */
	} *counted;		     /* by id */
	size_t capacity;
};

#define CHAINS_INIT {0}

/* The id of a chain; its scope and key are put among the texts. */
uint32_t chains_add(struct chains *chains, struct texts *texts, const struct chain *chain);

void chains_release(struct chains *chains);

#endif
