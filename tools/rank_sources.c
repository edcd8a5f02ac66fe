#include "rank_sources.h"

#include "source_lookup.h"
#include "text.h"

struct rank_sources rank_sources_init(struct source_map *map, const struct rank_kernels *held,
				      const struct group *group)
{
	struct field name = group_stage(held, group);

	return (struct rank_sources){
		.map = map,
		.stage = source_map_stage(map, name.text, name.length),
		.ops = source_map_op_stage(map, name.text, name.length),
		.held = held,
	};
}

const struct source *rank_sources_find(struct rank_sources *sources, uint32_t name)
{
	const struct interned *escaped = &sources->held->texts.item[name];

	buffer_clear(&sources->text);
	text_unescape(&sources->text, escaped->text, escaped->length);
	return source_find(sources->map, sources->stage, sources->text.data, sources->text.length);
}

static const struct interned *best(const struct rank_sources *sources, const struct source *source,
				   enum sites_kind kind, const struct interned *none)
{
	const struct interned *found = source ? source_best(sources->map, source, kind) : NULL;

	return found ? found : none;
}

const struct interned *rank_sources_scope(const struct rank_sources *sources,
					  const struct source *source)
{
	static const struct interned unmapped = {.text = "unmapped", .length = 8};

	return best(sources, source, SITES_SCOPE, &unmapped);
}

const struct interned *rank_sources_launch(const struct rank_sources *sources,
					   const struct source *source)
{
	static const struct interned none = {.text = "n/a", .length = 3};

	return best(sources, source, SITES_LAUNCH, &none);
}

const struct interned *rank_sources_op(const struct rank_sources *sources,
				       const struct source *source)
{
	const struct interned *name;
	const struct source *seen;

	if (!source || !sources->ops)
		return NULL;
	name = &sources->stage->names.item[source->name];
	seen = source_exact(sources->ops, name->text, name->length);
	return best(sources, seen, SITES_OP, NULL);
}

void rank_sources_release(struct rank_sources *sources)
{
	buffer_release(&sources->text);
}
