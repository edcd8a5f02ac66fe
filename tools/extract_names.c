#include "extract_names.h"

#include "names.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 16384u /* a power of two; half of them are used */
#define BYTES_MAX ((size_t)4 << 20)
#define KEPT_MAX ((size_t)64 << 10) /* a longer name is worked out each time */

void name_cache_init(struct name_cache *cache)
{
	*cache = (struct name_cache){
		.slot = xmalloc_large(SLOTS * sizeof(*cache->slot) + BYTES_MAX)};
	memset(cache->slot, 0, SLOTS * sizeof(*cache->slot));
	cache->bytes = (char *)(cache->slot + SLOTS);
}

void name_cache_release(struct name_cache *cache)
{
	free(cache->slot);
	intern_release(&cache->kernels);
	buffer_release(&cache->raw);
	buffer_release(&cache->plain);
	buffer_release(&cache->work);
	buffer_release(&cache->text);
}

static bool has_any(const struct buffer *text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_contains(text->data, text->length, words[i], strlen(words[i])))
			return true;
	return false;
}

/* Whether an event on a stream, of a category that tells nothing, is a kernel by its name. */
static bool hints_at_kernel(const struct buffer *lowered)
{
	static const char *const words[] = {
		"allreduce", "all_reduce", "reduce_scatter", "allgather", "all_gather", "nccl",
		"cross_device_reduce", "deepep", "a2a", "alltoall", "allreduce_fusion", "mooncake",
		"broadcast", "dispatch", "combine", "memcpy", "memset", "dma", "prefetch", "fill",
		"copy", "cublas", "cudnn", "cutlass", "triton", "gemm", "gemv", "matmul",
		"grouped_mm", "flash", "attention", "fmha", "marlin", "fused_moe", "moe_kernel",
		"groupgemm", "mma", "wgmma", "conv", "bmm", "mm_kernel",
	};

	return TEXT_STARTS(lowered->data, lowered->length, "void ") ||
	       TEXT_STARTS(lowered->data, lowered->length, "ampere_") ||
	       TEXT_STARTS(lowered->data, lowered->length, "sm80_") ||
	       TEXT_STARTS(lowered->data, lowered->length, "sm90_") ||
	       has_any(lowered, words, sizeof(words) / sizeof(words[0]));
}

static unsigned stage_facts(const struct buffer *lowered)
{
	static const char *const decode[] = {"generation_1", "decode"};
	static const char *const extend[] = {"generation_0", "prefill"};

	return has_any(lowered, decode, 2) ? NAME_DECODE : has_any(lowered, extend, 2) ? NAME_EXTEND : 0;
}

/* Facts of a name folded and lowered in `lowered`; `folded` has its case. */
static unsigned find_facts(const struct buffer *folded, const struct buffer *lowered)
{
	static const char *const metadata[] = {"process_name", "thread_name", "process_sort_index",
					       "thread_sort_index"};
	const char *text = lowered->data;
	size_t length = lowered->length;
	unsigned facts = stage_facts(lowered);

	if (name_is_launch(folded->data, folded->length))
		facts |= NAME_LAUNCHES;
	if (TEXT_STARTS(text, length, "## call "))
		facts |= NAME_NO_KERNEL;
	for (size_t i = 0; i < sizeof(metadata) / sizeof(metadata[0]); i++)
		if (folded->length == strlen(metadata[i]) &&
		    text_starts(folded->data, folded->length, metadata[i], strlen(metadata[i])))
			facts |= NAME_NO_KERNEL;
	if (TEXT_CONTAINS(text, length, ".py(") || TEXT_STARTS(text, length, "python/") ||
	    TEXT_STARTS(text, length, "nn.module:"))
		facts |= NAME_SCOPE_LIKE;
	if (hints_at_kernel(lowered))
		facts |= NAME_HINTS;
	return facts;
}

static unsigned frame_facts(const char *name, size_t length)
{
	if (!name_scope_worth(name, length))
		return NAME_WORTHLESS;
	return TEXT_STARTS(name, length, "python/sglang/")     ? NAME_SGLANG
	       : TEXT_STARTS(name, length, "vllm/")	       ? NAME_VLLM
	       : TEXT_STARTS(name, length, "tensorrt_llm/")    ? NAME_TENSORRT_LLM
	       : TEXT_STARTS(name, length, "python/tokenspeed/") ? NAME_TOKENSPEED
								 : 0;
}

