#include "srcmap_sources.h"

#include "text.h"
#include "xalloc.h"

#include <stdlib.h>

static struct source *find_source(struct sources *sources, uint32_t stage, uint32_t name)
{
	uint32_t key[2] = {stage, name}, known = sources->known.count;
	uint32_t id = intern(&sources->known, (const char *)key, sizeof(key));

	if (id == known) {
		sources->item = xgrow(sources->item, &sources->capacity, (size_t)id + 1,
				      sizeof(*sources->item));
		sources->item[id] = (struct source){.stage = stage, .name = name};
	}
	return &sources->item[id];
}

static void count_text(struct counter *counter, struct texts *texts, struct field text,
		       int64_t count)
{
	counter_add(counter, texts_add(texts, text.text, text.length), count);
}

/* What the kernel map knows of a kernel whose frames were not found. */
static void count_entry(struct source *source, struct texts *texts,
			const struct kernel_map_entry *entry)
{
	struct field best = kernel_map_location(entry);
	size_t sites = kernel_map_sites(entry);

	if (!best.length)
		return;
	source->mapped++;
	count_text(&source->scopes, texts, best, 1);
	for (size_t i = 0; i < sites; i++) {
		struct kernel_map_site site = kernel_map_site(entry, i);

		if (site.location.length && site.launches > 0)
			count_text(&source->scopes, texts, site.location, site.launches);
		if (site.cpu_op.length)
			count_text(&source->launches, texts, site.cpu_op,
				   site.launches > 1 ? site.launches : 1);
	}
}

static void count_shown(struct counter *counter, struct texts *texts, uint32_t name)
{
	uint32_t shown;

	if (name == TEXT_NONE)
		return;
	shown = texts_shown(texts, name);
	if (texts->names.item[shown].length)
		counter_add(counter, shown, 1);
}

static void count_sample(struct source *source, struct texts *texts, const struct sample *sample,
			 const struct chains *chains, const struct kernel_map_entry *entry)
{
	const struct call *shown = sample->op.name == TEXT_NONE ? &sample->launch : &sample->op;

	source->total++;
	count_shown(&source->ops, texts, shown->name);
	if (sample->chain == CHAIN_NONE) {
		if (entry)
			count_entry(source, texts, entry);
		return;
	}
	source->mapped++;
	counter_add(&source->scopes, chains->counted[sample->chain].scope, 1);
	counter_add(&source->chains, chains->counted[sample->chain].key, 1);
	count_shown(&source->launches, texts, sample->label);
}

static struct field plain(struct buffer *out, const struct interned *text)
{
	text_unescape(out, text->text, text->length);
	return (struct field){out->data, out->length};
}

static const struct kernel_map_entry *
find_entry(const struct trace *trace, const struct kernel_map *map, const struct cell *cell)
{
	struct buffer stage = BUFFER_INIT, name = BUFFER_INIT;
	const struct kernel_map_entry *entry;

	entry = kernel_map_find(map,
				plain(&stage, &trace->stages.item[trace->group[cell->group].stage]),
				plain(&name, &trace->kernel_names.item[cell->name]));
	buffer_release(&stage);
	buffer_release(&name);
	return entry;
}

/* The kernel map's entries of all cells, or NULL; the caller frees it. */
static const struct kernel_map_entry **find_entries(const struct trace *trace,
						    const struct kernel_map *map)
{
	const struct kernel_map_entry **entry;

	if (!map)
		return NULL;
	entry = xcalloc(trace->cell_names.count, sizeof(*entry));
	for (uint32_t id = 0; id < trace->cell_names.count; id++)
		entry[id] = find_entry(trace, map, &trace->cell[id]);
	return entry;
}

void sources_count(struct sources *sources, struct trace *trace, const struct samples *samples,
		   const struct chains *chains, const struct kernel_map *map)
{
	const struct kernel_map_entry **entry = find_entries(trace, map);

	for (size_t i = 0; i < samples->count; i++) {
		const struct sample *sample = &samples->item[i];
		uint32_t cell = sample->kernel->cell;
		struct source *source =
		    find_source(sources, trace->group[sample->group].stage, trace->cell[cell].name);

		count_sample(source, &trace->texts, sample, chains, entry ? entry[cell] : NULL);
	}
	free(entry);
}

size_t sources_sites(const struct sources *sources)
{
	size_t sites = 0;

	for (uint32_t id = 0; id < sources->known.count; id++) {
		const struct source *source = &sources->item[id];

		sites += (size_t)source->scopes.items + source->chains.items +
			 source->launches.items + source->ops.items;
	}
	return sites;
}

/* A source on its way out. */
struct writing {
	struct record_writer *out;
	const struct texts *texts;
	struct field rank, stage, name;
};

static struct field as_field(const struct interned *text)
{
	return (struct field){text->text, text->length};
}

static void put_text(const struct writing *writing, uint32_t id)
{
	if (id == COUNTER_NONE)
		record_put_unknown(writing->out);
	else
		record_put_text(writing->out, writing->texts->names.item[id].text,
				writing->texts->names.item[id].length);
}

static void write_source(const struct writing *writing, const struct source *source)
{
	record_begin(writing->out, RECORD_SOURCE);
	record_put_field(writing->out, writing->rank);
	record_put_field(writing->out, writing->stage);
	record_put_int(writing->out, source->total);
	record_put_int(writing->out, source->mapped);
	put_text(writing, counter_best(&source->launches));
	put_text(writing, counter_best(&source->scopes));
	record_put_field(writing->out, writing->name);
	record_end(writing->out);
}

static void write_sites(const struct writing *writing, const char *kind, struct counter *counter)
{
	counter_sort(counter);
	for (uint32_t i = 0; i < counter->items; i++) {
		record_begin(writing->out, RECORD_SITE);
		record_put_field(writing->out, writing->rank);
		record_put_field(writing->out, writing->stage);
		record_put_escaped(writing->out, kind, strlen(kind));
		record_put_int(writing->out, counter->item[i].count);
		put_text(writing, counter->item[i].key);
		record_put_field(writing->out, writing->name);
		record_end(writing->out);
	}
}

void sources_write(struct sources *sources, const struct trace *trace, struct field rank,
		   struct record_writer *out)
{
	for (uint32_t id = 0; id < sources->known.count; id++) {
		struct source *source = &sources->item[id];
		struct writing writing = {
		    .out = out,
		    .texts = &trace->texts,
		    .rank = rank,
		    .stage = as_field(&trace->stages.item[source->stage]),
		    .name = as_field(&trace->kernel_names.item[source->name]),
		};

		write_source(&writing, source);
		write_sites(&writing, "scope", &source->scopes);
		write_sites(&writing, "chain", &source->chains);
		write_sites(&writing, "launch", &source->launches);
		write_sites(&writing, "op", &source->ops);
	}
}

void sources_release(struct sources *sources)
{
	for (uint32_t id = 0; id < sources->known.count; id++) {
		counter_release(&sources->item[id].scopes);
		counter_release(&sources->item[id].chains);
		counter_release(&sources->item[id].launches);
		counter_release(&sources->item[id].ops);
	}
	intern_release(&sources->known);
	free(sources->item);
	*sources = (struct sources)SOURCES_INIT;
}
