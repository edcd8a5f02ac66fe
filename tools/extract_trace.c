#include "extract_trace.h"

#include "extract_header.h"
#include "extract_meta.h"
#include "extract_progress.h"
#include "extract_records.h"
#include "extract_report.h"

#include <stdlib.h>
#include <string.h>

static void begin(void *context)
{
	extract_begin(context);
}

static void take_event(void *context, const struct trace_event *event)
{
	extract_event(context, event);
}

static void take_value(void *context, const char *key, const char *text, size_t length)
{
	extract_header_value(context, key, text, length);
}

static void show_progress(void *context, uint64_t bytes)
{
	progress_show(context, bytes);
}

static void finish(struct extract *extract)
{
	struct kernels_choice choice = extract->options->choice;

	if (!extract->options->stage)
		choice.stage = stage_from_path(extract->name);
	kernels_choose(&extract->kernels, &choice);
	if (!extract->tags) {
		extract->written = xgrow(extract->written, &extract->written_capacity, 1,
					 sizeof(*extract->written));
		extract->written[extract->tags++] = (struct written){0};
	}
	if (extract->options->types & RECORD_BIT(RECORD_KERNEL))
		extract_put_kernels(extract);
	if (extract->options->types & RECORD_BIT(RECORD_META))
		extract_put_meta(extract);
}

static void release(struct extract *extract)
{
	buffer_release(&extract->label);
	buffer_release(&extract->rank);
	buffer_release(&extract->world_size);
	buffer_release(&extract->base_time);
	buffer_release(&extract->work);
	intern_release(&extract->devices);
	name_cache_release(&extract->names);
	known_threads_release(&extract->threads);
	kernels_release(&extract->kernels);
	categories_release(&extract->categories);
	free(extract->written);
	free(extract);
}

enum tpa_exit extract_trace(const struct extract_options *options, int fd, const char *name,
			    const char *label, const char *place, struct extract_labels *labels,
			    struct record_writer *out)
{
	struct extract *extract = xcalloc(1, sizeof(*extract));
	struct trace_input input;
	struct progress progress;
	enum tpa_exit status = TPA_DONE;
	enum scan_result result;

	extract->options = options;
	extract->name = name;
	extract->given_label = label;
	extract->place = place;
	extract->labels = labels;
	extract->out = out;
	extract->scan = (struct trace_scan){.event = take_event,
					    .value = take_value,
					    .begin = begin,
					    .context = extract,
					    .input = &input};
	labels->of_earlier = labels->seen.count;
	name_cache_init(&extract->names);
	kernels_init(&extract->kernels);
	trace_input_init(&input, fd, options->threads);
	input.moved = show_progress;
	input.context = &progress;
	progress_start(&progress, fd, name);
	result = trace_scan(&extract->scan);
	if (result == SCAN_DONE && !extract->scan.stop)
		trace_input_drain(&input);
	progress_end(&progress);
	if (input.error) {
		diag_error("%s: cannot read: %s", name, strerror(input.error));
		status = TPA_FAILED;
	}
	if (extract->failed) {
		status = TPA_FAILED;
	} else if (result != SCAN_DONE) {
		if (!input.error)
			extract_report_refusal(extract, result);
		status = TPA_FAILED;
	} else if (!out->error) {
		finish(extract);
		if (extract_report_damage(extract) && status == TPA_DONE)
			status = TPA_LOSSY;
		extract_report_notes(extract);
	}
	trace_input_release(&input);
	release(extract);
	return status;
}
