/*
 * columns: the types of records and their columns, in one table.
 *
 * Each list below is one type.  A row is the column's enumerator, its name in
 * messages and in the head of a file, and what it holds; the order of the rows
 * is the order of the fields, from 1 (field 0 is the type).  The enumerators
 * are TYPE_NAME, as in KERNEL_TS.
 *
 * To add a column, add a row at the end of its list; to add a type, add a list
 * and a row in RECORD_TYPES.  The stage that fills it, man/tpa-records.5 and
 * tests/data/columns.tsv are what else has to know.
 */
#ifndef TPA_COLUMNS_H
#define TPA_COLUMNS_H

#include <stddef.h>

enum column_kind {
	COLUMN_TEXT,
	COLUMN_INT,   /* a whole number in 64 bits */
	COLUMN_TIME,  /* microseconds with three decimals */
	COLUMN_RATIO, /* a decimal number */
};

/* clang-format off */
#define META_COLUMNS(C) \
	C(META, RANK, "rank", TEXT) \
	C(META, KEY, "key", TEXT) \
	C(META, VALUE, "value", TEXT)

#define KERNEL_COLUMNS(C) \
	C(KERNEL, RANK, "rank", TEXT) \
	C(KERNEL, PID, "pid", TEXT) \
	C(KERNEL, STAGE, "stage", TEXT) \
	C(KERNEL, IDX, "idx", INT) \
	C(KERNEL, TID, "tid", TEXT) \
	C(KERNEL, STREAM, "stream", TEXT) \
	C(KERNEL, TS, "ts", TIME) \
	C(KERNEL, DUR, "dur", TIME) \
	C(KERNEL, EXT, "ext", INT) \
	C(KERNEL, CORR, "corr", INT) \
	C(KERNEL, KIND, "kind", TEXT) \
	C(KERNEL, CATEGORY, "category", TEXT) \
	C(KERNEL, HIDDEN, "hidden", TIME) \
	C(KERNEL, EXCLUSIVE, "exclusive", TIME) \
	C(KERNEL, HIDDEN_COMPUTE, "hidden_compute", TIME) \
	C(KERNEL, NAME, "name", TEXT) \
	C(KERNEL, PARAMS, "params", TEXT)

#define CPU_OP_COLUMNS(C) \
	C(CPU_OP, RANK, "rank", TEXT) \
	C(CPU_OP, PID, "pid", TEXT) \
	C(CPU_OP, TID, "tid", TEXT) \
	C(CPU_OP, TS, "ts", TIME) \
	C(CPU_OP, DUR, "dur", TIME) \
	C(CPU_OP, EXT, "ext", INT) \
	C(CPU_OP, NAME, "name", TEXT)

#define PYTHON_COLUMNS(C) \
	C(PYTHON, RANK, "rank", TEXT) \
	C(PYTHON, PID, "pid", TEXT) \
	C(PYTHON, TID, "tid", TEXT) \
	C(PYTHON, TS, "ts", TIME) \
	C(PYTHON, DUR, "dur", TIME) \
	C(PYTHON, NAME, "name", TEXT)

#define LAUNCH_COLUMNS(C) \
	C(LAUNCH, RANK, "rank", TEXT) \
	C(LAUNCH, PID, "pid", TEXT) \
	C(LAUNCH, TID, "tid", TEXT) \
	C(LAUNCH, TS, "ts", TIME) \
	C(LAUNCH, DUR, "dur", TIME) \
	C(LAUNCH, CORR, "corr", INT) \
	C(LAUNCH, EXT, "ext", INT) \
	C(LAUNCH, NAME, "name", TEXT)

#define SPAN_COLUMNS(C) \
	C(SPAN, RANK, "rank", TEXT) \
	C(SPAN, PID, "pid", TEXT) \
	C(SPAN, TID, "tid", TEXT) \
	C(SPAN, TS, "ts", TIME) \
	C(SPAN, DUR, "dur", TIME) \
	C(SPAN, EXT, "ext", INT) \
	C(SPAN, SIDE, "side", TEXT) \
	C(SPAN, NAME, "name", TEXT)

#define COVER_COLUMNS(C) \
	C(COVER, RANK, "rank", TEXT) \
	C(COVER, PID, "pid", TEXT) \
	C(COVER, STAGE, "stage", TEXT) \
	C(COVER, IDX, "idx", INT) \
	C(COVER, US, "us", TIME) \
	C(COVER, NAME, "name", TEXT)

#define WINDOW_COLUMNS(C) \
	C(WINDOW, RANK, "rank", TEXT) \
	C(WINDOW, PID, "pid", TEXT) \
	C(WINDOW, STAGE, "stage", TEXT) \
	C(WINDOW, START, "start", TIME) \
	C(WINDOW, END, "end", TIME) \
	C(WINDOW, BUSY, "busy", TIME) \
	C(WINDOW, OVERLAP, "overlap", TIME) \
	C(WINDOW, IDLE, "idle", TIME) \
	C(WINDOW, STREAMS, "streams", INT) \
	C(WINDOW, KERNELS, "kernels", INT)

