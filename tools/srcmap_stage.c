#include "srcmap_stage.h"

#include "diag.h"
#include "srcmap_chains.h"
#include "srcmap_samples.h"
#include "srcmap_sites.h"
#include "srcmap_sources.h"
#include "xalloc.h"

#include <stdlib.h>

void srcmap_init(struct srcmap *srcmap, struct record_writer *out)
{
	*srcmap = (struct srcmap){.samples = SRCMAP_SAMPLES, .out = out};
	ranks_init(&srcmap->ranks, SRCMAP_HELD);
}

static struct trace *new_trace(struct srcmap *srcmap, uint32_t id)
{
	if (id >= srcmap->traces) {
		srcmap->trace = xgrow(srcmap->trace, &srcmap->trace_capacity, (size_t)id + 1,
				      sizeof(struct trace *));
		while (srcmap->traces <= id)
			srcmap->trace[srcmap->traces++] = NULL;
	}
	return srcmap->trace[id] = xcalloc(1, sizeof(struct trace));
}

static struct trace *find_trace(struct srcmap *srcmap, uint32_t id)
{
	if (id < srcmap->traces && srcmap->trace[id])
		return srcmap->trace[id];
	return new_trace(srcmap, id);
}

static void announce(struct srcmap *srcmap, struct field rank, enum record_type type, size_t count)
{
	record_begin(srcmap->out, RECORD_META);
	record_put_field(srcmap->out, rank);
	record_put_escaped(srcmap->out, ranks_key(type), strlen(ranks_key(type)));
	record_put_int(srcmap->out, (int64_t)count);
	record_end(srcmap->out);
}

static void write_rank(struct srcmap *srcmap, struct trace *trace, struct field rank)
{
	struct samples samples = samples_take(trace, srcmap->samples);
	struct chains chains = CHAINS_INIT;
	struct sources sources = SOURCES_INIT;

	sites_find(trace, &samples, &chains);
	sources_count(&sources, trace, &samples, &chains, srcmap->map);
	if (!srcmap->source_only) {
		announce(srcmap, rank, RECORD_SOURCE, sources.known.count);
		announce(srcmap, rank, RECORD_SITE, sources_sites(&sources));
	}
	sources_write(&sources, trace, rank, srcmap->out);
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
		if (!srcmap->keep_going)
			diag_die(twice, (int)label->length, label->text);
		diag_error(twice, (int)label->length, label->text);
		srcmap->lossy = true;
	}
	write_rank(srcmap, trace, (struct field){label->text, label->length});
	trace_release(trace);
	free(trace);
	srcmap->trace[id] = NULL;
}

enum stage_taken srcmap_take(void *state, struct record *record)
{
	struct srcmap *srcmap = state;
	uint32_t id;

	if (record->type == RECORD_META) {
		if (ranks_meta(&srcmap->ranks, record, &id)) {
			finish_rank(srcmap, id);
			ranks_end(&srcmap->ranks, id);
		}
	} else if (record->type == RECORD_SOURCE || record->type == RECORD_SITE) {
		return STAGE_PASS;
	} else if (!ranks_count(&srcmap->ranks, record, &id) ||
		   !trace_add(find_trace(srcmap, id), record)) {
		return STAGE_FAULT;
	}
	return srcmap->source_only ? STAGE_KEPT : STAGE_PASS;
}

enum tpa_exit srcmap_finish(struct srcmap *srcmap, enum tpa_exit status)
{
	for (uint32_t id = 0; id < srcmap->traces; id++)
		if (srcmap->trace[id] && srcmap->trace[id]->kernels)
			finish_rank(srcmap, id);
	return status == TPA_DONE && srcmap->lossy ? TPA_LOSSY : status;
}

void srcmap_release(struct srcmap *srcmap)
{
	for (size_t id = 0; id < srcmap->traces; id++) {
		if (!srcmap->trace[id])
			continue;
		trace_release(srcmap->trace[id]);
		free(srcmap->trace[id]);
	}
	free(srcmap->trace);
	kernel_map_close(srcmap->map);
	ranks_release(&srcmap->ranks);
}
