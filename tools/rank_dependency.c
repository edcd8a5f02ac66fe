#include "rank_dependency.h"

#include "names.h"
#include "text.h"

#define NAME_CHARACTERS 28

struct neighbour {
	const struct kernel *kernel; /* NULL: none */
	double gap;		     /* ns */
	const struct interned *scope, *launch;
};

const char *dependency_signal(enum dependency dependency)
{
	static const char *const signal[] = {
		[DEPENDENCY_LOW] = "serial risk low",
		[DEPENDENCY_PREV] = "prev-side serial risk",
		[DEPENDENCY_NEXT] = "next-side serial risk",
		[DEPENDENCY_BOTH] = "both-side serial risk",
		[DEPENDENCY_UNCLEAR] = "adjacency unclear",
	};

	return signal[dependency];
}

int dependency_order(const struct kernel *a, const struct kernel *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	if (a->dur != b->dur)
		return a->dur < b->dur ? -1 : 1;
	return (a->idx > b->idx) - (a->idx < b->idx);
}

static void find_neighbours(const struct rank_kernels *held, const struct group *group,
			    const struct kernel *kernel, struct neighbour *prev,
			    struct neighbour *next)
{
	*prev = *next = (struct neighbour){0};
	for (uint32_t i = 0; i < group->count; i++) {
		const struct kernel *other = group_kernel(held, group, i);

		if (other->stream != kernel->stream || other == kernel)
			continue;
		if (dependency_order(other, kernel) < 0) {
			if (!prev->kernel || dependency_order(other, prev->kernel) > 0)
				prev->kernel = other;
		} else if (!next->kernel || dependency_order(other, next->kernel) < 0) {
			next->kernel = other;
		}
	}
}

/* From one time to a later one; nothing if it is not later. */
static double gap(int64_t from, int64_t to)
{
	return to > from ? (double)(to - from) : 0.0;
}

static void find_source(struct neighbour *side, struct rank_sources *sources)
{
	const struct source *source =
		side->kernel ? rank_sources_find(sources, side->kernel->name) : NULL;

	side->scope = rank_sources_scope(sources, source);
	side->launch = rank_sources_launch(sources, source);
}

/* A launch op that is no op says nothing of the code it comes from. */
static bool names_op(const struct interned *launch)
{
	return !TEXT_IS(launch->text, launch->length, "n/a") &&
	       !TEXT_IS(launch->text, launch->length, "time-window fallback") &&
	       !name_is_launch(launch->text, launch->length);
}

/* Whether work of this category usually needs, or feeds, its neighbour's. */
static bool depends(const struct rank_kernels *held, const struct kernel *kernel,
		    const struct kernel *neighbour)
{
	struct field mine = {held->texts.item[kernel->category].text,
			     held->texts.item[kernel->category].length};
	struct field theirs = {held->texts.item[neighbour->category].text,
			       held->texts.item[neighbour->category].length};
	bool moves = field_is(theirs, "elementwise") || field_is(theirs, "memory");

	if (field_is(mine, "communication"))
		return moves || field_is(theirs, "compute") || field_is(theirs, "other");
	if (field_is(mine, "elementwise") || field_is(mine, "memory"))
		return moves || field_is(theirs, "compute") || field_is(theirs, "communication");
	return false;
}

static bool is_unmapped(const struct interned *scope)
{
	return TEXT_IS(scope->text, scope->length, "unmapped");
}

/* What one neighbour tells: that there is a risk, that it may be, or neither. */
static enum dependency judge(const struct rank_kernels *held, const struct neighbour *mine,
			     const struct neighbour *side, enum dependency risk)
{
	double tight = (double)mine->kernel->dur * 0.15;

	tight = tight > 20000.0 ? 20000.0 : tight < 2000.0 ? 2000.0 : tight;
	if (!side->kernel || side->gap > tight)
		return DEPENDENCY_LOW;
	if (name_scope_same_family(mine->scope->text, mine->scope->length, side->scope->text,
				   side->scope->length))
		return risk;
	if (names_op(mine->launch) && !text_compare(mine->launch->text, mine->launch->length,
						    side->launch->text, side->launch->length))
		return risk;
	if (depends(held, mine->kernel, side->kernel))
		return risk;
	return is_unmapped(mine->scope) || is_unmapped(side->scope) ? DEPENDENCY_UNCLEAR
								   : DEPENDENCY_LOW;
}

static enum dependency judge_both(enum dependency prev, enum dependency next)
{
	if (prev == DEPENDENCY_PREV && next == DEPENDENCY_NEXT)
		return DEPENDENCY_BOTH;
	if (prev == DEPENDENCY_PREV || next == DEPENDENCY_NEXT)
		return prev == DEPENDENCY_PREV ? prev : next;
	return prev == DEPENDENCY_UNCLEAR ? prev : next;
}

static void describe(struct buffer *out, const struct rank_kernels *held,
		     const struct neighbour *side)
{
	struct buffer name = BUFFER_INIT;

	buffer_clear(out);
	if (!side->kernel) {
		buffer_add_string(out, "none");
		return;
	}
	text_unescape(&name, held->texts.item[side->kernel->name].text,
		      held->texts.item[side->kernel->name].length);
	text_shorten(out, name.data, name.length, NAME_CHARACTERS);
	buffer_add_string(out, " @ ");
	text_shorten(out, side->scope->text, side->scope->length, NAME_CHARACTERS);
	buffer_printf(out, " (gap %.1f us)", side->gap / 1000.0);
	buffer_release(&name);
}

void dependency_find(struct neighbours *around, const struct rank_kernels *held,
		     const struct group *group, const struct kernel *kernel,
		     struct rank_sources *sources)
{
	struct neighbour mine = {.kernel = kernel}, prev, next;

	find_neighbours(held, group, kernel, &prev, &next);
	find_source(&mine, sources);
	find_source(&prev, sources);
	find_source(&next, sources);
	if (prev.kernel)
		prev.gap = gap(kernel_end(prev.kernel), kernel->ts);
	if (next.kernel)
		next.gap = gap(kernel_end(kernel), next.kernel->ts);
	around->dependency = judge_both(judge(held, &mine, &prev, DEPENDENCY_PREV),
					judge(held, &mine, &next, DEPENDENCY_NEXT));
	describe(&around->prev, held, &prev);
	describe(&around->next, held, &next);
}

void neighbours_release(struct neighbours *around)
{
	buffer_release(&around->prev);
	buffer_release(&around->next);
}
