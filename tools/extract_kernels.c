#include "extract_kernels.h"

#include "number.h"
#include "sort.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

void kernels_init(struct kernels *kernels)
{
	*kernels = (struct kernels){0};
	intern(&kernels->tags, "", 0);
	kernels->stages = xgrow(NULL, &kernels->stages_capacity, 1, sizeof(*kernels->stages));
	kernels->stages[0] = (struct stages){0};
}

uint32_t kernels_tag(struct kernels *kernels, const char *pid, size_t length)
{
	const char *close = length && pid[0] == '[' ? memchr(pid, ']', length) : NULL;
	uint32_t known = kernels->tags.count, tag;
	struct buffer label = BUFFER_INIT;

	if (!close || close == pid + 1)
		return 0;
	text_escape(&label, pid + 1, (size_t)(close - pid - 1));
	tag = intern(&kernels->tags, label.data, label.length);
	buffer_release(&label);
	if (tag == known) {
		kernels->stages = xgrow(kernels->stages, &kernels->stages_capacity, known + 1,
					sizeof(*kernels->stages));
		kernels->stages[tag] = (struct stages){0};
	}
	return tag;
}

uint32_t kernels_process(struct kernels *kernels, const char *pid, size_t length)
{
	uint32_t known = kernels->pids.count, id = intern(&kernels->pids, pid, length);

	if (id == known) {
		kernels->process = xgrow(kernels->process, &kernels->process_capacity, known + 1,
					 sizeof(*kernels->process));
		kernels->process[id] = (struct process){.tag = kernels_tag(kernels, pid, length)};
	}
	return id;
}

void kernels_add(struct kernels *kernels, const struct kernel *kernel)
{
	struct process *process = &kernels->process[kernel->pid];

	if (!process->kernels++)
		process->order = ++kernels->processes_seen;
	process->total = time_add(process->total, kernel->dur);
	kernels->item = xstretch(kernels->item, &kernels->capacity, kernels->count + 1,
				 sizeof(*kernels->item));
	kernels->item[kernels->count++] = *kernel;
}

void kernels_link(struct kernels *kernels, const struct id_link *link)
{
	const struct id_link *last = kernels->links ? &kernels->link[kernels->links - 1] : NULL;

	/* a kernel's record stands next to its launch's in many traces, with the same ids */
	if (last && last->corr == link->corr && last->ext == link->ext && last->tag == link->tag &&
	    last->is_launch >= link->is_launch)
		return;
	kernels->link = xstretch(kernels->link, &kernels->link_capacity, kernels->links + 1,
				 sizeof(*kernels->link));
	kernels->link[kernels->links++] = *link;
}

void kernels_annotate(struct kernels *kernels, uint32_t tag, const struct stage_mark *mark)
{
	stages_add(&kernels->stages[tag], mark);
}

void kernels_name_thread(struct kernels *kernels, const char *thread, size_t length,
			 const char *name, size_t name_length)
{
	uint32_t id = intern(&kernels->threads, thread, length);

	kernels->thread_name = xgrow(kernels->thread_name, &kernels->thread_capacity, id + 1,
				     sizeof(*kernels->thread_name));
	kernels->thread_name[id] = intern(&kernels->texts, name, name_length);
}

/* Of those whose pid contains `part`, the one with the most kernel time; else none. */
static struct process *heaviest(struct kernels *kernels, const char *part)
{
	struct process *best = NULL;

	for (uint32_t id = 0; id < kernels->pids.count; id++) {
		struct process *process = &kernels->process[id];
		const struct interned *pid = &kernels->pids.item[id];

		if (!process->kernels || !text_contains(pid->text, pid->length, part, strlen(part)))
			continue;
		if (!best || process->total > best->total ||
		    (process->total == best->total && process->order < best->order))
			best = process;
	}
	return best;
}

static void keep_processes(struct kernels *kernels, const struct kernels_choice *choice)
{
	const char *part = choice->pid_part ? choice->pid_part : "";
	struct process *best = NULL;

	if (!choice->all) {
		if (!choice->pid_part)
			best = heaviest(kernels, "TP00");
		if (!choice->pid_part && !best)
			best = heaviest(kernels, "TP-0");
		if (!best)
			best = heaviest(kernels, part);
		if (best)
			best->kept = true;
		return;
	}
	for (uint32_t id = 0; id < kernels->pids.count; id++) {
		const struct interned *pid = &kernels->pids.item[id];

		kernels->process[id].kept = kernels->process[id].kernels &&
					    text_contains(pid->text, pid->length, part, strlen(part));
	}
}

