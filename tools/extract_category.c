#include "extract_category.h"

#include "intern.h"
#include "text.h"

#include <string.h>

/* The categories of traces of 2021. */
static void modernise(struct buffer *category)
{
	static const struct {
		const char *old, *now;
	} words[] = {
		{"operator", "cpu_op"},	   {"runtime", "cuda_runtime"}, {"kernel", "kernel"},
		{"memcpy", "gpu_memcpy"}, {"memset", "gpu_memset"},
	};
	struct buffer lowered = BUFFER_INIT;

	text_lower(&lowered, category->data, category->length);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (lowered.length == strlen(words[i].old) &&
		    !memcmp(lowered.data, words[i].old, lowered.length)) {
			buffer_clear(category);
			buffer_add_string(category, words[i].now);
		}
	buffer_release(&lowered);
}

static unsigned category_facts(const struct buffer *plain, const struct buffer *kind)
{
	const char *exact = plain->data, *text = kind->data;
	size_t exact_length = plain->length, length = kind->length;
	unsigned facts = 0;

	if (TEXT_IS(exact, exact_length, "cpu_op"))
		facts |= CATEGORY_CPU_OP;
	else if (TEXT_IS(exact, exact_length, "python_function"))
		facts |= CATEGORY_PYTHON;
	else if (TEXT_IS(exact, exact_length, "user_annotation"))
		facts |= CATEGORY_CPU_SPAN;
	else if (TEXT_IS(exact, exact_length, "gpu_user_annotation"))
		facts |= CATEGORY_GPU_SPAN;
	else if (TEXT_ENDS(text, length, "_runtime") || TEXT_ENDS(text, length, "_driver"))
		facts |= CATEGORY_LAUNCH;
	if (TEXT_CONTAINS(text, length, "kernel") || TEXT_STARTS(text, length, "gpu_"))
		facts |= CATEGORY_GPU;
	if (TEXT_CONTAINS(text, length, "python_function") || TEXT_CONTAINS(text, length, "cpu_op") ||
	    TEXT_CONTAINS(text, length, "trace") || TEXT_CONTAINS(text, length, "annotation"))
		facts |= CATEGORY_NO_KERNEL;
	if (TEXT_IS(text, length, "user_annotation"))
		facts |= CATEGORY_CPU_STAGE;
	if (TEXT_IS(text, length, "gpu_user_annotation"))
		facts |= CATEGORY_GPU_STAGE;
	return facts;
}

static void fill_category(struct category *category, const struct json_slice *slice)
{
	struct buffer plain = BUFFER_INIT, folded = BUFFER_INIT;

	buffer_clear(&category->key);
	buffer_clear(&category->kind);
	buffer_room(&category->key, 1);
	buffer_add(&category->key, slice->text, slice->length);
	json_text(&plain, slice);
	modernise(&plain);
	text_fold(&folded, plain.data, plain.length);
	for (size_t i = 0; i < folded.length; i++)
		folded.data[i] = ascii_lower(folded.data[i]);
	category->facts = category_facts(&plain, &folded);
	category->kernel_kind = INTERN_NONE;
	text_escape(&category->kind, folded.data, folded.length);
	buffer_release(&plain);
	buffer_release(&folded);
}

static bool is_category(const struct category *category, const struct json_slice *slice)
{
	return category->key.length == slice->length &&
	       same_bytes(category->key.data, slice->text, slice->length);
}

struct category *categories_find(struct categories *categories, const struct trace_event *event)
{
	const struct json_slice *slice = trace_event_field(event, EVENT_CAT);
	struct category *category = categories->last;

	if (category && is_category(category, slice))
		return category;
	category = &categories->slot[(hash_bytes(slice->text, slice->length) >> 32) % CATEGORIES];
	if (!category->key.data || !is_category(category, slice))
		fill_category(category, slice);
	categories->last = category;
	return category;
}

void categories_release(struct categories *categories)
{
	for (size_t i = 0; i < CATEGORIES; i++) {
		buffer_release(&categories->slot[i].key);
		buffer_release(&categories->slot[i].kind);
	}
}
