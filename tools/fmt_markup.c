#include "fmt_markup.h"

#include "fmt_number.h"
#include "fmt_text.h"
#include "terminal.h"

#define WIDTH 1200.0
#define LANE_HEIGHT 30
#define LABEL_HEIGHT 14
#define KERNEL_HEIGHT 12
#define AXIS_HEIGHT 28
#define LEGEND_HEIGHT 24
#define TICKS 8
#define SMALL 0.5 /* pixels: kernels no larger than this are drawn together */

void markup_text(struct buffer *out, const char *safe, size_t length)
{
	for (size_t i = 0; i < length; i++)
		switch (safe[i]) {
		case '&':
			buffer_add_string(out, "&amp;");
			break;
		case '<':
			buffer_add_string(out, "&lt;");
			break;
		case '>':
			buffer_add_string(out, "&gt;");
			break;
		case '"':
			buffer_add_string(out, "&quot;");
			break;
		case '\'':
			buffer_add_string(out, "&#39;");
			break;
		default:
			buffer_add_char(out, safe[i]);
		}
}

void markup_field(struct buffer *out, const char *field, size_t length)
{
	struct buffer plain = BUFFER_INIT, safe = BUFFER_INIT;

	fmt_text_plain(&plain, field, length);
	terminal_safe(&safe, plain.data, plain.length);
	markup_text(out, safe.data, safe.length);
	buffer_release(&plain);
	buffer_release(&safe);
}

void markup_style(struct buffer *out)
{
	buffer_add_string(
		out,
		"svg.tpa{font:11px system-ui,sans-serif;color-scheme:light dark;--ink:#222;"
		"--faint:#8884;--exposed:#c1121f;--compute:#4c78a8;--communication:#e4832b;"
		"--memory:#b59b00;--elementwise:#4f9d57;--other:#8a8a8a}\n"
		"@media(prefers-color-scheme:dark){svg.tpa{--ink:#ddd;--exposed:#ff6b6b;"
		"--compute:#6f9fd8;--communication:#f2a359;--memory:#d9c24a;--elementwise:#79c481;"
		"--other:#a5a5a5}}\n"
		"svg.tpa text{fill:var(--ink)}svg.tpa line{stroke:var(--faint)}\n"
		"svg.tpa .exposed{fill:var(--exposed)}svg.tpa rect:hover{stroke:var(--ink)}\n");
	for (int i = 0; i < SHOWN_CATEGORIES; i++)
		buffer_printf(out, "svg.tpa .%s{fill:var(--%s)}\n", shown_category_names[i],
			      shown_category_names[i]);
}

static double place(const struct timeline *timeline, int64_t time)
{
	return ((double)time - (double)timeline->from) /
	       ((double)timeline->to - (double)timeline->from) * WIDTH;
}

static void add_axis(struct buffer *out, const struct timeline *timeline, int height)
{
	for (int i = 0; i <= TICKS; i++) {
		int64_t at = (int64_t)(((double)timeline->to - (double)timeline->from) / TICKS * i);
		double x = WIDTH / TICKS * i;

		buffer_printf(out,
			      "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\"/>"
			      "<text x=\"%.2f\" y=\"%d\" text-anchor=\"%s\">+",
			      x, LEGEND_HEIGHT + AXIS_HEIGHT - 8, x, height, x,
			      LEGEND_HEIGHT + AXIS_HEIGHT - 12,
			      i == 0 ? "start" : i == TICKS ? "end" : "middle");
		fmt_time(out, at);
		buffer_add_string(out, " us</text>\n");
	}
}

static void add_legend(struct buffer *out, const struct timeline *timeline)
{
	int x = 0;

	for (int i = 0; i < SHOWN_CATEGORIES; i++, x += 120)
		buffer_printf(out,
			      "<rect class=\"%s\" x=\"%d\" y=\"4\" width=\"12\" height=\"12\"/>"
			      "<text x=\"%d\" y=\"14\">%s</text>\n",
			      shown_category_names[i], x, x + 17, shown_category_names[i]);
	buffer_printf(out,
		      "<rect class=\"exposed\" x=\"%d\" y=\"9\" width=\"12\" height=\"3\"/>"
		      "<text x=\"%d\" y=\"14\">exposed</text>\n",
		      x, x + 17);
	buffer_printf(out, "<text x=\"%.0f\" y=\"14\" text-anchor=\"end\">", WIDTH);
	fmt_time(out, timeline->from);
	buffer_add_string(out, " us to ");
	fmt_time(out, timeline->to);
	buffer_add_string(out, " us</text>\n");
}

