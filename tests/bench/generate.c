/*
 * generate: a big trace from a small one, for the benchmarks.
 *
 *	gzip -dc tests/traces/mi300-resnet-checkpoint.json.gz | generate -m 500 >big.json
 *
 * Its events are those of the small one in their own text, again and again, each
 * time later and with ids of their own; in the profiler's order, the CPU side of
 * all copies before the launches and the GPU side.  The last copy ends early, so
 * that the size is as asked.  The same arguments give the same bytes.
 */
#include "buffer.h"
#include "diag.h"
#include "number.h"
#include "options.h"
#include "sort.h"
#include "source.h"
#include "xalloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 20)
#define SEPARATOR ",\n  "
#define SEPARATOR_LENGTH (sizeof(SEPARATOR) - 1)

static const struct option_row rows[] = {
	{'m', "megabytes", "MB", "how large the trace is to be (default 100)"},
	{'s', "streams", "STREAMS", "deal the kernels out to STREAMS streams, all busy at once"},
	{'n', "names", "NAMES", "NAMES variants of each name of a kernel"},
	{'h', "help", NULL, "print this and exit"},
	{0},
};

static const struct tool tool = {"generate", "a big trace from a small one",
				 "<TRACE.json >BIG.json", rows};

struct generator {
	struct source source;
	size_t bytes;
	int64_t streams, names; /* 0: as they are */
	size_t copies;		/* the last one perhaps in part */
	int64_t cut;		/* what starts later is not in the last copy */
	bool begun;
	struct buffer out;
};

static void write_out(struct generator *generator, size_t at_least)
{
	if (generator->out.length < at_least)
		return;
	if (fwrite(generator->out.data, 1, generator->out.length, stdout) !=
	    generator->out.length)
		diag_die("stdout: cannot write: %s", strerror(errno));
	buffer_clear(&generator->out);
}

/* Kernels of all copies are numbered through; the next of a stream ends the one before. */
static int64_t kernel_start(const struct source *source, size_t number)
{
	return source->kernel_ts[number % source->kernels] +
	       (int64_t)(number / source->kernels) * source->step[SLOT_TS];
}

static void put_kernel_slot(struct generator *generator, const struct slot *slot, size_t number)
{
	const struct source *source = &generator->source;
	struct buffer *out = &generator->out;
	int64_t lasts;

	buffer_room(out, NUMBER_LENGTH);
	if (slot->kind == SLOT_NAME && generator->names) {
		buffer_printf(out, "_v%lld", (long long)number % generator->names);
	} else if (slot->kind == SLOT_STREAM && generator->streams) {
		buffer_printf(out, "%lld", 7 + (long long)number % generator->streams);
	} else if (slot->kind == SLOT_DUR && generator->streams) {
		lasts = kernel_start(source, number + (size_t)generator->streams) -
			kernel_start(source, number) - 1;
		out->length = (size_t)(number_put_time(out->data + out->length,
						       lasts > 1 ? lasts : 1) - out->data);
	} else {
		buffer_add(out, source->text + slot->start, slot->end - slot->start);
	}
}

static void put_event(struct generator *generator, const struct event *event, size_t copy)
{
	const struct source *source = &generator->source;
	struct buffer *out = &generator->out;
	size_t at = event->start;

	if (generator->begun)
		buffer_add(out, SEPARATOR, SEPARATOR_LENGTH);
	generator->begun = true;
	for (size_t i = event->slot; i < event->slot + event->slots; i++) {
		const struct slot *slot = &source->slot[i];
		int64_t value = slot->value;
		char *end;

		buffer_add(out, source->text + at, slot->start - at);
		at = slot->end;
		if (slot->kind >= SLOT_SHIFTED) {
			put_kernel_slot(generator, slot, copy * source->kernels + event->kernel);
			continue;
		}
		if (value)
			value += (int64_t)copy * source->step[slot->kind];
		buffer_room(out, NUMBER_LENGTH);
		end = out->data + out->length;
		end = slot->kind == SLOT_TS ? number_put_time(end, value) : number_put_int(end, value);
		out->length = (size_t)(end - out->data);
	}
	buffer_add(out, source->text + at, event->end - at);
	write_out(generator, BLOCK);
}

