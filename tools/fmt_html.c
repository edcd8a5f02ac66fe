/*
 * One page that holds all of it and needs no network: the ranked table, the
 * kernels, who hides whom, the ledger of each window, and the timeline.
 *
 * Give it the whole stream (tpa-rank -a -t); what is not in the stream is not on
 * the page.  Tables sort by a click on a column's head.
 */
#include "fmt_formats.h"
#include "fmt_markup.h"
#include "fmt_number.h"
#include "fmt_sections.h"
#include "fmt_text.h"
#include "number.h"
#include "sort.h"

#include <stdlib.h>

#define PAIRS_SHOWN 40 /* of who hides whom */

struct held_cover {
	uint32_t group, name;
	int64_t idx, ns;
};

struct held_window {
	uint32_t group;
	int64_t start, end, busy, overlap, idle, streams;
};

/* A name that was hidden by another, and for how long. */
struct hidden_pair {
	uint32_t name, by;
	int64_t ns;
};

/* The records of one type as tables, one after the other; they come between others. */
struct tables {
	struct sections sections;
	const struct view *view; /* of the one that is open */
	struct buffer out;
};

struct html {
	const struct request *request;
	struct shown_kernels kernels;
	struct tables actions, totals;
	struct held_cover *cover;
	size_t covers, cover_capacity;
	struct held_window *window;
	size_t windows, window_capacity;
	struct buffer out;
};

static void begin_table(void *state, const struct view *view, const struct buffer *heading)
{
	struct tables *tables = state;
	struct buffer *out = &tables->out;

	tables->view = view;
	buffer_add_string(out, "<h3>");
	markup_text(out, heading->data, heading->length);
	buffer_add_string(out, "</h3>\n<div class=\"wide\"><table><thead><tr>");
	for (size_t i = (size_t)view->heads; i < view->count; i++) {
		buffer_printf(out, "<th%s>", view->column[i].right ? " class=\"number\"" : "");
		markup_text(out, view->column[i].title, strlen(view->column[i].title));
		buffer_add_string(out, "</th>");
	}
	buffer_add_string(out, "</tr></thead><tbody>\n");
}

static void add_row(void *state, const struct row *row)
{
	struct tables *tables = state;
	const struct view_column *column = tables->view->column + tables->view->heads;
	struct buffer *out = &tables->out;

	buffer_add_string(out, "<tr>");
	for (size_t i = 0; i < row->cells; i++) {
		const char *class = column[i].right  ? " class=\"number\""
				    : column[i].code ? " class=\"code\""
						     : "";

		buffer_printf(out, "<td%s>", class);
		markup_text(out, row->text.data + row->cell[i].start, row->cell[i].length);
		buffer_add_string(out, "</td>");
	}
	buffer_add_string(out, "</tr>\n");
}

static void end_table(void *state)
{
	struct tables *tables = state;

	buffer_add_string(&tables->out, "</tbody></table></div>\n");
}

static const struct section_sink table_sink = {begin_table, add_row, end_table};

static void *open_html(const struct request *request)
{
	struct html *html = xcalloc(1, sizeof(*html));

	html->request = request;
	sections_init(&html->actions.sections, &request->choice, &table_sink, &html->actions);
	sections_init(&html->totals.sections, &request->choice, &table_sink, &html->totals);
	return html;
}

static uint32_t find_group(struct html *html, const struct record *record)
{
	struct field rank = record->field[1], stage = record->field[3];

	return intern(&html->kernels.groups, rank.text,
		      (size_t)(stage.text + stage.length - rank.text));
}

static bool take_cover(struct html *html, struct record *record)
{
	struct field name = record->field[COVER_NAME];
	struct held_cover cover = {.group = find_group(html, record)};

	if (!record_int(record, COVER_IDX, &cover.idx) || !record_time(record, COVER_US, &cover.ns))
		return false;
	cover.name = intern(&html->kernels.names, name.text, name.length);
	html->cover = xgrow(html->cover, &html->cover_capacity, html->covers + 1,
			    sizeof(*html->cover));
	html->cover[html->covers++] = cover;
	return true;
}

