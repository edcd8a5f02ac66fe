/*
 * tpa-srcmap: from which line of Python and which CPU op each kernel comes.
 *
 * In: cpu_op, python, launch and kernel records.  Out: all that came in, and for
 * each rank, at its end,
 *
 *	source<TAB>0<TAB>all<TAB>16<TAB>16<TAB>aten::mm<TAB>model.py(7): forward<TAB>gemm
 *	site<TAB>0<TAB>all<TAB>scope<TAB>16<TAB>model.py(7): forward<TAB>gemm
 */
#include "options.h"
#include "ranks.h"
#include "srcmap_kernel_map.h"
#include "srcmap_samples.h"
#include "srcmap_sites.h"
#include "srcmap_sources.h"
#include "srcmap_trace.h"
#include "stage.h"
#include "xalloc.h"

#include <stdlib.h>

#define SAMPLES_DEFAULT 16
#define SAMPLES_MAX 1000000

#define HELD_TYPES \
	(RECORD_BIT(RECORD_KERNEL) | RECORD_BIT(RECORD_CPU_OP) | RECORD_BIT(RECORD_PYTHON) | \
	 RECORD_BIT(RECORD_LAUNCH))

static const struct option_row rows[] = {
	{'s', "source-only", NULL, "write source and site records alone"},
	{'n', "samples", "SAMPLES", "kernels looked at per name, 0 for all (default 16)"},
	{'m', "map", "KERNELMAP", "a kernel map in JSON, for kernels without frames"},
	OPTION_ROWS_COMMON,
	{0},
};

static const struct tool tool = {
	.name = "tpa-srcmap",
	.summary = "find the Python code and the CPU op that each kernel comes from",
	.operands = "[FILE...]",
	.rows = rows,
};

struct srcmap {
	struct stage stage;
	struct ranks ranks;
	struct trace **trace; /* by the id of the rank; NULL if nothing is held */
	size_t traces, capacity;
	struct kernel_map *map;
	size_t limit;
	bool source_only;
	bool lossy;
};

static struct trace *find_trace(struct srcmap *srcmap, uint32_t id)
{
	if (id >= srcmap->traces) {
		srcmap->trace = xgrow(srcmap->trace, &srcmap->capacity, (size_t)id + 1,
				      sizeof(struct trace *));
		while (srcmap->traces <= id)
			srcmap->trace[srcmap->traces++] = NULL;
	}
	if (!srcmap->trace[id])
		srcmap->trace[id] = xcalloc(1, sizeof(struct trace));
	return srcmap->trace[id];
}

static void announce(struct srcmap *srcmap, struct field rank, enum record_type type, size_t count)
{
	record_begin(&srcmap->stage.out, RECORD_META);
	record_put_field(&srcmap->stage.out, rank);
	record_put_escaped(&srcmap->stage.out, ranks_key(type), strlen(ranks_key(type)));
	record_put_int(&srcmap->stage.out, (int64_t)count);
	record_end(&srcmap->stage.out);
}

static void write_rank(struct srcmap *srcmap, struct trace *trace, struct field rank)
{
	struct samples samples = samples_take(trace, srcmap->limit);
	struct chains chains = CHAINS_INIT;
	struct sources sources = SOURCES_INIT;

	sites_find(trace, &samples, &chains);
	sources_count(&sources, trace, &samples, &chains, srcmap->map);
	if (!srcmap->source_only) {
		announce(srcmap, rank, RECORD_SOURCE, sources.known.count);
		announce(srcmap, rank, RECORD_SITE, sources_sites(&sources));
	}
	sources_write(&sources, trace, rank, &srcmap->stage.out);
	sources_release(&sources);
	chains_release(&chains);
	samples_release(&samples);
}

static void finish_rank(struct srcmap *srcmap, uint32_t id)
{
	static const char twice[] =
		"rank %.*s: two kernels with one pid and idx; give each trace its label with "
		"tpa-extract -l";
	const struct interned *label = &srcmap->ranks.labels.item[id];
	struct trace *trace = find_trace(srcmap, id);

	if (trace_order_kernels(trace)) {
		if (!srcmap->stage.keep_going)
			diag_die(twice, (int)label->length, label->text);
		diag_error(twice, (int)label->length, label->text);
		srcmap->lossy = true;
	}
	write_rank(srcmap, trace, (struct field){label->text, label->length});
	trace_release(trace);
	free(trace);
	srcmap->trace[id] = NULL;
}

static enum stage_taken take(void *state, struct record *record)
{
	struct srcmap *srcmap = state;
	uint32_t id;

	if (record->type == RECORD_META) {
		if (ranks_meta(&srcmap->ranks, record, &id)) {
			finish_rank(srcmap, id);
			ranks_end(&srcmap->ranks, id);
		}
	} else if (!ranks_count(&srcmap->ranks, record, &id) ||
		   !trace_add(find_trace(srcmap, id), record)) {
		return STAGE_FAULT;
	}
	return srcmap->source_only ? STAGE_KEPT : STAGE_PASS;
}

static void parse_options(struct srcmap *srcmap, struct options *options)
{
	const char *map = NULL;
	int letter;

	while ((letter = options_next(options)))
		switch (letter) {
		case 's':
			srcmap->source_only = true;
			break;
		case 'n':
			srcmap->limit = (size_t)options_number(options, 'n', 0, SAMPLES_MAX);
			break;
		case 'm':
			map = options->argument;
			break;
		case 'k':
			srcmap->stage.keep_going = true;
			break;
		}
	if (map)
		srcmap->map = kernel_map_open(map);
}

int main(int argc, char **argv)
{
	struct srcmap srcmap = {.limit = SAMPLES_DEFAULT};
	struct options options = options_init(&tool, argc, argv);
	enum tpa_exit status;

	parse_options(&srcmap, &options);
	srcmap.stage.wants = HELD_TYPES | RECORD_BIT(RECORD_META);
	srcmap.stage.take = take;
	srcmap.stage.state = &srcmap;
	srcmap.stage.pass = !srcmap.source_only;
	ranks_init(&srcmap.ranks, HELD_TYPES);
	stage_open(&srcmap.stage);
	status = stage_run(&srcmap.stage, options.operand, options.operands);
	for (uint32_t id = 0; id < srcmap.traces && status != TPA_FAILED; id++)
		if (srcmap.trace[id] && srcmap.trace[id]->kernels)
			finish_rank(&srcmap, id);
	if (status == TPA_DONE && srcmap.lossy)
		status = TPA_LOSSY;
	for (uint32_t id = 0; id < srcmap.traces; id++)
		if (srcmap.trace[id])
			trace_release(srcmap.trace[id]);
	kernel_map_close(srcmap.map);
	ranks_release(&srcmap.ranks);
	return (int)stage_close(&srcmap.stage, status);
}
