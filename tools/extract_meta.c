#include "extract_meta.h"

#include "extract_records.h"
#include "ranks.h"
#include "sort.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	unsigned fact;
	const char *word;
} frameworks[] = {
	{NAME_SGLANG, "sglang"},
	{NAME_VLLM, "vllm"},
	{NAME_TENSORRT_LLM, "tensorrt_llm"},
	{NAME_TOKENSPEED, "tokenspeed"},
};

void extract_put_kernels(struct extract *extract)
{
	const struct kernels *kernels = &extract->kernels;
	struct record_writer *out = extract->out;
	const char *own = extract->options->stage;
	struct buffer given = BUFFER_INIT;

	if (own && strcmp(own, "all"))
		extract_add_argument(&given, own);
	for (size_t i = 0; i < kernels->count && !out->error; i++) {
		const struct kernel *kernel = &kernels->item[i];
		const struct process *process = &kernels->process[kernel->pid];
		const struct interned *pid = &kernels->pids.item[kernel->pid];
		const struct interned *tid = &kernels->texts.item[kernel->tid];
		const struct interned *stream = &kernels->texts.item[kernel->stream];
		const struct interned *kind = &kernels->texts.item[kernel->kind];
		const struct interned *name = &extract->names.kernels.item[kernel->name];
		const char *stage = kernel_stage_names[kernel->stage];

		record_begin(out, RECORD_KERNEL);
		record_put_field(out, extract_label(extract, process->tag));
		record_put_text(out, pid->text, pid->length);
		if (given.length)
			record_put_escaped(out, given.data, given.length);
		else
			record_put_escaped(out, stage, strlen(stage));
		record_put_int(out, kernel->idx);
		record_put_escaped(out, tid->text, tid->length);
		record_put_escaped(out, stream->text, stream->length);
		record_put_time(out, kernel->ts);
		record_put_time(out, kernel->dur);
		record_put_id(out, kernel->ext);
		record_put_id(out, kernel->corr);
		record_put_escaped(out, kind->text, kind->length);
		record_put_escaped(out, "-\t-\t-\t-", 7);
		record_put_escaped(out, name->text, name->length);
		extract_end_record(extract, RECORD_KERNEL, process->tag);
	}
	buffer_release(&given);
}

static void put_meta(struct extract *extract, uint32_t tag, const char *key, const char *value,
		     size_t length)
{
	record_begin(extract->out, RECORD_META);
	record_put_field(extract->out, extract_label(extract, tag));
	record_put_text(extract->out, key, strlen(key));
	record_put_text(extract->out, value, length);
	extract_end_record(extract, RECORD_META, tag);
}

static void put_meta_number(struct extract *extract, uint32_t tag, const char *key, int64_t value)
{
	char text[NUMBER_LENGTH];

	put_meta(extract, tag, key, text, (size_t)(number_put_int(text, value) - text));
}

static void put_meta_process(struct extract *extract, uint32_t id)
{
	const struct process *process = &extract->kernels.process[id];
	const struct interned *pid = &extract->kernels.pids.item[id];
	struct buffer text = BUFFER_INIT;

	buffer_room(&text, NUMBER_LENGTH);
	text.length = (size_t)(number_put_time(text.data, process->total) - text.data);
	buffer_add_char(&text, ' ');
	buffer_add(&text, pid->text, pid->length);
	put_meta(extract, process->tag, process->kept ? "process" : "process_left_out", text.data,
		 text.length);
	buffer_release(&text);
}

/* The processes with kernels, tag by tag, each in the order of first sight. */
struct process_list {
	uint32_t *id;
	size_t count, at;
};

static int by_tag(const void *a, const void *b, const void *context)
{
	const struct process *all = context;
	uint32_t left = all[*(const uint32_t *)a].tag, right = all[*(const uint32_t *)b].tag;

	return (left > right) - (left < right);
}

static struct process_list list_processes(const struct kernels *kernels)
{
	struct process_list list = {xreallocarray(NULL, kernels->pids.count, sizeof(*list.id)), 0, 0};

	for (uint32_t id = 0; id < kernels->pids.count; id++)
		if (kernels->process[id].kernels)
			list.id[list.count++] = id;
	stable_sort(list.id, list.count, sizeof(*list.id), by_tag, kernels->process);
	return list;
}

/* What a stage further on, or a person, may want to know of the trace; `end` comes last. */
static void put_meta_of_rank(struct extract *extract, uint32_t tag, struct process_list *processes)
{
	static const enum record_type counted[] = {RECORD_CPU_OP, RECORD_PYTHON, RECORD_LAUNCH,
						   RECORD_SPAN, RECORD_KERNEL};
	struct buffer text = BUFFER_INIT;

	text_repair(&text, extract->name, strlen(extract->name));
	put_meta(extract, tag, "trace", text.data, text.length);
	put_meta_number(extract, tag, "events", (int64_t)extract->scan.events);
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
		put_meta_number(extract, tag, ranks_key(counted[i]),
				extract->written[tag].records[counted[i]]);
	for (int i = 0; i < SKIP_KINDS; i++) {
		if (!extract->skipped[i])
			continue;
		buffer_clear(&text);
		buffer_printf(&text, "%llu %s", (unsigned long long)extract->skipped[i], skip_words[i]);
		put_meta(extract, tag, "skipped", text.data, text.length);
	}
	while (processes->at < processes->count &&
	       extract->kernels.process[processes->id[processes->at]].tag == tag)
		put_meta_process(extract, processes->id[processes->at++]);
	if (extract->base_time.length)
		put_meta(extract, tag, "base_time_ns", extract->base_time.data,
			 extract->base_time.length);
	if (extract->world_size.length)
		put_meta(extract, tag, "world_size", extract->world_size.data,
			 extract->world_size.length);
	for (uint32_t id = 0; id < extract->devices.count; id++)
		put_meta(extract, tag, "device", extract->devices.item[id].text,
			 extract->devices.item[id].length);
	for (size_t i = 0; i < sizeof(frameworks) / sizeof(frameworks[0]); i++)
		if (extract->frameworks & frameworks[i].fact)
			put_meta(extract, tag, "framework", frameworks[i].word,
				 strlen(frameworks[i].word));
	put_meta_number(extract, tag, "end", (int64_t)extract->scan.events);
	buffer_release(&text);
}

/* A rank that is but the trace's own, though all its processes are of tagged ones, is none. */
static bool has_records(const struct extract *extract, uint32_t tag)
{
	for (int type = 0; type < RECORD_TYPE_COUNT; type++)
		if (extract->written[tag].records[type])
			return true;
	return tag || extract->tags <= 1;
}

void extract_put_meta(struct extract *extract)
{
	struct process_list processes = list_processes(&extract->kernels);

	for (uint32_t tag = 0; tag < extract->tags; tag++)
		if (has_records(extract, tag))
			put_meta_of_rank(extract, tag, &processes);
	free(processes.id);
}
