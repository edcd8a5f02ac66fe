#include "srcmap_sites.h"

#include "sort.h"
#include "srcmap_crowd.h"
#include "srcmap_moments.h"
#include "srcmap_nearest.h"
#include "srcmap_threads.h"
#include "text.h"
#include "xalloc.h"

#include <stdlib.h>

#define BY_TIME_LABEL "time-window fallback"

struct search {
	struct trace *trace;
	struct samples *samples;
	struct chains *chains;
};

static bool has_op(const struct sample *sample)
{
	return sample->op.name != TEXT_NONE;
}

static bool has_launch(const struct sample *sample)
{
	return sample->launch.name != TEXT_NONE;
}

#define WANTED_BITS 65536u /* a power of two */

/* The ids of the samples, which are few among those of the trace. */
struct wanted {
	struct intern ids;
	uint64_t low[WANTED_BITS / 64]; /* a bit for the lowest bits of each: most others have none */
};

static bool is_wanted(const struct wanted *wanted, int64_t id)
{
	size_t low = (uint64_t)id % WANTED_BITS;

	return wanted->low[low / 64] >> low % 64 & 1 &&
	       intern_find(&wanted->ids, (const char *)&id, sizeof(id)) != INTERN_NONE;
}

static void want(struct wanted *wanted, int64_t id)
{
	size_t low = (uint64_t)id % WANTED_BITS;

	if (!id)
		return;
	intern(&wanted->ids, (const char *)&id, sizeof(id));
	wanted->low[low / 64] |= (uint64_t)1 << low % 64;
}

static int by_thread_name(const void *a, const void *b, const void *context)
{
	const struct intern *names = context;
	const struct interned *left = &names->item[*(const uint32_t *)a];
	const struct interned *right = &names->item[*(const uint32_t *)b];

	return text_compare(left->text, left->length, right->text, right->length);
}

/* The threads by name, so that nothing depends on which came first; the caller frees it. */
static uint32_t *threads_in_order(const struct trace *trace)
{
	uint32_t threads = trace->thread_names.count;
	uint32_t *order = xcalloc(threads, sizeof(*order));

	for (uint32_t id = 0; id < threads; id++)
		order[id] = id;
	stable_sort(order, threads, sizeof(*order), by_thread_name, &trace->thread_names);
	return order;
}

static void add_ops_of(struct candidates *candidates, const struct trace *trace, uint32_t id,
		       const struct wanted *wanted)
{
	const struct thread *thread = &trace->thread[id];

	for (size_t i = 0; i < thread->ops; i++) {
		const struct op *op = &thread->op[i];

		if (is_wanted(wanted, op->ext))
			candidates_add(candidates, op->ext, op_end(thread, op) - op->ts,
				       (struct call){op->ts, id, op->name});
	}
}

static void find_ops_by_id(struct search *search)
{
	struct candidates candidates = CANDIDATES_INIT;
	struct wanted wanted = {0};
	uint32_t *order = threads_in_order(search->trace);

	for (size_t i = 0; i < search->samples->count; i++)
		want(&wanted, search->samples->item[i].kernel->ext);
	for (uint32_t i = 0; wanted.ids.count && i < search->trace->thread_names.count; i++)
		add_ops_of(&candidates, search->trace, order[i], &wanted);
	candidates_sort(&candidates);
	for (size_t i = 0; i < search->samples->count; i++) {
		struct sample *sample = &search->samples->item[i];
		const struct call *op =
		    candidates_nearest(&candidates, sample->kernel->ext, sample->kernel->ts);

		if (!op)
			continue;
		sample->op = *op;
		sample->op_by_id = true;
	}
	free(order);
	intern_release(&wanted.ids);
	candidates_release(&candidates);
}

static void find_launches(struct search *search)
{
	struct candidates candidates = CANDIDATES_INIT;
	struct wanted wanted = {0};

	for (size_t i = 0; i < search->samples->count; i++)
		if (!has_op(&search->samples->item[i]))
			want(&wanted, search->samples->item[i].kernel->corr);
	for (size_t i = 0; wanted.ids.count && i < search->trace->launches; i++) {
		const struct launch *launch = &search->trace->launch[i];

		if (is_wanted(&wanted, launch->corr))
			candidates_add(&candidates, launch->corr, launch->dur,
				       (struct call){launch->ts, launch->thread, launch->name});
	}
	candidates_sort(&candidates);
	for (size_t i = 0; i < search->samples->count; i++) {
		struct sample *sample = &search->samples->item[i];
		const struct call *launch =
		    candidates_nearest(&candidates, sample->kernel->corr, sample->kernel->ts);

		if (launch && !has_op(sample))
			sample->launch = *launch;
	}
	intern_release(&wanted.ids);
	candidates_release(&candidates);
}

/* The moments of the launches of those samples that have nothing better. */
static struct moments launch_moments(const struct search *search, bool of_all_threads)
{
	struct moments moments = MOMENTS_INIT;

	for (size_t i = 0; i < search->samples->count; i++) {
		const struct sample *sample = &search->samples->item[i];

		if (has_launch(sample) && !has_op(sample) && sample->chain == CHAIN_NONE)
			moments_add(&moments, sample->launch.ts, sample->launch.ts,
				    of_all_threads ? 0 : sample->launch.thread, i);
	}
	moments_sort(&moments);
	return moments;
}

