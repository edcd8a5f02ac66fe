/*
 * Folded stacks, for flamegraph.pl, inferno and speedscope:
 *
 *	app/model.py(7): forward;app/layer.py(9): mlp;gemm_kernel 125000
 *
 * A line is a chain of Python frames, as tpa-srcmap found it, with the kernel on
 * top and nanoseconds behind it.  A kernel with several chains is divided among
 * them by their counts; one without is under "unmapped".
 */
#include "diag.h"
#include "fmt_formats.h"
#include "fmt_kernels.h"
#include "fmt_text.h"
#include "number.h"
#include "source_map.h"
#include "terminal.h"
#include "text.h"

#include <stdlib.h>

/* The kernels of one name in one group. */
struct stack_top {
	uint32_t group, name;
	int64_t time[WEIGHT_KINDS];
};

struct folded {
	const struct request *request;
	struct intern tops; /* "RANK<TAB>PID<TAB>STAGE<TAB>NAME", escaped */
	struct stack_top *top;
	size_t capacity;
	struct shown_kernels names; /* for the ids of groups and names alone */
	struct source_map map;
	struct buffer key, line;
};

static void *open_folded(const struct request *request)
{
	struct folded *folded = xcalloc(1, sizeof(*folded));

	folded->request = request;
	return folded;
}

static bool take_kernel(struct folded *folded, struct record *record)
{
	int64_t time[WEIGHT_KINDS] = {0, -1, -1};
	struct field rank = record->field[KERNEL_RANK], stage = record->field[KERNEL_STAGE];
	struct field name = record->field[KERNEL_NAME];
	uint32_t known = folded->tops.count, id;
	struct stack_top *top;

	if (!record_time(record, KERNEL_DUR, &time[WEIGHT_TOTAL]) ||
	    !record_time_if_known(record, KERNEL_EXCLUSIVE, &time[WEIGHT_EXCLUSIVE]) ||
	    !record_time_if_known(record, KERNEL_HIDDEN, &time[WEIGHT_HIDDEN]))
		return false;
	if (time[folded->request->weight] < 0)
		return record_fault(record,
				    folded->request->weight == WEIGHT_HIDDEN ? KERNEL_HIDDEN
									     : KERNEL_EXCLUSIVE,
				    "no figure to weigh by; run tpa-overlap first");
	buffer_clear(&folded->key);
	buffer_add(&folded->key, rank.text, (size_t)(stage.text + stage.length - rank.text));
	buffer_add_char(&folded->key, '\t');
	buffer_add(&folded->key, name.text, name.length);
	id = intern(&folded->tops, folded->key.data, folded->key.length);
	if (id == known) {
		folded->top = xgrow(folded->top, &folded->capacity, known + 1, sizeof(*folded->top));
		folded->top[id] = (struct stack_top){
			.group = intern(&folded->names.groups, stage.text, stage.length),
			.name = intern(&folded->names.names, name.text, name.length)};
	}
	top = &folded->top[id];
	for (int i = 0; i < WEIGHT_KINDS; i++)
		top->time[i] = time_add(top->time[i], time[i] > 0 ? time[i] : 0);
	return true;
}

static bool take(void *state, struct record *record)
{
	struct folded *folded = state;

	if (record->type == RECORD_SOURCE || record->type == RECORD_SITE)
		return source_map_take(&folded->map, record);
	return record->type != RECORD_KERNEL || take_kernel(folded, record);
}

/* Frames are separated by semicolons, and the count by a blank: no frame may have either. */
static void add_frame(struct folded *folded, const char *text, size_t length)
{
	struct buffer sound = BUFFER_INIT, safe = BUFFER_INIT;

	text_repair(&sound, text, length);
	terminal_safe(&safe, sound.data, sound.length);
	for (size_t i = 0; i < safe.length; i++)
		buffer_add_char(&folded->line, safe.data[i] == ';' ? ':' : safe.data[i]);
	buffer_release(&sound);
	buffer_release(&safe);
}

static void add_chain(struct folded *folded, const char *chain, size_t length)
{
	static const char arrow[] = " -> ";
	const char *at = chain, *end = chain + length;

	for (;;) {
		const char *next = memmem(at, (size_t)(end - at), arrow, sizeof(arrow) - 1);

		add_frame(folded, at, (size_t)((next ? next : end) - at));
		buffer_add_char(&folded->line, ';');
		if (!next)
			return;
		at = next + sizeof(arrow) - 1;
	}
}

static void put_stack(struct folded *folded, const char *chain, size_t length,
		      const struct buffer *name, int64_t time)
{
	char number[NUMBER_LENGTH];

	if (time <= 0)
		return;
	buffer_clear(&folded->line);
	add_chain(folded, chain, length);
	add_frame(folded, name->data, name->length);
	buffer_add_char(&folded->line, ' ');
	buffer_add(&folded->line, number, (size_t)(number_put_int(number, time) - number));
	buffer_add_char(&folded->line, '\n');
	record_put_lines(folded->request->out, folded->line.data, folded->line.length);
}

/*
 * Each chain gets its share, rounded so that together they are the whole; where none
 * was counted the last one gets all.
 */
static void put_shares(struct folded *folded, const struct counter *chains,
		       const struct buffer *name, int64_t time)
{
	double all = 0, sofar = 0;
	int64_t given = 0;

	for (uint32_t i = 0; i < chains->items; i++)
		all += (double)chains->item[i].count;
	for (uint32_t i = 0; i < chains->items; i++) {
		const struct interned *chain = &folded->map.values.item[chains->item[i].key];
		int64_t until;

		sofar += (double)chains->item[i].count;
		if (i + 1 == chains->items)
			until = time;
		else
			until = all > 0 ? (int64_t)((double)time * (sofar / all)) : 0;
		put_stack(folded, chain->text, chain->length, name, until - given);
		given = until;
	}
}

static void close_folded(void *state)
{
	struct folded *folded = state;
	static const char unmapped[] = "unmapped";

	for (uint32_t i = 0; i < folded->tops.count; i++) {
		const struct stack_top *top = &folded->top[i];
		const struct interned *stage_name = &folded->names.groups.item[top->group];
		const struct interned *field = &folded->names.names.item[top->name];
		struct source_stage *stage =
			source_map_stage(&folded->map, stage_name->text, stage_name->length);
		struct buffer name = BUFFER_INIT;
		const struct source *source;

		fmt_text_plain(&name, field->text, field->length);
		source = stage ? source_exact(stage, name.data, name.length) : NULL;
		if (source && source->sites[SITES_CHAIN].items)
			put_shares(folded, &source->sites[SITES_CHAIN], &name,
				   top->time[folded->request->weight]);
		else
			put_stack(folded, unmapped, sizeof(unmapped) - 1, &name,
				  top->time[folded->request->weight]);
		buffer_release(&name);
	}
	if (!folded->tops.count)
		diag_note("no kernels to fold");
	intern_release(&folded->tops);
	free(folded->top);
	shown_kernels_release(&folded->names);
	source_map_release(&folded->map);
	buffer_release(&folded->key);
	buffer_release(&folded->line);
	free(folded);
}

const struct format format_folded = {"folded", open_folded, take, close_folded};
