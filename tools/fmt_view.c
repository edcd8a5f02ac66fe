#include "fmt_view.h"

#include "diag.h"
#include "fmt_number.h"
#include "fmt_text.h"

#include <stdint.h>

static bool show_text(struct buffer *out, struct record *record, int column)
{
	size_t start = out->length;

	fmt_text_plain(out, record->field[column].text, record->field[column].length);
	if (out->length == start)
		buffer_add_char(out, '-');
	return true;
}

static bool show_number(struct buffer *out, struct record *record, int column)
{
	size_t start = out->length;

	if (!fmt_number(out, record, column))
		return false;
	if (out->length == start)
		buffer_add_char(out, '-');
	return true;
}

/* A time in units of so many ns. */
static bool show_time(struct buffer *out, struct record *record, int column, double unit,
		      int decimals)
{
	int64_t ns;

	if (field_unknown(record->field[column])) {
		buffer_add_char(out, '-');
		return true;
	}
	if (!record_time(record, column, &ns))
		return false;
	buffer_printf(out, "%.*f", decimals, (double)ns / unit);
	return true;
}

static bool show_ms(struct buffer *out, struct record *record, int column)
{
	return show_time(out, record, column, 1e6, 3);
}

static bool show_us(struct buffer *out, struct record *record, int column)
{
	return show_time(out, record, column, 1e3, 1);
}

/* `column` is TOTAL_TOTAL. */
static bool show_mean(struct buffer *out, struct record *record, int column)
{
	int64_t count;

	if (!record_int(record, TOTAL_COUNT, &count))
		return false;
	if (count > 0)
		return show_time(out, record, column, 1e3 * (double)count, 1);
	buffer_add_char(out, '-');
	return true;
}

/* A decimal number times `scale`. */
static bool show_ratio(struct buffer *out, struct record *record, int column, double scale,
		       int decimals)
{
	double value = 0;

	if (!fmt_number_ratio(record, column, &value))
		return false;
	if (field_unknown(record->field[column]))
		buffer_add_char(out, '-');
	else
		buffer_printf(out, "%.*f", decimals, value * scale);
	return true;
}

static bool show_percent(struct buffer *out, struct record *record, int column)
{
	return show_ratio(out, record, column, 1, 2);
}

/* `column` is ACTION_EXCLUSIVE_RATIO. */
static bool show_ratios(struct buffer *out, struct record *record, int column)
{
	if (!show_ratio(out, record, column, 100, 1))
		return false;
	buffer_add_char(out, '/');
	return show_ratio(out, record, ACTION_HIDDEN_RATIO, 100, 1);
}

/* `column` is SPREAD_LAUNCHES_MIN; the most follows only if it differs. */
static bool show_launches(struct buffer *out, struct record *record, int column)
{
	const struct field *least = &record->field[column];
	const struct field *most = &record->field[SPREAD_LAUNCHES_MAX];

	if (!show_number(out, record, column))
		return false;
	if (least->length == most->length && !memcmp(least->text, most->text, most->length))
		return true;
	buffer_add_string(out, "..");
	return show_number(out, record, SPREAD_LAUNCHES_MAX);
}

/* dependency_risk_label of the reference script. */
static bool show_risk(struct buffer *out, struct record *record, int column)
{
	static const struct {
		const char *signal, *label;
	} labels[] = {
		{"serial risk low", "low"},	   {"prev-side serial risk", "high"},
		{"next-side serial risk", "high"}, {"both-side serial risk", "high"},
		{"adjacency unclear", "unclear"},
	};

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		if (!field_is(record->field[column], labels[i].signal))
			continue;
		buffer_add_string(out, labels[i].label);
		return true;
	}
	return show_text(out, record, column);
}

/* clang-format off */
#define WORD(text, at) {.title = text, .column = at, .show = show_text}
#define NAME(text, at) \
	{.title = text, .column = at, .show = show_text, .cut = VIEW_CUT_END, .code = true}
#define PATH(text, at) \
	{.title = text, .column = at, .show = show_text, .cut = VIEW_CUT_START, .code = true}
#define NOTE(text, at) {.title = text, .column = at, .show = show_text, .note = true}
#define NUMBER(text, at, how) {.title = text, .column = at, .show = how, .right = true}

static const struct view_column meta[] = {
	WORD("rank", META_RANK),
	WORD("key", META_KEY),
	NAME("value", META_VALUE),
};