static void find_ops_around_launches(struct search *search)
{
	struct moments moments = launch_moments(search, false);

	for (size_t start = 0, end; start < moments.count; start = end) {
		uint32_t id = moments.item[start].thread;
		struct thread *thread = &search->trace->thread[id];

		end = moments_thread_end(&moments, start);
		thread_ops_at(thread, &moments.item[start], end - start);
		for (size_t i = start; i < end; i++) {
			const struct moment *moment = &moments.item[i];
			const struct op *op;

			if (moment->answer == THREAD_NO_OP)
				continue;
			op = &thread->op[moment->answer];
			search->samples->item[moment->sample].op =
			    (struct call){op->ts, id, op->name};
		}
	}
	moments_release(&moments);
}

static void find_chains_at_ops(struct search *search)
{
	struct moments moments = MOMENTS_INIT;

	for (size_t i = 0; i < search->samples->count; i++) {
		const struct call *op = &search->samples->item[i].op;

		if (has_op(&search->samples->item[i]))
			moments_add(&moments, op->ts, op->ts, op->thread, i);
	}
	moments_sort(&moments);
	for (size_t start = 0, end; start < moments.count; start = end) {
		end = moments_thread_end(&moments, start);
		thread_chains_at(&search->trace->thread[moments.item[start].thread], search->chains,
				 &search->trace->texts, &moments.item[start], end - start);
	}
	for (size_t i = 0; i < moments.count; i++) {
		struct sample *sample = &search->samples->item[moments.item[i].sample];

		sample->chain = moments.item[i].answer;
		sample->label = sample->op.name;
	}
	moments_release(&moments);
}

/* Answers are chains; `label` is what they are counted with, or the launch's name. */
static void settle(struct search *search, const struct moments *moments, uint32_t label)
{
	for (size_t i = 0; i < moments->count; i++) {
		struct sample *sample = &search->samples->item[moments->item[i].sample];

		sample->chain = moments->item[i].answer;
		sample->label = label == TEXT_NONE ? sample->launch.name : label;
	}
}

static void find_chains_at_launches(struct search *search, struct crowd *crowd)
{
	struct moments moments = launch_moments(search, false);
	struct trace *trace = search->trace;

	for (size_t start = 0, end; start < moments.count; start = end) {
		end = moments_thread_end(&moments, start);
		crowd_chains_at(crowd, &trace->thread[moments.item[start].thread], 1,
				&moments.item[start], end - start);
	}
	settle(search, &moments, TEXT_NONE);
	moments_release(&moments);
	moments = launch_moments(search, true);
	if (moments.count)
		crowd_chains_at(crowd, trace->thread, trace->thread_names.count, moments.item,
				moments.count);
	settle(search, &moments, TEXT_NONE);
	moments_release(&moments);
}

/* The first and the last time that the reference script asks about in a group. */
struct span {
	int64_t first, last;
};

static struct span *spans_of_groups(const struct search *search)
{
	uint32_t groups = search->trace->group_names.count;
	struct span *span = xcalloc(groups, sizeof(*span));

	for (uint32_t group = 0; group < groups; group++)
		span[group] = (struct span){INT64_MAX, INT64_MIN};
	for (size_t i = 0; i < search->samples->count; i++) {
		const struct sample *sample = &search->samples->item[i];

		if (sample->op_by_id)
			continue;
		if (sample->kernel->ts < span[sample->group].first)
			span[sample->group].first = sample->kernel->ts;
		if (sample->kernel->ts > span[sample->group].last)
			span[sample->group].last = sample->kernel->ts;
	}
	return span;
}

/*
 * A frame that ends 1 ns before the kernel, or starts 1 ns after it, counts too,
 * but not beyond the times that are asked about in the group.
 */
static void find_chains_at_kernels(struct search *search, struct crowd *crowd)
{
	struct trace *trace = search->trace;
	struct moments moments = MOMENTS_INIT;
	struct span *span = spans_of_groups(search);

	for (size_t i = 0; i < search->samples->count; i++) {
		const struct sample *sample = &search->samples->item[i];
		int64_t ts = sample->kernel->ts;

		if (!has_op(sample) && sample->chain == CHAIN_NONE)
			moments_add(&moments, ts - (ts > span[sample->group].first),
				    ts + (ts < span[sample->group].last), 0, i);
	}
	free(span);
	moments_sort(&moments);
	if (moments.count)
		crowd_chains_at(crowd, trace->thread, trace->thread_names.count, moments.item,
				moments.count);
	settle(search, &moments,
	       texts_add(&trace->texts, BY_TIME_LABEL, sizeof(BY_TIME_LABEL) - 1));
	moments_release(&moments);
}

void sites_find(struct trace *trace, struct samples *samples, struct chains *chains)
{
	struct search search = {trace, samples, chains};
	struct crowd crowd;

	find_ops_by_id(&search);
	find_launches(&search);
	find_ops_around_launches(&search);
	find_chains_at_ops(&search);
	crowd_init(&crowd, &trace->texts, chains);
	find_chains_at_launches(&search, &crowd);
	find_chains_at_kernels(&search, &crowd);
	crowd_release(&crowd);
}