static void add_figure(struct buffer *out, const char *word, int64_t ns)
{
	if (ns < 0)
		return;
	buffer_printf(out, "\n%s ", word);
	fmt_time(out, ns);
	buffer_add_string(out, " us");
}

/* One kernel, or several too small to be seen each. */
static void add_kernels(struct buffer *out, const struct timeline *timeline,
			const struct shown_kernels *kernels, const struct timeline_kernel *first,
			const struct timeline_kernel *last, int y)
{
	double x = place(timeline, first->ts), width = place(timeline, last->end) - x;
	const struct shown_kernel *kernel = first->kernel;
	const struct interned *name = &kernels->names.item[kernel->name];

	buffer_printf(out,
		      "<rect class=\"%s\" x=\"%.3f\" y=\"%d\" width=\"%.3f\" height=\"%d\"><title>",
		      shown_category_names[kernel->category], x, y, width < 0.1 ? 0.1 : width,
		      KERNEL_HEIGHT);
	if (first == last) {
		markup_field(out, name->text, name->length);
		buffer_printf(out, "\n%s, idx %lld\nstarts at ", shown_category_names[kernel->category],
			      (long long)kernel->idx);
		fmt_time(out, kernel->ts);
		buffer_add_string(out, " us\ntakes ");
		fmt_time(out, kernel->end - kernel->ts);
		buffer_add_string(out, " us");
		add_figure(out, "hidden", kernel->hidden);
		add_figure(out, "exclusive", kernel->exclusive);
	} else {
		buffer_printf(out, "%zu kernels, from ", (size_t)(last - first) + 1);
		markup_field(out, name->text, name->length);
	}
	buffer_add_string(out, "</title></rect>\n");
}

static void add_lane(struct buffer *out, const struct timeline *timeline,
		     const struct shown_kernels *kernels, const struct timeline_lane *lane, int y)
{
	struct buffer label = BUFFER_INIT;

	shown_label(&label, &kernels->lanes.item[lane->lane], "stream ",
		    shown_kernels_one_process(kernels));
	buffer_printf(out, "<text x=\"0\" y=\"%d\">", y + LABEL_HEIGHT - 3);
	markup_text(out, label.data, label.length);
	buffer_add_string(out, "</text>\n");
	buffer_release(&label);
	for (size_t i = 0; i < lane->kernels;) {
		const struct timeline_kernel *first = &lane->kernel[i], *last = first;

		while (++i < lane->kernels &&
		       place(timeline, lane->kernel[i].end) - place(timeline, first->ts) < SMALL)
			last = &lane->kernel[i];
		add_kernels(out, timeline, kernels, first, last, y + LABEL_HEIGHT);
	}
	for (size_t i = 0; i < lane->exposures; i++) {
		double x = place(timeline, lane->exposure[i].start);
		double width = place(timeline, lane->exposure[i].end) - x;

		if (width >= 0.05)
			buffer_printf(out,
				      "<rect class=\"exposed\" x=\"%.3f\" y=\"%d\" width=\"%.3f\" "
				      "height=\"3\"/>\n",
				      x, y + LABEL_HEIGHT + KERNEL_HEIGHT, width);
	}
}

void markup_timeline(struct buffer *out, const struct timeline *timeline,
		     const struct shown_kernels *kernels, bool styled)
{
	int top = LEGEND_HEIGHT + AXIS_HEIGHT;
	int height = top + (int)(timeline->lanes < 10000 ? timeline->lanes : 10000) * LANE_HEIGHT + 8;

	buffer_printf(out,
		      "<svg class=\"tpa\" xmlns=\"http://www.w3.org/2000/svg\" "
		      "viewBox=\"-8 -4 %.0f %d\" width=\"100%%\" role=\"img\" "
		      "aria-label=\"timeline of the streams\">\n",
		      WIDTH + 16, height + 8);
	if (styled) {
		buffer_add_string(out, "<style>\n");
		markup_style(out);
		buffer_add_string(out, "</style>\n");
	}
	add_legend(out, timeline);
	add_axis(out, timeline, height);
	for (size_t i = 0; i < timeline->lanes && i < 10000; i++)
		add_lane(out, timeline, kernels, &timeline->lane[i], top + (int)i * LANE_HEIGHT);
	buffer_add_string(out, "</svg>\n");
}