static const struct view_column kernel[] = {
	WORD("rank", KERNEL_RANK),
	WORD("pid", KERNEL_PID),
	WORD("stage", KERNEL_STAGE),
	NUMBER("idx", KERNEL_IDX, show_number),
	WORD("stream", KERNEL_STREAM),
	NUMBER("start us", KERNEL_TS, show_number),
	NUMBER("time us", KERNEL_DUR, show_number),
	NUMBER("hidden us", KERNEL_HIDDEN, show_number),
	NUMBER("exclusive us", KERNEL_EXCLUSIVE, show_number),
	WORD("category", KERNEL_CATEGORY),
	NAME("kernel", KERNEL_NAME),
};

static const struct view_column cpu_op[] = {
	WORD("rank", CPU_OP_RANK),
	WORD("pid", CPU_OP_PID),
	WORD("tid", CPU_OP_TID),
	NUMBER("start us", CPU_OP_TS, show_number),
	NUMBER("time us", CPU_OP_DUR, show_number),
	NUMBER("external id", CPU_OP_EXT, show_number),
	NAME("op", CPU_OP_NAME),
};

static const struct view_column python[] = {
	WORD("rank", PYTHON_RANK),
	WORD("pid", PYTHON_PID),
	WORD("tid", PYTHON_TID),
	NUMBER("start us", PYTHON_TS, show_number),
	NUMBER("time us", PYTHON_DUR, show_number),
	PATH("frame", PYTHON_NAME),
};

static const struct view_column launch[] = {
	WORD("rank", LAUNCH_RANK),
	WORD("pid", LAUNCH_PID),
	WORD("tid", LAUNCH_TID),
	NUMBER("start us", LAUNCH_TS, show_number),
	NUMBER("time us", LAUNCH_DUR, show_number),
	NUMBER("correlation", LAUNCH_CORR, show_number),
	NAME("launch", LAUNCH_NAME),
};

static const struct view_column span[] = {
	WORD("rank", SPAN_RANK),
	WORD("pid", SPAN_PID),
	WORD("tid", SPAN_TID),
	NUMBER("start us", SPAN_TS, show_number),
	NUMBER("time us", SPAN_DUR, show_number),
	WORD("side", SPAN_SIDE),
	NAME("annotation", SPAN_NAME),
};

static const struct view_column cover[] = {
	WORD("rank", COVER_RANK),
	WORD("pid", COVER_PID),
	WORD("stage", COVER_STAGE),
	NUMBER("idx", COVER_IDX, show_number),
	NUMBER("hidden us", COVER_US, show_number),
	NAME("under", COVER_NAME),
};

static const struct view_column window[] = {
	WORD("rank", WINDOW_RANK),
	WORD("pid", WINDOW_PID),
	WORD("stage", WINDOW_STAGE),
	NUMBER("start us", WINDOW_START, show_number),
	NUMBER("busy ms", WINDOW_BUSY, show_ms),
	NUMBER("overlapped ms", WINDOW_OVERLAP, show_ms),
	NUMBER("idle ms", WINDOW_IDLE, show_ms),
	NUMBER("streams", WINDOW_STREAMS, show_number),
	NUMBER("kernels", WINDOW_KERNELS, show_number),
};

static const struct view_column source[] = {
	WORD("rank", SOURCE_RANK),
	WORD("stage", SOURCE_STAGE),
	NUMBER("sampled", SOURCE_TOTAL, show_number),
	NUMBER("mapped", SOURCE_MAPPED, show_number),
	NAME("op", SOURCE_LAUNCH_OP),
	PATH("scope", SOURCE_SCOPE),
	NAME("kernel", SOURCE_NAME),
};

static const struct view_column site[] = {
	WORD("rank", SITE_RANK),
	WORD("stage", SITE_STAGE),
	WORD("kind", SITE_KIND),
	NUMBER("count", SITE_COUNT, show_number),
	PATH("value", SITE_VALUE),
	NAME("kernel", SITE_NAME),
};

static const struct view_column total[] = {
	WORD("rank", TOTAL_RANK),
	WORD("pid", TOTAL_PID),
	WORD("stage", TOTAL_STAGE),
	WORD("category", TOTAL_CATEGORY),
	NUMBER("time ms", TOTAL_TOTAL, show_ms),
	NUMBER("% of busy", TOTAL_BUSY_SHARE, show_percent),
	NUMBER("% of sum", TOTAL_SUM_SHARE, show_percent),
	NUMBER("launches", TOTAL_COUNT, show_number),
	NUMBER("mean us", TOTAL_TOTAL, show_mean),
	NUMBER("longest us", TOTAL_MAX, show_us),
	NUMBER("hidden ms", TOTAL_HIDDEN, show_ms),
	NAME("op", TOTAL_LAUNCH_OP),
	PATH("scope", TOTAL_SCOPE),
	NAME("kernel", TOTAL_NAME),
};

