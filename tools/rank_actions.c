#include "rank_actions.h"

#include "counter.h"
#include "rank_dependency.h"
#include "sort.h"
#include "text.h"
#include "xalloc.h"

#include <stdlib.h>

#define LIST_MAX 5
#define TOTAL_MIN 5000 /* ns; less is not worth a row */
#define SHORT_NAME 48

enum verdict { VERDICT_HEADROOM, VERDICT_HIDDEN };

/* What the rows of a group are made from. */
struct desk {
	const struct rank_kernels *held;
	const struct group *group;
	const struct totals *totals;
	struct rank_sources *sources;
	struct neighbours around;
	struct buffer suggestion;
};

struct candidate {
	const struct total *item;
	double score, tie;
};

struct advice {
	const char *priority, *recommendation;
};

static bool has_category(const struct rank_kernels *held, const struct total *item,
			 const char *category)
{
	const struct interned *name = &held->texts.item[item->category];

	return field_is((struct field){name->text, name->length}, category);
}

static bool is_small_work(const struct rank_kernels *held, const struct total *item)
{
	return has_category(held, item, "elementwise") || has_category(held, item, "memory");
}

static double exclusive_ratio(const struct total *item)
{
	return totals_ratio(item->exclusive, item->total);
}

static double hidden_ratio(const struct total *item)
{
	return totals_ratio(item->hidden, item->total);
}

/* Exposed communication is easiest to hide, compute hardest. */
static double headroom_weight(const struct rank_kernels *held, const struct total *item)
{
	static const struct {
		const char *category;
		double weight;
	} weights[] = {
		{"communication", 1.3}, {"memory", 1.15}, {"elementwise", 1.0},
		{"compute", 0.35},	{"other", 0.8},
	};

	for (size_t i = 0; i < sizeof(weights) / sizeof(weights[0]); i++)
		if (has_category(held, item, weights[i].category))
			return weights[i].weight;
	return 1.0;
}

static int by_falling_score(const void *a, const void *b, const void *context)
{
	const struct candidate *left = a, *right = b;

	(void)context;
	if (left->score != right->score)
		return left->score < right->score ? 1 : -1;
	return (left->tie < right->tie) - (left->tie > right->tie);
}

/* Compute comes after everything else, whatever its score. */
static uint32_t find_headroom(const struct desk *desk, struct candidate *list)
{
	uint32_t count = 0, first;

	for (int compute = 0; compute <= 1; compute++) {
		first = count;
		for (uint32_t i = 0; i < desk->totals->count; i++) {
			const struct total *item = &desk->totals->item[i];

			if (has_category(desk->held, item, "compute") != (compute == 1) ||
			    item->total < TOTAL_MIN || exclusive_ratio(item) < 0.45)
				continue;
			list[count++] = (struct candidate){
				item,
				(double)item->exclusive * headroom_weight(desk->held, item), 0};
		}
		stable_sort(list + first, count - first, sizeof(*list), by_falling_score, NULL);
	}
	return count < LIST_MAX ? count : LIST_MAX;
}

static uint32_t find_hidden(const struct desk *desk, struct candidate *list)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < desk->totals->count; i++) {
		const struct total *item = &desk->totals->item[i];
		double hidden = (double)item->hidden, compute = (double)item->hidden_compute;

		if (!is_small_work(desk->held, item) || item->total < TOTAL_MIN ||
		    hidden_ratio(item) < 0.65)
			continue;
		list[count++] = (struct candidate){
			item, hidden * (1.0 + compute / (hidden < 1000.0 ? 1000.0 : hidden)),
			hidden_ratio(item)};
	}
	stable_sort(list, count, sizeof(*list), by_falling_score, NULL);
	return count < LIST_MAX ? count : LIST_MAX;
}

/* What hid the kernels of a total, by name. */
static void count_covers(const struct desk *desk, const struct total *item,
			 struct counter *covers)
{
	const struct process *process = &desk->held->process[desk->group->process];
	size_t at = 0;

	for (uint32_t i = 0; i < desk->group->count; i++) {
		const struct kernel *kernel = group_kernel(desk->held, desk->group, i);

		if (kernel->name != item->name || kernel->category != item->category)
			continue;
		for (; at < process->covers; at++) {
			const struct cover *cover =
				process_cover(process, process->cover_order[at]);

			if (cover->idx > kernel->idx)
				break;
			if (cover->idx == kernel->idx)
				counter_add(covers, cover->name, cover->ns);
		}
	}
}

static void suggest_hidden(struct desk *desk, const struct total *item)
{
	struct counter covers = COUNTER_INIT;
	struct buffer name = BUFFER_INIT;
	uint32_t best;

	count_covers(desk, item, &covers);
	best = counter_best(&covers);
	buffer_add_string(&desk->suggestion, "Mostly hidden ");
	if (best == COUNTER_NONE) {
		buffer_add_string(&desk->suggestion, "already");
	} else {
		const struct interned *escaped = &desk->held->texts.item[best];
		int64_t ns = 0;

		for (uint32_t i = 0; i < covers.items; i++)
			if (covers.item[i].key == best)
				ns = covers.item[i].count;
		text_unescape(&name, escaped->text, escaped->length);
		buffer_add_string(&desk->suggestion, "under ");
		text_shorten(&desk->suggestion, name.data, name.length, SHORT_NAME);
		buffer_printf(&desk->suggestion, " (%.1f us)", (double)ns / 1000.0);
	}
	buffer_add_string(&desk->suggestion, ". Revisit only if schedule or fusion changes.");
	counter_release(&covers);
	buffer_release(&name);
}