static bool take_window(struct html *html, struct record *record)
{
	struct held_window window = {.group = find_group(html, record)};

	if (!record_time(record, WINDOW_START, &window.start) ||
	    !record_time(record, WINDOW_END, &window.end) ||
	    !record_time(record, WINDOW_BUSY, &window.busy) ||
	    !record_time(record, WINDOW_OVERLAP, &window.overlap) ||
	    !record_time(record, WINDOW_IDLE, &window.idle) ||
	    !record_int(record, WINDOW_STREAMS, &window.streams))
		return false;
	html->window = xgrow(html->window, &html->window_capacity, html->windows + 1,
			     sizeof(*html->window));
	html->window[html->windows++] = window;
	return true;
}

static bool take(void *state, struct record *record)
{
	struct html *html = state;

	switch (record->type) {
	case RECORD_KERNEL:
		return shown_kernels_take(&html->kernels, record);
	case RECORD_COVER:
		return take_cover(html, record);
	case RECORD_WINDOW:
		return take_window(html, record);
	case RECORD_ACTION:
		return sections_take(&html->actions.sections, record);
	case RECORD_TOTAL:
		return sections_take(&html->totals.sections, record);
	default:
		return true;
	}
}

static void add_time_cell(struct html *html, int64_t ns)
{
	buffer_add_string(&html->out, "<td class=\"number\">");
	fmt_time(&html->out, ns);
	buffer_add_string(&html->out, "</td>");
}

static void add_share_cell(struct html *html, int64_t part, int64_t whole)
{
	if (whole > 0)
		buffer_printf(&html->out, "<td class=\"number\">%.1f</td>",
			      (double)part / (double)whole * 100);
	else
		buffer_add_string(&html->out, "<td></td>");
}

static void add_head(struct html *html, const char *const *titles, size_t count, size_t words)
{
	buffer_add_string(&html->out, "<div class=\"wide\"><table><thead><tr>");
	for (size_t i = 0; i < count; i++)
		buffer_printf(&html->out, "<th%s>%s</th>", i < words ? "" : " class=\"number\"",
			      titles[i]);
	buffer_add_string(&html->out, "</tr></thead><tbody>\n");
}

/* What the time of a group's window went to. */
static void add_ledger_row(struct html *html, const char *what, int64_t ns, int64_t whole)
{
	buffer_printf(&html->out, "<tr><td>%s</td>", what);
	add_time_cell(html, ns);
	add_share_cell(html, ns, whole);
	buffer_add_string(&html->out, "</tr>\n");
}

struct category_time {
	int64_t total, hidden, exclusive;
};

static void add_ledger_categories(struct html *html, const struct held_window *window)
{
	static const char *const titles[] = {"kernels by category", "us", "% of busy",
					     "exclusive us", "hidden us"};
	struct category_time time[SHOWN_CATEGORIES] = {{0}};

	for (size_t i = 0; i < html->kernels.count; i++) {
		const struct shown_kernel *kernel = &html->kernels.item[i];
		struct category_time *here = &time[kernel->category];

		if (kernel->group != window->group)
			continue;
		here->total = time_add(here->total, kernel->end - kernel->ts);
		here->hidden = time_add(here->hidden, kernel->hidden > 0 ? kernel->hidden : 0);
		here->exclusive =
			time_add(here->exclusive, kernel->exclusive > 0 ? kernel->exclusive : 0);
	}
	add_head(html, titles, 5, 1);
	for (int i = 0; i < SHOWN_CATEGORIES; i++) {
		if (!time[i].total)
			continue;
		buffer_printf(&html->out, "<tr><td>%s</td>", shown_category_names[i]);
		add_time_cell(html, time[i].total);
		add_share_cell(html, time[i].total, window->busy);
		add_time_cell(html, time[i].exclusive);
		add_time_cell(html, time[i].hidden);
		buffer_add_string(&html->out, "</tr>\n");
	}
	buffer_add_string(&html->out, "</tbody></table></div>\n");
}