/* Works out facts and text into cache->text. */
static unsigned work_out(struct name_cache *cache, enum name_use use, const struct json_slice *name)
{
	unsigned facts;

	buffer_clear(&cache->plain);
	buffer_clear(&cache->work);
	buffer_clear(&cache->text);
	buffer_clear(&cache->raw);
	if (name->kind != JSON_BARE || !TEXT_IS(name->text, name->length, "null"))
		json_text(&cache->raw, name);
	if (use == NAME_FRAME) {
		name_python(&cache->plain, cache->raw.data, cache->raw.length);
		text_escape(&cache->text, cache->plain.data, cache->plain.length);
		return frame_facts(cache->plain.data, cache->plain.length);
	}
	text_fold(&cache->plain, cache->raw.data, cache->raw.length);
	text_lower(&cache->work, cache->plain.data, cache->plain.length);
	facts = find_facts(&cache->plain, &cache->work);
	if (use == NAME_PLAIN) {
		text_escape(&cache->text, cache->plain.data, cache->plain.length);
		return facts;
	}
	buffer_clear(&cache->plain);
	buffer_clear(&cache->work);
	name_kernel(&cache->plain, &cache->work, cache->raw.data, cache->raw.length);
	text_escape(&cache->text, cache->plain.data, cache->plain.length);
	buffer_add_char(&cache->text, '\t');
	text_escape(&cache->text, cache->work.data, cache->work.length);
	return facts;
}

static const char *keep(struct name_cache *cache, const char *text, size_t length)
{
	char *copy = cache->bytes + cache->bytes_used;

	if (length)
		memcpy(copy, text, length);
	cache->bytes_used += length;
	return copy;
}

static bool is_cached(const struct cached_name *found, enum name_use use,
		      const struct json_slice *name)
{
	return found->use == use && found->raw_length == name->length &&
	       !memcmp(found->raw, name->text, name->length);
}

/* Names come in much the same sequence again and again. */
static const struct cached_name *follow(struct name_cache *cache, enum name_use use,
					struct cached_name *found)
{
	if (cache->last[use])
		cache->last[use]->next = (uint32_t)(found - cache->slot);
	return cache->last[use] = found;
}

const struct cached_name *name_cache_get(struct name_cache *cache, enum name_use use,
					 const struct json_slice *name)
{
	struct cached_name *last = cache->last[use], *found;
	uint32_t hash, at;
	size_t need;

	if (last) {
		found = &cache->slot[last->next];
		if (found->raw && is_cached(found, use, name))
			return cache->last[use] = found;
	}
	hash = (uint32_t)(hash_bytes(name->text, name->length) >> 32) + (uint32_t)use;
	at = hash & (SLOTS - 1);
	for (found = &cache->slot[at]; found->raw; found = &cache->slot[at]) {
		if (found->hash == hash && is_cached(found, use, name))
			return follow(cache, use, found);
		at = (at + 1) & (SLOTS - 1);
	}
	cache->large = (struct cached_name){.raw_length = name->length, .hash = hash, .use = use};
	cache->large.facts = work_out(cache, use, name);
	if (use == NAME_KERNEL)
		cache->large.id = intern(&cache->kernels, cache->text.data, cache->text.length);
	cache->large.text = cache->text.data;
	cache->large.text_length = (uint32_t)cache->text.length;
	need = name->length + cache->text.length;
	if (need > KEPT_MAX)
		return &cache->large;
	if (cache->used >= SLOTS / 2 || cache->bytes_used + need > BYTES_MAX) {
		memset(cache->slot, 0, SLOTS * sizeof(*cache->slot));
		memset(cache->last, 0, sizeof(cache->last));
		cache->used = 0;
		cache->bytes_used = 0;
		found = &cache->slot[hash & (SLOTS - 1)];
	}
	*found = cache->large;
	found->raw = keep(cache, name->text, name->length);
	found->text = keep(cache, cache->text.data, cache->text.length);
	cache->used++;
	return follow(cache, use, found);
}