/* Drops what is not kept, and counts the rest from 0, process by process. */
static void number_kernels(struct kernels *kernels)
{
	uint32_t *next = xcalloc(kernels->pids.count, sizeof(*next));
	size_t kept = 0;

	for (size_t i = 0; i < kernels->count; i++) {
		struct kernel *kernel = &kernels->item[i];

		if (!kernels->process[kernel->pid].kept)
			continue;
		kernel->idx = next[kernel->pid]++;
		kernels->item[kept++] = *kernel;
	}
	kernels->count = kept;
	free(next);
}

/* What is known of a correlation that kernels without an External id have. */
struct wanted_id {
	int64_t corr, ext;
	uint32_t tag;
	bool used, launched;
};

struct wanted_ids {
	struct wanted_id *slot;
	size_t slots;
};

static struct wanted_id *find_wanted(const struct wanted_ids *ids, uint32_t tag, int64_t corr)
{
	size_t at = (size_t)(hash_number((uint64_t)corr + tag) >> 20) & (ids->slots - 1);

	while (ids->slot[at].used && (ids->slot[at].corr != corr || ids->slot[at].tag != tag))
		at = (at + 1) & (ids->slots - 1);
	return &ids->slot[at];
}

static bool wants_id(const struct kernel *kernel)
{
	return !kernel->ext && kernel->corr;
}

/* A kernel without an External id takes the last one seen with its correlation. */
static void link_kernels(struct kernels *kernels)
{
	struct wanted_ids ids = {NULL, 64};
	size_t wanted = 0, capacity = 0;

	for (size_t i = 0; i < kernels->count; i++)
		wanted += wants_id(&kernels->item[i]);
	while (ids.slots < 2 * wanted)
		ids.slots *= 2;
	ids.slot = xstretch(NULL, &capacity, ids.slots, sizeof(*ids.slot));
	memset(ids.slot, 0, ids.slots * sizeof(*ids.slot));
	for (size_t i = 0; i < kernels->count; i++) {
		const struct kernel *kernel = &kernels->item[i];
		uint32_t tag = kernels->process[kernel->pid].tag;

		if (wants_id(kernel))
			*find_wanted(&ids, tag, kernel->corr) =
				(struct wanted_id){.corr = kernel->corr, .tag = tag, .used = true};
	}
	for (size_t i = 0; wanted && i < kernels->links; i++) {
		const struct id_link *link = &kernels->link[i];
		struct wanted_id *id = find_wanted(&ids, link->tag, link->corr);

		if (id->used && link->ext)
			id->ext = link->ext;
		if (id->used && link->is_launch)
			id->launched = true;
	}
	for (size_t i = 0; i < kernels->count; i++) {
		struct kernel *kernel = &kernels->item[i];

		if (wants_id(kernel)) {
			struct wanted_id *id = find_wanted(
				&ids, kernels->process[kernel->pid].tag, kernel->corr);

			kernel->ext = id->ext;
			kernel->launched = id->launched;
		}
		kernels->unlinked += !kernel->ext && !kernel->launched;
	}
	xstretch_free(ids.slot, capacity, sizeof(*ids.slot));
}

static void find_streams(struct kernels *kernels)
{
	struct buffer text = BUFFER_INIT, escaped = BUFFER_INIT;

	for (size_t i = 0; i < kernels->count; i++) {
		struct kernel *kernel = &kernels->item[i];
		const struct interned *pid, *tid;
		uint32_t thread;

		if (kernel->stream != INTERN_NONE)
			continue;
		pid = &kernels->pids.item[kernel->pid];
		tid = &kernels->texts.item[kernel->tid];
		buffer_clear(&text);
		text_escape(&text, pid->text, pid->length);
		buffer_add_char(&text, '\t');
		buffer_add(&text, tid->text, tid->length);
		thread = intern_find(&kernels->threads, text.data, text.length);
		if (thread != INTERN_NONE) {
			kernel->stream = kernels->thread_name[thread];
			continue;
		}
		buffer_clear(&text);
		buffer_add_string(&text, "tid=");
		text_unescape(&text, tid->text, tid->length);
		buffer_clear(&escaped);
		text_escape(&escaped, text.data, text.length);
		kernel->stream = intern(&kernels->texts, escaped.data, escaped.length);
	}
	buffer_release(&text);
	buffer_release(&escaped);
}

