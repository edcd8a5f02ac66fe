/*
 * The timeline in plain characters, 80 columns wide, for a terminal or a bug
 * report: around the longest kernel of each of the first actions, or, where the
 * stream has no actions, the busiest stretch.
 *
 *	stream 7  CCCCCCCCcccccCC....EEEE
 *	stream 9  ........nnnnnN.........
 *
 * A letter is the category of what runs longest in its column: C compute, N
 * communication (network), M memory, E elementwise, O other; a capital where most
 * of that is exposed, a small letter where it is hidden.  A dot is idle.
 */
#include "diag.h"
#include "fmt_formats.h"
#include "fmt_number.h"
#include "fmt_text.h"
#include "fmt_timeline.h"
#include "number.h"
#include "terminal.h"

#include <stdlib.h>

#define LINE_WIDTH 80
#define LABEL_MAX 30
#define ROWS_SHOWN 3

/* The kernel name and group of an action, as the record has them. */
struct top_row {
	uint32_t group, name;
	struct buffer title;
};

struct ascii {
	const struct request *request;
	struct shown_kernels kernels;
	struct top_row row[ROWS_SHOWN];
	size_t rows;
	struct buffer out;
};

static void *open_ascii(const struct request *request)
{
	struct ascii *ascii = xcalloc(1, sizeof(*ascii));

	ascii->request = request;
	return ascii;
}

static void take_action(struct ascii *ascii, const struct record *record)
{
	struct top_row *row = &ascii->row[ascii->rows];
	struct field rank = record->field[ACTION_RANK], stage = record->field[ACTION_STAGE];
	struct field name = record->field[ACTION_NAME];

	if (ascii->rows == ROWS_SHOWN)
		return;
	ascii->rows++;
	/* rank, pid and stage stand next to each other, as a group's text has them */
	row->group = intern(&ascii->kernels.groups, rank.text,
			    (size_t)(stage.text + stage.length - rank.text));
	row->name = intern(&ascii->kernels.names, name.text, name.length);
	fmt_text_plain(&row->title, record->field[ACTION_PRIORITY].text,
		       record->field[ACTION_PRIORITY].length);
	buffer_add_char(&row->title, ' ');
	fmt_text_plain(&row->title, record->field[ACTION_RECOMMENDATION].text,
		       record->field[ACTION_RECOMMENDATION].length);
	buffer_add_string(&row->title, ": ");
	fmt_text_plain(&row->title, name.text, name.length);
}

static bool take(void *state, struct record *record)
{
	struct ascii *ascii = state;

	if (record->type == RECORD_ACTION)
		take_action(ascii, record);
	return record->type != RECORD_KERNEL || shown_kernels_take(&ascii->kernels, record);
}

/* How long [start, end) and [from, to) are together. */
static int64_t common(int64_t start, int64_t end, int64_t from, int64_t to)
{
	int64_t low = start > from ? start : from, high = end < to ? end : to;

	return high > low ? high - low : 0;
}

/* Where a column begins. */
static int64_t column_start(const struct timeline *timeline, size_t column, size_t columns)
{
	double span = (double)time_add(timeline->to, -timeline->from);

	return time_add(timeline->from, (int64_t)(span * (double)column / (double)columns));
}

/* The letter of one column of a lane; *kernel and *exposure are the first that may reach it. */
static char column_letter(const struct timeline_lane *lane, int64_t from, int64_t to, size_t *kernel,
			  size_t *exposure)
{
	static const char letters[SHOWN_CATEGORIES] = {'C', 'N', 'M', 'E', 'O'};
	int64_t time[SHOWN_CATEGORIES] = {0}, busy = 0, exposed = 0;
	int best = 0;

	while (*kernel < lane->kernels && lane->kernel[*kernel].end <= from)
		++*kernel;
	for (size_t i = *kernel; i < lane->kernels && lane->kernel[i].ts < to; i++) {
		int64_t here = common(lane->kernel[i].ts, lane->kernel[i].end, from, to);

		time[lane->kernel[i].kernel->category] =
			time_add(time[lane->kernel[i].kernel->category], here);
		busy = time_add(busy, here);
	}
	while (*exposure < lane->exposures && lane->exposure[*exposure].end <= from)
		++*exposure;
	for (size_t i = *exposure; i < lane->exposures && lane->exposure[i].start < to; i++)
		exposed += common(lane->exposure[i].start, lane->exposure[i].end, from, to);
	for (int i = 1; i < SHOWN_CATEGORIES; i++)
		if (time[i] > time[best])
			best = i;
	if (!busy)
		return '.';
	return (char)(exposed >= busy - exposed ? letters[best] : letters[best] | 0x20);
}