static void add_ledger(struct html *html, const struct held_window *window)
{
	static const char *const titles[] = {"the window", "us", "% of it"};
	struct buffer label = BUFFER_INIT;
	int64_t whole = time_add(window->end, -window->start);

	shown_label(&label, &html->kernels.groups.item[window->group], "stage ", false);
	buffer_add_string(&html->out, "<h3>");
	markup_text(&html->out, label.data, label.length);
	buffer_add_string(&html->out, "</h3>\n");
	buffer_release(&label);
	add_head(html, titles, 3, 1);
	add_ledger_row(html, "busy: at least one kernel runs", window->busy, whole);
	add_ledger_row(html, "overlapped: two streams or more", window->overlap, whole);
	add_ledger_row(html, "idle: no kernel runs", window->idle, whole);
	add_ledger_row(html, "all", whole, whole);
	buffer_add_string(&html->out, "</tbody></table></div>\n");
	add_ledger_categories(html, window);
}

static int by_names(const void *a, const void *b, const void *context)
{
	const struct hidden_pair *left = a, *right = b;

	(void)context;
	if (left->name != right->name)
		return left->name < right->name ? -1 : 1;
	return (left->by > right->by) - (left->by < right->by);
}

static int by_falling_time(const void *a, const void *b, const void *context)
{
	const struct hidden_pair *left = a, *right = b;

	(void)context;
	return (left->ns < right->ns) - (left->ns > right->ns);
}

/* The covers, added up by the two names, the longest first. */
static struct hidden_pair *add_up_pairs(const struct html *html, size_t *count)
{
	struct hidden_pair *pair = xreallocarray(NULL, html->covers, sizeof(*pair));
	size_t found = 0, kept = 0;

	for (size_t i = 0; i < html->covers; i++) {
		const struct held_cover *cover = &html->cover[i];
		const struct shown_kernel *kernel =
			shown_kernels_find(&html->kernels, cover->group, cover->idx);

		if (kernel)
			pair[found++] = (struct hidden_pair){kernel->name, cover->name, cover->ns};
	}
	stable_sort(pair, found, sizeof(*pair), by_names, NULL);
	for (size_t i = 0; i < found; i++) {
		if (kept && !by_names(&pair[kept - 1], &pair[i], NULL))
			pair[kept - 1].ns = time_add(pair[kept - 1].ns, pair[i].ns);
		else
			pair[kept++] = pair[i];
	}
	stable_sort(pair, kept, sizeof(*pair), by_falling_time, NULL);
	*count = kept;
	return pair;
}

static void add_name_cell(struct html *html, uint32_t id)
{
	const struct interned *name = &html->kernels.names.item[id];

	buffer_add_string(&html->out, "<td class=\"code\">");
	markup_field(&html->out, name->text, name->length);
	buffer_add_string(&html->out, "</td>");
}

static void add_pairs(struct html *html)
{
	static const char *const titles[] = {"kernel", "hidden under", "us"};
	size_t count;
	struct hidden_pair *pair = add_up_pairs(html, &count);

	buffer_add_string(&html->out, "<h2>Who hides whom</h2>\n");
	if (count > PAIRS_SHOWN)
		buffer_printf(&html->out, "<p>The first %d of %zu pairs.</p>\n", PAIRS_SHOWN, count);
	add_head(html, titles, 3, 2);
	for (size_t i = 0; i < count && i < PAIRS_SHOWN; i++) {
		buffer_add_string(&html->out, "<tr>");
		add_name_cell(html, pair[i].name);
		add_name_cell(html, pair[i].by);
		add_time_cell(html, pair[i].ns);
		buffer_add_string(&html->out, "</tr>\n");
	}
	buffer_add_string(&html->out, "</tbody></table></div>\n");
	free(pair);
}

