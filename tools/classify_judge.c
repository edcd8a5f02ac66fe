#include "classify_judge.h"

#include <stdlib.h>

#define NAMES_MAX 32768
#define BYTES_MAX ((size_t)8 << 20)
/* Longer keys are judged each time. */
#define KEY_MAX ((size_t)64 << 10)

void judge_init(struct judge *judge, const struct rules *rules)
{
	*judge = (struct judge){.rules = rules};
}

static void forget(struct judge *judge)
{
	intern_release(&judge->seen);
	judge->bytes = 0;
}

static const struct rule *work_out(struct judge *judge, const struct record *kernel)
{
	struct field kind = kernel->field[KERNEL_KIND];
	struct field name = kernel->field[KERNEL_NAME];
	struct field params = kernel->field[KERNEL_PARAMS];

	kernel_match_set(&judge->match, &judge->rules->wrappers, kind.text, kind.length, name.text,
			 name.length, params.text, params.length);
	return rules_match(judge->rules, &judge->match);
}

static void make_key(struct judge *judge, const struct record *kernel)
{
	struct field kind = kernel->field[KERNEL_KIND];
	struct field name = kernel->field[KERNEL_NAME];
	struct field params = kernel->field[KERNEL_PARAMS];

	buffer_clear(&judge->key);
	buffer_add(&judge->key, kind.text, kind.length);
	buffer_add_char(&judge->key, '\t');
	buffer_add(&judge->key, name.text, name.length);
	if (!judge->rules->look_full)
		return;
	buffer_add_char(&judge->key, '\t');
	buffer_add(&judge->key, params.text, params.length);
}

const struct rule *judge_kernel(struct judge *judge, const struct record *kernel)
{
	uint32_t known, id;

	make_key(judge, kernel);
	if (judge->key.length > KEY_MAX)
		return work_out(judge, kernel);
	known = judge->seen.count;
	id = intern_next(&judge->seen, &judge->last, judge->key.data, judge->key.length);
	if (id < known)
		return judge->verdict[id];
	judge->bytes += judge->key.length;
	if (known >= NAMES_MAX || judge->bytes > BYTES_MAX) {
		forget(judge);
		judge->bytes = judge->key.length;
		id = intern(&judge->seen, judge->key.data, judge->key.length);
	}
	judge->verdict = xgrow(judge->verdict, &judge->capacity, id + 1, sizeof(*judge->verdict));
	judge->verdict[id] = work_out(judge, kernel);
	return judge->verdict[id];
}

void judge_release(struct judge *judge)
{
	intern_release(&judge->seen);
	kernel_match_release(&judge->match);
	buffer_release(&judge->key);
	free(judge->verdict);
}