static int by_pid_and_start(const void *a, const void *b, const void *context)
{
	const struct kernel *all = context, *left = &all[*(const uint32_t *)a],
			    *right = &all[*(const uint32_t *)b];

	if (left->pid != right->pid)
		return left->pid < right->pid ? -1 : 1;
	return (left->ts > right->ts) - (left->ts < right->ts);
}

/*
 * Puts the numbers of the kernels in the order of stream, then process, then start.
 * There are few streams, and the kernels of one mostly stand in their order.
 */
static void order_by_stream(const struct kernels *kernels, uint32_t *order)
{
	uint32_t streams = kernels->texts.count;
	size_t *end = xcalloc((size_t)streams + 1, sizeof(*end));

	for (size_t i = 0; i < kernels->count; i++)
		end[kernels->item[i].stream + 1]++;
	for (uint32_t stream = 0; stream < streams; stream++)
		end[stream + 1] += end[stream];
	for (size_t i = 0; i < kernels->count; i++)
		order[end[kernels->item[i].stream]++] = (uint32_t)i;
	for (size_t stream = 0, start = 0; stream < streams; start = end[stream++])
		stable_sort(order + start, end[stream] - start, sizeof(*order), by_pid_and_start,
			    kernels->item);
	free(end);
}

static bool same_stream(const struct kernel *a, const struct kernel *b)
{
	return a->pid == b->pid && a->stream == b->stream;
}

/*
 * A kernel that ends after the starts of two or more later kernels of its stream
 * has a corrupt duration: serial hardware cannot do that.
 */
static void find_overruns(struct kernels *kernels, bool clip)
{
	size_t capacity = 0;
	uint32_t *order = xstretch(NULL, &capacity, kernels->count, sizeof(*order));
	size_t later = 0; /* the first of this stream that starts after order[i] */

	order_by_stream(kernels, order);
	for (size_t i = kernels->count; i-- > 0;) {
		struct kernel *kernel = &kernels->item[order[i]], *next;
		int64_t by;

		if (i + 1 == kernels->count || !same_stream(kernel, &kernels->item[order[i + 1]]))
			later = kernels->count;
		else if (kernels->item[order[i + 1]].ts > kernel->ts)
			later = i + 1;
		if (later + 1 >= kernels->count)
			continue;
		next = &kernels->item[order[later + 1]];
		if (!same_stream(kernel, next) || next->ts >= kernel->ts + kernel->dur)
			continue;
		next = &kernels->item[order[later]];
		by = kernel->ts + kernel->dur - next->ts;
		if (!kernels->overrun.count++ || by > kernels->overrun.by) {
			kernels->overrun.by = by;
			kernels->overrun.worst = *kernel;
			kernels->overrun.next = next->ts;
		}
		if (clip)
			kernel->dur = next->ts - kernel->ts;
	}
	xstretch_free(order, capacity, sizeof(*order));
}

static int by_start(const void *a, const void *b, const void *context)
{
	const struct kernel *left = a, *right = b;

	(void)context;
	return (left->ts > right->ts) - (left->ts < right->ts);
}

void kernels_choose(struct kernels *kernels, const struct kernels_choice *choice)
{
	keep_processes(kernels, choice);
	number_kernels(kernels);
	link_kernels(kernels);
	find_streams(kernels);
	for (uint32_t tag = 0; tag < kernels->tags.count; tag++)
		stages_ready(&kernels->stages[tag]);
	for (size_t i = 0; i < kernels->count; i++) {
		struct kernel *kernel = &kernels->item[i];
		const struct stages *stages = &kernels->stages[kernels->process[kernel->pid].tag];

		kernel->stage = (uint8_t)(choice->stage != STAGE_ALL
						  ? choice->stage
						  : stages_find(stages, kernel->ts, kernel->ext));
	}
	find_overruns(kernels, choice->clip);
	if (choice->by_start)
		stable_sort(kernels->item, kernels->count, sizeof(*kernels->item), by_start, NULL);
}

void kernels_release(struct kernels *kernels)
{
	for (uint32_t tag = 0; tag < kernels->tags.count; tag++)
		stages_release(&kernels->stages[tag]);
	xstretch_free(kernels->item, kernels->capacity, sizeof(*kernels->item));
	xstretch_free(kernels->link, kernels->link_capacity, sizeof(*kernels->link));
	free(kernels->process);
	free(kernels->stages);
	free(kernels->thread_name);
	intern_release(&kernels->texts);
	intern_release(&kernels->pids);
	intern_release(&kernels->tags);
	intern_release(&kernels->threads);
}