static const char page_head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<title>tpa: where the GPU time goes</title>\n<style>\n"
	":root{color-scheme:light dark;--ink:#1d1d1f;--paper:#fff;--line:#ddd;--soft:#f4f4f6}\n"
	"@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--paper:#16181c;--line:#3a3d44;"
	"--soft:#212429}}\n"
	"body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
	"max-width:1280px;margin:0 auto;padding:1rem}\n"
	"h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem}\n"
	".wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin:.5rem 0}\n"
	"th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
	"vertical-align:top}\n"
	"th{background:var(--soft);cursor:pointer;white-space:nowrap}\n"
	".number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
	".code{font-family:ui-monospace,monospace;font-size:12px;overflow-wrap:anywhere;"
	"min-width:8rem;max-width:34rem}\n"
	"@media print{body{max-width:none;padding:0}.wide{overflow:visible}th{cursor:auto}}\n";

static const char page_script[] =
	"<script>\n"
	"document.querySelectorAll('th').forEach(function(th){th.addEventListener('click',function(){\n"
	"var at=th.cellIndex,body=th.closest('table').tBodies[0],down=th.dataset.down!=='1';\n"
	"th.dataset.down=down?'1':'';\n"
	"var key=function(tr){var t=tr.cells[at].textContent,n=parseFloat(t);"
	"return isNaN(n)||!th.classList.contains('number')?t:n};\n"
	"Array.from(body.rows).sort(function(a,b){var x=key(a),y=key(b);"
	"return (x<y?-1:x>y?1:0)*(down?-1:1)}).forEach(function(tr){body.appendChild(tr)});\n"
	"})});\n</script>\n";

static void add_timeline(struct html *html)
{
	struct timeline timeline;
	int64_t from, to;

	if (!stretch_choose(&html->kernels, &html->request->stretch, &from, &to))
		return;
	buffer_add_string(&html->out, "<h2>Timeline</h2>\n");
	timeline_make(&timeline, &html->kernels, from, to);
	markup_timeline(&html->out, &timeline, &html->kernels, false);
	timeline_release(&timeline);
}

static void add_part(struct html *html, const char *title, const struct buffer *rows)
{
	if (!rows->length)
		return;
	buffer_printf(&html->out, "<h2>%s</h2>\n", title);
	buffer_add(&html->out, rows->data, rows->length);
}

static void add_page(struct html *html)
{
	buffer_add_string(&html->out, page_head);
	markup_style(&html->out);
	buffer_add_string(&html->out, "</style></head><body>\n<h1>Where the GPU time goes</h1>\n");
	if (!html->kernels.count && !html->actions.out.length && !html->totals.out.length)
		buffer_add_string(&html->out, "<p>There is no GPU work in these records.</p>\n");
	add_part(html, "What to try first", &html->actions.out);
	if (html->windows)
		buffer_add_string(&html->out, "<h2>Where the window goes</h2>\n");
	for (size_t i = 0; i < html->windows; i++)
		add_ledger(html, &html->window[i]);
	add_timeline(html);
	if (html->covers)
		add_pairs(html);
	add_part(html, "Kernels", &html->totals.out);
	buffer_add_string(&html->out, page_script);
	buffer_add_string(&html->out, "</body></html>\n");
}

static void close_html(void *state)
{
	struct html *html = state;

	sections_close(&html->actions.sections);
	sections_close(&html->totals.sections);
	shown_kernels_sort(&html->kernels);
	add_page(html);
	record_put_lines(html->request->out, html->out.data, html->out.length);
	shown_kernels_release(&html->kernels);
	buffer_release(&html->actions.out);
	buffer_release(&html->totals.out);
	buffer_release(&html->out);
	free(html->cover);
	free(html->window);
	free(html);
}

const struct format format_html = {"html", open_html, take, close_html};