static size_t event_size(const struct event *event)
{
	return event->end - event->start + SEPARATOR_LENGTH;
}

static int by_ts(const void *a, const void *b, const void *context)
{
	const struct event *event = context;
	int64_t left = event[*(const size_t *)a].ts, right = event[*(const size_t *)b].ts;

	return (left > right) - (left < right);
}

/* When the last copy must end if it is to have that many bytes. */
static int64_t cut_for(const struct source *source, size_t bytes)
{
	size_t *order = xreallocarray(NULL, source->events, sizeof(*order)), taken = 0;
	int64_t cut = INT64_MIN;

	for (size_t i = 0; i < source->events; i++)
		order[i] = i;
	stable_sort(order, source->events, sizeof(*order), by_ts, source->event);
	for (size_t i = 0; i < source->events; i++) {
		const struct event *event = &source->event[order[i]];

		if (event->side == EVENT_ONCE)
			continue;
		taken += event_size(event);
		if (taken > bytes)
			break;
		cut = event->ts;
	}
	free(order);
	return cut;
}

static void plan(struct generator *generator)
{
	const struct source *source = &generator->source;
	size_t once, copy = 0;

	for (size_t i = 0; i < source->events; i++)
		if (source->event[i].side != EVENT_ONCE)
			copy += event_size(&source->event[i]);
	once = source->length > copy ? source->length - copy : 0;
	if (generator->bytes < once)
		generator->bytes = once;
	generator->copies = (generator->bytes - once) / copy + 1;
	generator->cut = cut_for(source, (generator->bytes - once) % copy);
}

static void put_side(struct generator *generator, enum event_side side, size_t copies)
{
	const struct source *source = &generator->source;

	for (size_t copy = 0; copy < copies; copy++)
		for (size_t i = 0; i < source->events; i++) {
			const struct event *event = &source->event[i];

			if (event->side == side &&
			    (copy + 1 < generator->copies || side == EVENT_ONCE ||
			     event->ts <= generator->cut))
				put_event(generator, event, copy);
		}
}

static void generate(struct generator *generator)
{
	const struct source *source = &generator->source;
	size_t last = source->event[source->events - 1].end;

	plan(generator);
	buffer_add(&generator->out, source->text, source->event[0].start);
	put_side(generator, EVENT_CPU, generator->copies);
	put_side(generator, EVENT_GPU, generator->copies);
	put_side(generator, EVENT_ONCE, 1);
	buffer_add(&generator->out, source->text + last, source->length - last);
	write_out(generator, 0);
	if (fflush(stdout))
		diag_die("stdout: cannot write: %s", strerror(errno));
}

static void read_all(struct buffer *text)
{
	ssize_t count;

	do {
		buffer_room(text, BLOCK);
		count = read(STDIN_FILENO, text->data + text->length, BLOCK);
		if (count < 0)
			diag_die("stdin: cannot read: %s", strerror(errno));
		text->length += (size_t)count;
	} while (count > 0);
}

int main(int argc, char **argv)
{
	struct options options = options_init(&tool, argc, argv);
	struct generator generator = {.bytes = 100000000};
	struct buffer text = BUFFER_INIT;
	int letter;

	while ((letter = options_next(&options)))
		switch (letter) {
		case 'm':
			generator.bytes = (size_t)(options_decimal(&options, 'm', 0, 1e6) * 1e6);
			break;
		case 's':
			generator.streams = options_number(&options, 's', 1, 1000000);
			break;
		case 'n':
			generator.names = options_number(&options, 'n', 1, 1000000000);
			break;
		}
	if (options.operands)
		diag_misuse("the trace is read from standard input");
	read_all(&text);
	source_read(&generator.source, text.data, text.length);
	generate(&generator);
	source_release(&generator.source);
	buffer_release(&generator.out);
	buffer_release(&text);
	return TPA_DONE;
}
