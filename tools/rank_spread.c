#include "rank_spread.h"

#include "diag.h"
#include "sort.h"
#include "xalloc.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

enum measure { MEASURE_LAUNCHES, MEASURE_TOTAL, MEASURE_EXCLUSIVE, MEASURE_HIDDEN, MEASURES };

/* What one rank spent. */
struct spent {
	int64_t value[MEASURES];
	uint32_t rank;
};

struct spread_row {
	struct spent *spent; /* in the order in which the ranks were complete */
	size_t capacity;
	uint32_t count;
};

/* What is said of a measure. */
struct figures {
	int64_t min, median, max, stddev;
	uint32_t min_rank, max_rank;
};

/* A row to be written. */
struct place {
	uint32_t row;
	int64_t loss;
};

static void sum(int64_t *into, int64_t value)
{
	if (__builtin_add_overflow(*into, value, into))
		diag_die("the times of a rank are too large to add up");
}

static struct spread_row *find_row(struct rank_spread *spread, struct field stage,
				   const struct interned *category, const struct interned *name)
{
	uint32_t known = spread->keys.count, id;

	buffer_clear(&spread->key);
	buffer_add(&spread->key, stage.text, stage.length);
	buffer_add_char(&spread->key, '\t');
	buffer_add(&spread->key, category->text, category->length);
	buffer_add_char(&spread->key, '\t');
	buffer_add(&spread->key, name->text, name->length);
	id = intern(&spread->keys, spread->key.data, spread->key.length);
	if (id == known) {
		spread->row = xgrow(spread->row, &spread->capacity, (size_t)known + 1,
				    sizeof(*spread->row));
		spread->row[id] = (struct spread_row){0};
	}
	return &spread->row[id];
}

static struct spent *find_spent(struct spread_row *row, uint32_t rank)
{
	if (row->count && row->spent[row->count - 1].rank == rank)
		return &row->spent[row->count - 1];
	row->spent = xgrow(row->spent, &row->capacity, (size_t)row->count + 1,
			   sizeof(*row->spent));
	row->spent[row->count] = (struct spent){.rank = rank};
	return &row->spent[row->count++];
}

void rank_spread_add(struct rank_spread *spread, uint32_t rank, const struct rank_kernels *held,
		     const struct group *group, const struct totals *totals)
{
	struct field stage = group_stage(held, group);

	for (uint32_t i = 0; i < totals->count; i++) {
		const struct total *item = &totals->item[i];
		struct spread_row *row = find_row(spread, stage, &held->texts.item[item->category],
						  &held->texts.item[item->name]);
		struct spent *spent = find_spent(row, rank);

		sum(&spent->value[MEASURE_LAUNCHES], item->count);
		sum(&spent->value[MEASURE_TOTAL], item->total);
		sum(&spent->value[MEASURE_EXCLUSIVE], item->exclusive);
		sum(&spent->value[MEASURE_HIDDEN], item->hidden);
	}
}

int64_t spread_median(const int64_t *value, size_t count)
{
	int64_t low = value[(count - 1) / 2], high = value[count / 2];
	int64_t mean = low + (high - low) / 2;

	return mean + ((high - low) & mean & 1);
}

/* The largest whole number whose square is no more. */
static wide root(wide value)
{
	wide found = 0;

	for (wide bit = (wide)1 << 126; bit; bit >>= 2) {
		if (value >= found + bit) {
			value -= found + bit;
			found = (found >> 1) + bit;
		} else {
			found >>= 1;
		}
	}
	return found;
}

static int bits(uint64_t value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

int64_t spread_stddev(const int64_t *value, size_t count)
{
	int excess = bits((uint64_t)(value[count - 1] - value[0])) + bits(count) - 63;
	int shift = excess > 0 ? excess : 0;
	wide all = 0, squares = 0, variance;

	/* about the least value, to keep numbers small; the variance is that of count times each */
	for (size_t i = 0; i < count; i++) {
		wide above = (wide)((uint64_t)(value[i] - value[0]) >> shift);

		all += above;
		squares += above * above;
	}
	variance = squares * count - all * all;
	return (int64_t)((root(variance * 4) + count) / (2 * (wide)count) << shift);
}

static int by_value(const void *a, const void *b, const void *context)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	(void)context;
	return (left > right) - (left < right);
}

static uint32_t first_with(const struct spread_row *row, enum measure measure, int64_t value)
{
	uint32_t i = 0;

	while (row->spent[i].value[measure] != value)
		i++;
	return row->spent[i].rank;
}

