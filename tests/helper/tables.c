/* intern, counter, sort, buffer and table */
#include "buffer.h"
#include "counter.h"
#include "intern.h"
#include "sort.h"
#include "xalloc.h"

#include "check.h"

#include <stdlib.h>

static void interning(void)
{
	struct intern table = INTERN_INIT;
	const char *first;

	CHECK_INT(intern_find(&table, "a", 1), INTERN_NONE);
	CHECK_INT(intern(&table, "a", 1), 0);
	CHECK_INT(intern(&table, "", 0), 1);
	CHECK_INT(intern(&table, NULL, 0), 1);
	CHECK_INT(intern(&table, "a\0b", 3), 2);
	CHECK_INT(intern(&table, "a", 1), 0);
	CHECK_INT(intern_find(&table, "a\0b", 3), 2);
	CHECK_INT(intern_find(&table, "a\0c", 3), INTERN_NONE);
	first = table.item[0].text;
	for (unsigned i = 0; i < 100000; i++) {
		char text[16];
		size_t length = (size_t)snprintf(text, sizeof(text), "name %u", i);

		CHECK_INT(intern(&table, text, length), i + 3);
	}
	CHECK_INT(table.count, 100003);
	CHECK(table.item[0].text == first);
	CHECK_BYTES(table.item[77777 + 3].text, table.item[77777 + 3].length, "name 77777");
	CHECK_INT(intern_find(&table, "name 99999", 10), 100002);
	intern_release(&table);
	CHECK_INT(intern(&table, "b", 1), 0);
	intern_release(&table);
}

/* Long texts have blocks of their own and spoil nothing around them. */
static void interning_long(void)
{
	struct intern table = INTERN_INIT;
	size_t length = (size_t)1 << 20;
	char *text = xmalloc(length);

	memset(text, 'x', length);
	for (size_t i = 0; i < 8; i++) {
		text[i] = 'y';
		CHECK_INT(intern(&table, text, length), (int64_t)(2 * i));
		CHECK_INT(intern(&table, text, i + 1), (int64_t)(2 * i + 1));
	}
	for (size_t i = 0; i < 8; i++) {
		CHECK_INT(table.item[2 * i].length, (int64_t)length);
		CHECK(table.item[2 * i].text[i] == 'y' && table.item[2 * i].text[i + 1] == 'x');
		CHECK_INT(table.item[2 * i + 1].length, (int64_t)i + 1);
		CHECK(table.item[2 * i + 1].text[i] == 'y');
	}
	free(text);
	intern_release(&table);
}

static void hashes(void)
{
	char text[40] = "";
	uint64_t hash = hash_bytes(text, 17);

	CHECK(hash_bytes("", 0) == hash_bytes(NULL, 0));
	CHECK(hash_bytes(text, 16) != hash); /* zeros count */
	for (size_t i = 0; i < 17; i++) {
		text[i] = 1;
		CHECK(hash_bytes(text, 17) != hash);
		text[i] = 0;
	}
	CHECK(hash_bytes(text, 17) == hash);
	CHECK(hash_number(1) != hash_number(2) && hash_number(1) == hash_number(1));
}

static void counting(void)
{
	struct counter counter = COUNTER_INIT;

	CHECK_INT(counter_best(&counter), COUNTER_NONE);
	counter_add(&counter, 7, 2);
	counter_add(&counter, 3, 5);
	counter_add(&counter, 9, 5);
	counter_add(&counter, 7, 3);
	/* all have 5: the first counted is the best */
	CHECK_INT(counter_best(&counter), 7);
	counter_add(&counter, 9, 1);
	CHECK_INT(counter_best(&counter), 9);
	counter_sort(&counter);
	CHECK_INT(counter.items, 3);
	CHECK(counter.item[0].key == 9 && counter.item[0].count == 6);
	CHECK(counter.item[1].key == 7 && counter.item[1].count == 5);
	CHECK(counter.item[2].key == 3 && counter.item[2].count == 5);
	counter_release(&counter);
	CHECK_INT(counter.items, 0);
}

/* Beyond the short list, where an index is kept. */
static void counting_many(void)
{
	struct counter counter = COUNTER_INIT;

	for (uint32_t round = 0; round < 3; round++)
		for (uint32_t i = 0; i < 5000; i++)
			counter_add(&counter, i * 64, i % 10);
	CHECK_INT(counter.items, 5000);
	for (uint32_t i = 0; i < 5000; i++)
		CHECK(counter.item[i].key == i * 64 && counter.item[i].count == 3 * (i % 10));
	CHECK_INT(counter_best(&counter), 9 * 64);
	counter_sort(&counter);
	for (uint32_t i = 1; i < 5000; i++) {
		const struct count *a = &counter.item[i - 1], *b = &counter.item[i];

		CHECK(a->count > b->count || (a->count == b->count && a->key < b->key));
	}
	counter_release(&counter);
}

/* A wide element, so that one size of copy does not do for all. */
struct element {
	int32_t key, place;
	char rest[21];
};

static int by_key(const void *a, const void *b, const void *context)
{
	const struct element *left = a, *right = b;
	int order = (left->key > right->key) - (left->key < right->key);

	return *(const int *)context * order;
}