static const struct view_column action[] = {
	WORD("rank", ACTION_RANK),
	WORD("pid", ACTION_PID),
	WORD("stage", ACTION_STAGE),
	WORD("prio", ACTION_PRIORITY),
	WORD("verdict", ACTION_VERDICT),
	NUMBER("time ms", ACTION_TOTAL, show_ms),
	NUMBER("% of busy", ACTION_SHARE, show_percent),
	NUMBER("excl/hid %", ACTION_EXCLUSIVE_RATIO, show_ratios),
	{.title = "risk", .column = ACTION_DEPENDENCY, .show = show_risk},
	WORD("advice", ACTION_RECOMMENDATION),
	PATH("scope", ACTION_SCOPE),
	NAME("kernel", ACTION_NAME),
	NOTE("suggestion", ACTION_SUGGESTION),
};

static const struct view_column spread[] = {
	WORD("stage", SPREAD_STAGE),
	NUMBER("loss ms", SPREAD_LOSS, show_ms),
	WORD("straggler", SPREAD_STRAGGLER),
	WORD("because", SPREAD_READING),
	NUMBER("ranks", SPREAD_RANKS, show_number),
	NUMBER("min ms", SPREAD_TOTAL_MIN, show_ms),
	NUMBER("median ms", SPREAD_TOTAL_MEDIAN, show_ms),
	NUMBER("max ms", SPREAD_TOTAL_MAX, show_ms),
	NUMBER("stddev ms", SPREAD_TOTAL_STDDEV, show_ms),
	NUMBER("launches", SPREAD_LAUNCHES_MIN, show_launches),
	WORD("category", SPREAD_CATEGORY),
	NAME("kernel", SPREAD_NAME),
};

#define VIEW(title, heads, columns) {title, heads, columns, sizeof(columns) / sizeof((columns)[0])}

static const struct view views[RECORD_TYPE_COUNT] = {
	[RECORD_META] = VIEW("about the traces", 0, meta),
	[RECORD_KERNEL] = VIEW("kernels", 2, kernel),
	[RECORD_CPU_OP] = VIEW("CPU ops", 2, cpu_op),
	[RECORD_PYTHON] = VIEW("Python frames", 2, python),
	[RECORD_LAUNCH] = VIEW("launches", 2, launch),
	[RECORD_SPAN] = VIEW("annotations", 2, span),
	[RECORD_COVER] = VIEW("what hides what", 2, cover),
	[RECORD_WINDOW] = VIEW("windows", 0, window),
	[RECORD_SOURCE] = VIEW("sources", 2, source),
	[RECORD_SITE] = VIEW("sites", 2, site),
	[RECORD_TOTAL] = VIEW("kernel times", 3, total),
	[RECORD_ACTION] = VIEW("what to try first", 3, action),
	[RECORD_SPREAD] = VIEW("how far the ranks are apart", 0, spread),
};
/* clang-format on */

const struct view *view_of(enum record_type type)
{
	return &views[type];
}

/* Whether a view shows the column as code, and how it is cut. */
static void liken(struct view_column *column, const struct view *view)
{
	for (size_t i = 0; i < view->count; i++) {
		if (view->column[i].column != column->column || !view->column[i].code)
			continue;
		column->code = true;
		column->cut = view->column[i].cut;
	}
}

struct view_column view_column_plain(enum record_type type, int number)
{
	const struct column *known = &record_columns[type].column[number];
	bool is_text = number == 0 || known->kind == COLUMN_TEXT;
	struct view_column column = {
		.title = number ? known->name : "type",
		.column = number,
		.show = is_text ? show_text : show_number,
		.right = !is_text,
		.cut = is_text ? VIEW_CUT_END : VIEW_WHOLE,
	};

	liken(&column, &views[type]);
	return column;
}

static int column_named(enum record_type type, const char *name, size_t length)
{
	if (length == 4 && !memcmp(name, "type", 4))
		return 0;
	return record_column_named(type, name, length) ? record_column_named(type, name, length)
						       : -1;
}

static bool find_all(struct choice *choice, enum record_type type, const char *list)
{
	int count = 0;

	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",");
		int column = column_named(type, at, length);

		if (column < 0)
			return false;
		if (count == RECORD_FIELDS_MAX)
			diag_misuse("--columns takes at most %d columns", RECORD_FIELDS_MAX);
		choice->column[type][count++] = column;
		at += length;
		if (!*at)
			break;
	}
	choice->count = count;
	return true;
}

struct choice choice_parse(const char *list)
{
	struct choice choice = {.made = true};
	bool any = false;

	for (int type = 0; type < RECORD_TYPE_COUNT; type++) {
		choice.has[type] = find_all(&choice, (enum record_type)type, list);
		any |= choice.has[type];
	}
	if (!any)
		diag_misuse("--columns wants columns of one type of record: \"%s\"", list);
	return choice;
}