#define SOURCE_COLUMNS(C) \
	C(SOURCE, RANK, "rank", TEXT) \
	C(SOURCE, STAGE, "stage", TEXT) \
	C(SOURCE, TOTAL, "total", INT) \
	C(SOURCE, MAPPED, "mapped", INT) \
	C(SOURCE, LAUNCH_OP, "launch_op", TEXT) \
	C(SOURCE, SCOPE, "scope", TEXT) \
	C(SOURCE, NAME, "name", TEXT)

#define SITE_COLUMNS(C) \
	C(SITE, RANK, "rank", TEXT) \
	C(SITE, STAGE, "stage", TEXT) \
	C(SITE, KIND, "kind", TEXT) \
	C(SITE, COUNT, "count", INT) \
	C(SITE, VALUE, "value", TEXT) \
	C(SITE, NAME, "name", TEXT)

#define TOTAL_COLUMNS(C) \
	C(TOTAL, RANK, "rank", TEXT) \
	C(TOTAL, PID, "pid", TEXT) \
	C(TOTAL, STAGE, "stage", TEXT) \
	C(TOTAL, ORDER, "order", INT) \
	C(TOTAL, CATEGORY, "category", TEXT) \
	C(TOTAL, COUNT, "count", INT) \
	C(TOTAL, TOTAL, "total", TIME) \
	C(TOTAL, MAX, "max", TIME) \
	C(TOTAL, HIDDEN, "hidden", TIME) \
	C(TOTAL, EXCLUSIVE, "exclusive", TIME) \
	C(TOTAL, HIDDEN_COMPUTE, "hidden_compute", TIME) \
	C(TOTAL, BUSY_SHARE, "busy_share", RATIO) \
	C(TOTAL, SUM_SHARE, "sum_share", RATIO) \
	C(TOTAL, LAUNCH_OP, "launch_op", TEXT) \
	C(TOTAL, SCOPE, "scope", TEXT) \
	C(TOTAL, NAME, "name", TEXT)

#define ACTION_COLUMNS(C) \
	C(ACTION, RANK, "rank", TEXT) \
	C(ACTION, PID, "pid", TEXT) \
	C(ACTION, STAGE, "stage", TEXT) \
	C(ACTION, ORDER, "order", INT) \
	C(ACTION, PRIORITY, "priority", TEXT) \
	C(ACTION, VERDICT, "verdict", TEXT) \
	C(ACTION, RECOMMENDATION, "recommendation", TEXT) \
	C(ACTION, CATEGORY, "category", TEXT) \
	C(ACTION, TOTAL, "total", TIME) \
	C(ACTION, SHARE, "share", RATIO) \
	C(ACTION, EXCLUSIVE_RATIO, "exclusive_ratio", RATIO) \
	C(ACTION, HIDDEN_RATIO, "hidden_ratio", RATIO) \
	C(ACTION, DEPENDENCY, "dependency", TEXT) \
	C(ACTION, MAPPING_RATIO, "mapping_ratio", RATIO) \
	C(ACTION, LAUNCH_OP, "launch_op", TEXT) \
	C(ACTION, SCOPE, "scope", TEXT) \
	C(ACTION, PREV, "prev", TEXT) \
	C(ACTION, NEXT, "next", TEXT) \
	C(ACTION, SUGGESTION, "suggestion", TEXT) \
	C(ACTION, NAME, "name", TEXT)