static void check_sorted(int32_t (*key)(uint32_t), size_t count, int direction)
{
	struct element *list = xcalloc(count + 1, sizeof(*list));
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		list[i] = (struct element){.key = key((uint32_t)i), .place = (int32_t)i};
		memset(list[i].rest, (int)(i & 127), sizeof(list[i].rest));
	}
	stable_sort(list, count, sizeof(*list), by_key, &direction);
	for (size_t i = 0; i < count; i++) {
		CHECK_INT(list[i].key, key((uint32_t)list[i].place));
		CHECK_INT(list[i].rest[20], list[i].place & 127);
		sum += list[i].place;
		if (!i)
			continue;
		CHECK(list[i].key == list[i - 1].key ? list[i].place > list[i - 1].place
						     : (list[i].key > list[i - 1].key) == (direction > 0));
	}
	CHECK_INT(sum, (int64_t)count * ((int64_t)count - 1) / 2);
	free(list);
}

static int32_t mixed(uint32_t i)
{
	return (int32_t)(hash_number(i) >> 40 & 0xfff);
}

static int32_t few(uint32_t i)
{
	return (int32_t)(hash_number(i) >> 40 & 3);
}

static int32_t rising(uint32_t i)
{
	return (int32_t)(i / 3);
}

static int32_t falling(uint32_t i)
{
	return -(int32_t)i;
}

static int32_t runs(uint32_t i)
{
	return (int32_t)(i % 1000);
}

static int32_t sawtooth(uint32_t i)
{
	return (int32_t)(i % 7);
}

static void sorting(void)
{
	static int32_t (*const keys[])(uint32_t) = {mixed, few, rising, falling, runs, sawtooth};

	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		for (size_t count = 0; count < 70; count++) {
			check_sorted(keys[k], count, 1);
			check_sorted(keys[k], count, -1);
		}
		check_sorted(keys[k], 10007, 1);
	}
}

static size_t comparisons;

static int count_by_key(const void *a, const void *b, const void *context)
{
	comparisons++;
	return by_key(a, b, context);
}

/* What is sorted costs one comparison an element, a few sorted runs little more. */
static void sorting_runs(void)
{
	size_t count = 100000;
	struct element *list = xcalloc(count, sizeof(*list));
	int up = 1;

	for (size_t i = 0; i < count; i++)
		list[i].key = (int32_t)i;
	stable_sort(list, count, sizeof(*list), count_by_key, &up);
	CHECK(comparisons < count);
	comparisons = 0;
	for (size_t i = 0; i < count; i++)
		list[i].key = (int32_t)(i % (count / 4));
	stable_sort(list, count, sizeof(*list), count_by_key, &up);
	CHECK(comparisons < 4 * count);
	free(list);
}

static void growing(void)
{
	struct buffer buffer = BUFFER_INIT;

	buffer_add(&buffer, NULL, 0);
	CHECK(!buffer.data && !buffer.length);
	for (unsigned i = 0; i < 3000; i++)
		buffer_printf(&buffer, "%u,", i);
	buffer_add_char(&buffer, '.');
	buffer_add_string(&buffer, "end");
	CHECK_INT((int64_t)buffer.length, 10 * 2 + 90 * 3 + 900 * 4 + 2000 * 5 + 4);
	CHECK_BYTES(buffer.data + buffer.length - 14, 14, "2998,2999,.end");
	buffer_clear(&buffer);
	CHECK(buffer.data && !buffer.length && buffer.capacity);
	buffer_release(&buffer);
	CHECK(!buffer.data && !buffer.capacity);
	buffer_add(&buffer, "x", 1);
	CHECK_BYTES(buffer.data, buffer.length, "x");
	buffer_release(&buffer);
}

struct stretched {
	uint64_t *item;
	size_t size, count, capacity;
};

/* An element is as many numbers as it has room for, by its place. */
static void stretch_to(struct stretched *array, size_t count)
{
	size_t numbers = array->size / sizeof(uint64_t);

	for (; array->count < count; array->count++) {
		array->item = xstretch(array->item, &array->capacity, array->count + 1,
				       array->size);
		for (size_t n = 0; n < numbers; n++)
			array->item[array->count * numbers + n] = array->count + n;
	}
}

static void check_stretched(const struct stretched *array)
{
	size_t numbers = array->size / sizeof(uint64_t);

	CHECK(array->capacity >= array->count);
	for (size_t i = 0; i < array->count * numbers; i++)
		CHECK(array->item[i] == i / numbers + i % numbers);
}

/* More arrays than may have a page early, of sizes that divide a page and that do not. */
static void stretching(void)
{
	struct stretched array[9] = {0};

	for (size_t round = 0; round < 2; round++) {
		for (size_t i = 0; i < 9; i++)
			array[i] = (struct stretched){.size = 8 * (i + 1)};
		for (size_t count = 10; count < 300000; count *= 5)
			for (size_t i = 0; i < 9; i++) {
				stretch_to(&array[i], count);
				check_stretched(&array[i]);
			}
		for (size_t i = 0; i < 9; i++)
			xstretch_free(array[i].item, array[i].capacity, array[i].size);
	}
	xstretch_free(NULL, 0, 8);
}

CHECK_MAIN({"interning", interning}, {"interning_long", interning_long}, {"hashes", hashes},
	   {"counting", counting}, {"counting_many", counting_many}, {"sorting", sorting},
	   {"sorting_runs", sorting_runs}, {"growing", growing}, {"stretching", stretching})