static void suggest_headroom(struct desk *desk, const struct total *item)
{
	buffer_add_string(&desk->suggestion, "This work is still exposed. Check ");
	if (is_small_work(desk->held, item))
		buffer_add_string(&desk->suggestion, "fusion or nearby compute coverage.");
	else
		buffer_add_string(&desk->suggestion,
				  "stream placement and immediate dependencies.");
}

static void suggest(struct desk *desk, const struct total *item, enum verdict verdict)
{
	buffer_clear(&desk->suggestion);
	if (verdict == VERDICT_HIDDEN)
		suggest_hidden(desk, item);
	else if (has_category(desk->held, item, "communication"))
		buffer_add_string(&desk->suggestion, "Communication is still exposed. "
						     "Check overlap with nearby compute.");
	else
		suggest_headroom(desk, item);
}

static struct advice advise(const struct desk *desk, const struct total *item,
			    enum verdict verdict)
{
	if (totals_percent(item->total, desk->totals->busy) < 1.0)
		return (struct advice){"P5", "skip"};
	if (verdict == VERDICT_HIDDEN)
		return (struct advice){"P4", "skip"};
	if (desk->around.dependency != DEPENDENCY_LOW)
		return (struct advice){"P2", "check deps"};
	if (has_category(desk->held, item, "communication"))
		return (struct advice){"P1", "try overlap"};
	return (struct advice){"P1", "try fusion"};
}

static void put_string(struct record_writer *out, const char *string)
{
	record_put_escaped(out, string, strlen(string));
}

static void put_interned(struct record_writer *out, const struct interned *text)
{
	record_put_text(out, text->text, text->length);
}

static void put_sources(struct record_writer *out, const struct desk *desk,
			const struct source *source)
{
	const struct interned *launch = rank_sources_launch(desk->sources, source);

	if (TEXT_IS(launch->text, launch->length, "n/a")) {
		const struct interned *op = rank_sources_op(desk->sources, source);

		launch = op ? op : launch;
	}
	put_interned(out, launch);
	put_interned(out, rank_sources_scope(desk->sources, source));
}

static void write_action(struct record_writer *out, const struct desk *desk,
			 const struct total *item, enum verdict verdict, struct advice advice,
			 int64_t order)
{
	const struct interned *key = &desk->held->group_keys.item[desk->group - desk->held->group];
	const struct interned *category = &desk->held->texts.item[item->category];
	const struct interned *name = &desk->held->texts.item[item->name];
	const struct source *source = rank_sources_find(desk->sources, item->name);

	record_begin(out, RECORD_ACTION);
	record_put_escaped(out, key->text, key->length);
	record_put_int(out, order);
	put_string(out, advice.priority);
	put_string(out, verdict == VERDICT_HEADROOM ? "headroom" : "low-roi-hidden");
	put_string(out, advice.recommendation);
	record_put_escaped(out, category->text, category->length);
	record_put_time(out, item->total);
	record_put_ratio(out, totals_percent(item->total, desk->totals->busy), 3);
	record_put_ratio(out, exclusive_ratio(item), 4);
	record_put_ratio(out, hidden_ratio(item), 4);
	put_string(out, dependency_signal(desk->around.dependency));
	record_put_ratio(out, source ? totals_ratio(source->mapped, source->total) : 0.0, 4);
	put_sources(out, desk, source);
	record_put_text(out, desk->around.prev.data, desk->around.prev.length);
	record_put_text(out, desk->around.next.data, desk->around.next.length);
	record_put_text(out, desk->suggestion.data, desk->suggestion.length);
	record_put_escaped(out, name->text, name->length);
	record_end(out);
}

/* The names that have a row; they are not given another one. */
struct seen {
	uint32_t name[2 * LIST_MAX];
	uint32_t count;
};

static bool is_seen(const struct seen *seen, uint32_t name)
{
	for (uint32_t i = 0; i < seen->count; i++)
		if (seen->name[i] == name)
			return true;
	return false;
}

/* The rows of one verdict, after the `rows` that were written before them. */
static int64_t write_verdict(struct record_writer *out, struct desk *desk, enum verdict verdict,
			     struct candidate *list, struct seen *seen,
			     const struct action_limits *limits, int64_t rows)
{
	uint32_t count = verdict == VERDICT_HEADROOM ? find_headroom(desk, list)
						     : find_hidden(desk, list);

	for (uint32_t i = 0; i < count; i++) {
		const struct total *item = list[i].item;
		struct advice advice;

		if (verdict == VERDICT_HIDDEN && is_seen(seen, item->name))
			continue;
		dependency_find(&desk->around, desk->held, desk->group, item->representative,
				desk->sources);
		advice = advise(desk, item, verdict);
		if (verdict == VERDICT_HEADROOM && !strcmp(advice.priority, "P5"))
			continue;
		seen->name[seen->count++] = item->name;
		if (totals_percent(item->total, desk->totals->busy) < limits->min_share ||
		    (limits->rows && rows >= limits->rows))
			continue;
		suggest(desk, item, verdict);
		write_action(out, desk, item, verdict, advice, ++rows);
	}
	return rows;
}

void actions_write(struct record_writer *out, const struct totals *totals,
		   const struct rank_kernels *held, const struct group *group,
		   struct rank_sources *sources, const struct action_limits *limits)
{
	struct desk desk = {
		.held = held, .group = group, .totals = totals, .sources = sources};
	struct candidate *list = xreallocarray(NULL, totals->count, sizeof(*list));
	struct seen seen = {.count = 0};
	int64_t rows = 0;

	rows = write_verdict(out, &desk, VERDICT_HEADROOM, list, &seen, limits, rows);
	write_verdict(out, &desk, VERDICT_HIDDEN, list, &seen, limits, rows);
	neighbours_release(&desk.around);
	buffer_release(&desk.suggestion);
	free(list);
}