static void add_lane(struct ascii *ascii, const struct timeline *timeline,
		     const struct timeline_lane *lane, size_t label_width)
{
	struct buffer label = BUFFER_INIT;
	size_t columns = LINE_WIDTH - label_width - 2, kernel = 0, exposure = 0, length;

	shown_label(&label, &ascii->kernels.lanes.item[lane->lane], "stream ",
		    shown_kernels_one_process(&ascii->kernels));
	/* of a long label its end tells most: the stream */
	length = fmt_text_ending(label.data, label.length, label_width);
	buffer_add(&ascii->out, label.data + label.length - length, length);
	for (size_t i = fmt_text_width(label.data + label.length - length, length); i < label_width + 2;
	     i++)
		buffer_add_char(&ascii->out, ' ');
	for (size_t i = 0; i < columns; i++)
		buffer_add_char(&ascii->out,
				column_letter(lane, column_start(timeline, i, columns),
					      column_start(timeline, i + 1, columns), &kernel,
					      &exposure));
	buffer_add_char(&ascii->out, '\n');
	buffer_release(&label);
}

static size_t find_label_width(const struct ascii *ascii, const struct timeline *timeline)
{
	size_t widest = 0;

	for (size_t i = 0; i < timeline->lanes; i++) {
		struct buffer label = BUFFER_INIT;
		size_t width;

		shown_label(&label, &ascii->kernels.lanes.item[timeline->lane[i].lane], "stream ",
			    shown_kernels_one_process(&ascii->kernels));
		width = fmt_text_width(label.data, label.length);
		widest = width > widest ? width : widest;
		buffer_release(&label);
	}
	return widest < LABEL_MAX ? widest : LABEL_MAX;
}

static void add_timeline(struct ascii *ascii, const struct stretch *stretch,
			 const struct buffer *title)
{
	struct timeline timeline;
	struct buffer safe = BUFFER_INIT;
	size_t label_width;
	int64_t from, to;

	if (!stretch_choose(&ascii->kernels, stretch, &from, &to))
		return;
	timeline_make(&timeline, &ascii->kernels, from, to);
	if (title) {
		terminal_safe(&safe, title->data, title->length);
		buffer_add(&ascii->out, safe.data,
			   fmt_text_beginning(safe.data, safe.length, LINE_WIDTH));
		buffer_add_char(&ascii->out, '\n');
		buffer_release(&safe);
	}
	fmt_time(&ascii->out, from);
	buffer_add_string(&ascii->out, " us, and on for ");
	fmt_time(&ascii->out, time_add(to, -from));
	buffer_add_string(&ascii->out, " us\n");
	label_width = find_label_width(ascii, &timeline);
	for (size_t i = 0; i < timeline.lanes; i++)
		add_lane(ascii, &timeline, &timeline.lane[i], label_width);
	timeline_release(&timeline);
}

/* The first of the longest kernels of a row, around which the streams are shown. */
static const struct shown_kernel *find_longest(const struct ascii *ascii, const struct top_row *row)
{
	const struct shown_kernel *best = NULL;

	for (size_t i = 0; i < ascii->kernels.count; i++) {
		const struct shown_kernel *kernel = &ascii->kernels.item[i];

		if (kernel->group == row->group && kernel->name == row->name &&
		    (!best || kernel->end - kernel->ts > best->end - best->ts))
			best = kernel;
	}
	return best;
}

/* Four times as long as the kernel, with that in the middle. */
static struct stretch stretch_around(const struct shown_kernel *kernel)
{
	int64_t half = (kernel->end - kernel->ts) / 2 * 3 + 1;

	return (struct stretch){.has_from = true,
				.has_to = true,
				.from = time_add(kernel->ts, -half),
				.to = time_add(kernel->end, half)};
}

static void close_ascii(void *state)
{
	struct ascii *ascii = state;
	const struct stretch *asked = &ascii->request->stretch;
	bool asked_any = asked->has_from || asked->has_to || asked->has_around;

	shown_kernels_sort(&ascii->kernels);
	for (size_t i = 0; i < ascii->rows && !asked_any; i++) {
		const struct shown_kernel *longest = find_longest(ascii, &ascii->row[i]);
		struct stretch stretch;

		if (!longest)
			continue;
		stretch = stretch_around(longest);
		if (ascii->out.length)
			buffer_add_char(&ascii->out, '\n');
		add_timeline(ascii, &stretch, &ascii->row[i].title);
	}
	if (!ascii->out.length)
		add_timeline(ascii, asked, NULL);
	if (ascii->out.length)
		buffer_add_string(&ascii->out,
				  "\nC compute, N communication, M memory, E elementwise, O other; "
				  "small: hidden\n");
	else
		diag_note("no kernels to draw");
	record_put_lines(ascii->request->out, ascii->out.data, ascii->out.length);
	for (size_t i = 0; i < ascii->rows; i++)
		buffer_release(&ascii->row[i].title);
	buffer_release(&ascii->out);
	shown_kernels_release(&ascii->kernels);
	free(ascii);
}

const struct format format_text = {"text", open_ascii, take, close_ascii};