#define SPREAD_COLUMNS(C) \
	C(SPREAD, STAGE, "stage", TEXT) \
	C(SPREAD, ORDER, "order", INT) \
	C(SPREAD, CATEGORY, "category", TEXT) \
	C(SPREAD, RANKS, "ranks", INT) \
	C(SPREAD, LAUNCHES_MIN, "launches_min", INT) \
	C(SPREAD, LAUNCHES_MEDIAN, "launches_median", RATIO) \
	C(SPREAD, LAUNCHES_MAX, "launches_max", INT) \
	C(SPREAD, LAUNCHES_STDDEV, "launches_stddev", RATIO) \
	C(SPREAD, LAUNCHES_MIN_RANK, "launches_min_rank", TEXT) \
	C(SPREAD, LAUNCHES_MAX_RANK, "launches_max_rank", TEXT) \
	C(SPREAD, TOTAL_MIN, "total_min", TIME) \
	C(SPREAD, TOTAL_MEDIAN, "total_median", TIME) \
	C(SPREAD, TOTAL_MAX, "total_max", TIME) \
	C(SPREAD, TOTAL_STDDEV, "total_stddev", TIME) \
	C(SPREAD, TOTAL_MIN_RANK, "total_min_rank", TEXT) \
	C(SPREAD, TOTAL_MAX_RANK, "total_max_rank", TEXT) \
	C(SPREAD, EXCLUSIVE_MIN, "exclusive_min", TIME) \
	C(SPREAD, EXCLUSIVE_MEDIAN, "exclusive_median", TIME) \
	C(SPREAD, EXCLUSIVE_MAX, "exclusive_max", TIME) \
	C(SPREAD, EXCLUSIVE_STDDEV, "exclusive_stddev", TIME) \
	C(SPREAD, EXCLUSIVE_MIN_RANK, "exclusive_min_rank", TEXT) \
	C(SPREAD, EXCLUSIVE_MAX_RANK, "exclusive_max_rank", TEXT) \
	C(SPREAD, HIDDEN_MIN, "hidden_min", TIME) \
	C(SPREAD, HIDDEN_MEDIAN, "hidden_median", TIME) \
	C(SPREAD, HIDDEN_MAX, "hidden_max", TIME) \
	C(SPREAD, HIDDEN_STDDEV, "hidden_stddev", TIME) \
	C(SPREAD, HIDDEN_MIN_RANK, "hidden_min_rank", TEXT) \
	C(SPREAD, HIDDEN_MAX_RANK, "hidden_max_rank", TEXT) \
	C(SPREAD, READING, "reading", TEXT) \
	C(SPREAD, STRAGGLER, "straggler", TEXT) \
	C(SPREAD, LOSS, "loss", TIME) \
	C(SPREAD, NAME, "name", TEXT)

#define RECORD_TYPES(T) \
	T(META, "meta") \
	T(KERNEL, "kernel") \
	T(CPU_OP, "cpu_op") \
	T(PYTHON, "python") \
	T(LAUNCH, "launch") \
	T(SPAN, "span") \
	T(COVER, "cover") \
	T(WINDOW, "window") \
	T(SOURCE, "source") \
	T(SITE, "site") \
	T(TOTAL, "total") \
	T(ACTION, "action") \
	T(SPREAD, "spread")

enum record_type {
#define C(type, word) RECORD_##type,
	RECORD_TYPES(C)
#undef C
	RECORD_TYPE_COUNT,
	RECORD_UNKNOWN = RECORD_TYPE_COUNT, /* of a type that is none of these */
};

/* A set of types, as a word of bits. */
#define RECORD_BIT(type) (1u << (type))
#define RECORD_ALL (~0u)

#define C(type, column, word, kind) type##_##column,
enum meta_column { META_TYPE, META_COLUMNS(C) META_COLUMN_END };
enum kernel_column { KERNEL_TYPE, KERNEL_COLUMNS(C) KERNEL_COLUMN_END };
enum cpu_op_column { CPU_OP_TYPE, CPU_OP_COLUMNS(C) CPU_OP_COLUMN_END };
enum python_column { PYTHON_TYPE, PYTHON_COLUMNS(C) PYTHON_COLUMN_END };
enum launch_column { LAUNCH_TYPE, LAUNCH_COLUMNS(C) LAUNCH_COLUMN_END };
enum span_column { SPAN_TYPE, SPAN_COLUMNS(C) SPAN_COLUMN_END };
enum cover_column { COVER_TYPE, COVER_COLUMNS(C) COVER_COLUMN_END };
enum window_column { WINDOW_TYPE, WINDOW_COLUMNS(C) WINDOW_COLUMN_END };
enum source_column { SOURCE_TYPE, SOURCE_COLUMNS(C) SOURCE_COLUMN_END };
enum site_column { SITE_TYPE, SITE_COLUMNS(C) SITE_COLUMN_END };
enum total_column { TOTAL_TYPE, TOTAL_COLUMNS(C) TOTAL_COLUMN_END };
enum action_column { ACTION_TYPE, ACTION_COLUMNS(C) ACTION_COLUMN_END };
enum spread_column { SPREAD_TYPE, SPREAD_COLUMNS(C) SPREAD_COLUMN_END };
#undef C
/* clang-format on */

/* No type has more fields than this, the type included. */
#define RECORD_FIELDS_MAX 36

struct column {
	const char *name;
	enum column_kind kind;
};

struct record_columns {
	const char *type;
	size_t type_length;
	int end; /* how many fields, the type included */
	const struct column *column; /* column[0] is the type itself */
};

/* One row for each enum record_type. */
extern const struct record_columns record_columns[RECORD_TYPE_COUNT];

/* The type of that name, or RECORD_UNKNOWN. */
enum record_type record_type_named(const char *name, size_t length);

/* The column of that name, or 0. */
int record_column_named(enum record_type type, const char *name, size_t length);

#endif