/* `value` has room for all ranks; the values are counted in units of `scale`. */
static struct figures find_figures(const struct spread_row *row, enum measure measure,
				   int64_t scale, int64_t *value)
{
	struct figures figures;

	for (uint32_t i = 0; i < row->count; i++)
		value[i] = row->spent[i].value[measure];
	stable_sort(value, row->count, sizeof(*value), by_value, NULL);
	figures.min = value[0];
	figures.max = value[row->count - 1];
	figures.min_rank = first_with(row, measure, figures.min);
	figures.max_rank = first_with(row, measure, figures.max);
	for (uint32_t i = 0; i < row->count; i++)
		value[i] *= scale;
	figures.median = spread_median(value, row->count);
	figures.stddev = spread_stddev(value, row->count);
	return figures;
}

/* The fields of a key. */
static void split(const struct interned *key, struct field *stage, struct field *category,
		  struct field *name)
{
	const char *end = key->text + key->length;
	const char *first = memchr(key->text, '\t', key->length);
	const char *second = memchr(first + 1, '\t', (size_t)(end - first - 1));

	*stage = (struct field){key->text, (size_t)(first - key->text)};
	*category = (struct field){first + 1, (size_t)(second - first - 1)};
	*name = (struct field){second + 1, (size_t)(end - second - 1)};
}

static bool is_communication(const struct interned *key)
{
	struct field stage, category, name;

	split(key, &stage, &category, &name);
	return field_is(category, "communication");
}

static int64_t loss_of(const struct figures *total, bool communication)
{
	return communication ? total->median - total->min : total->max - total->median;
}

static void put_rank(struct record_writer *out, const struct intern *labels, uint32_t rank)
{
	record_put_escaped(out, labels->item[rank].text, labels->item[rank].length);
}

/* Launches are counted in thousandths, which are written like the ns of us. */
static void put_figures(struct record_writer *out, const struct intern *labels,
			enum measure measure, const struct figures *figures)
{
	void (*put)(struct record_writer *, int64_t) =
		measure == MEASURE_LAUNCHES ? record_put_int : record_put_time;

	put(out, figures->min);
	record_put_time(out, figures->median);
	put(out, figures->max);
	record_put_time(out, figures->stddev);
	put_rank(out, labels, figures->min_rank);
	put_rank(out, labels, figures->max_rank);
}

static void put_string(struct record_writer *out, const char *string)
{
	record_put_escaped(out, string, strlen(string));
}

static void write_row(const struct rank_spread *spread, uint32_t id, int64_t order,
		      struct record_writer *out, const struct intern *labels, int64_t *value)
{
	const struct interned *key = &spread->keys.item[id];
	const struct spread_row *row = &spread->row[id];
	bool communication = is_communication(key);
	struct field stage, category, name;
	struct figures total = {0};

	split(key, &stage, &category, &name);
	record_begin(out, RECORD_SPREAD);
	record_put_field(out, stage);
	record_put_int(out, order);
	record_put_field(out, category);
	record_put_int(out, row->count);
	for (enum measure measure = 0; measure < MEASURES; measure++) {
		int64_t scale = measure == MEASURE_LAUNCHES ? 1000 : 1;
		struct figures figures = find_figures(row, measure, scale, value);

		put_figures(out, labels, measure, &figures);
		if (measure == MEASURE_TOTAL)
			total = figures;
	}
	put_string(out, communication ? "least-wait-is-late" : "most-time-is-slow");
	put_rank(out, labels, communication ? total.min_rank : total.max_rank);
	record_put_time(out, loss_of(&total, communication));
	record_put_field(out, name);
	record_end(out);
}

static int by_falling_loss(const void *a, const void *b, const void *context)
{
	const struct place *left = a, *right = b;

	(void)context;
	return (left->loss < right->loss) - (left->loss > right->loss);
}

static int64_t *room_for_ranks(const struct rank_spread *spread)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < spread->keys.count; i++)
		if (spread->row[i].count > most)
			most = spread->row[i].count;
	return xreallocarray(NULL, most, sizeof(int64_t));
}

void rank_spread_write(const struct rank_spread *spread, struct record_writer *out,
		       const struct intern *labels, int64_t limit)
{
	uint32_t count = spread->keys.count;
	struct place *place = xreallocarray(NULL, count, sizeof(*place));
	int64_t *value = room_for_ranks(spread);

	for (uint32_t i = 0; i < count; i++) {
		struct figures total = find_figures(&spread->row[i], MEASURE_TOTAL, 1, value);

		place[i] = (struct place){
			i, loss_of(&total, is_communication(&spread->keys.item[i]))};
	}
	stable_sort(place, count, sizeof(*place), by_falling_loss, NULL);
	for (uint32_t i = 0; i < count && (!limit || i < limit); i++)
		write_row(spread, place[i].row, (int64_t)i + 1, out, labels, value);
	free(value);
	free(place);
}

void rank_spread_release(struct rank_spread *spread)
{
	for (uint32_t i = 0; i < spread->keys.count; i++)
		free(spread->row[i].spent);
	intern_release(&spread->keys);
	buffer_release(&spread->key);
	free(spread->row);
	*spread = (struct rank_spread)RANK_SPREAD_INIT;
}
