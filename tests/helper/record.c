/* columns, record, record_io and ranks */
#include "columns.h"
#include "fd_io.h"
#include "ranks.h"
#include "record_io.h"
#include "xalloc.h"

#include "check.h"

#include <stdlib.h>
#include <unistd.h>

/* The table of columns, as tests/data/columns.tsv has it. */
static void columns(void)
{
	for (int type = 0; type < RECORD_TYPE_COUNT; type++) {
		const struct record_columns *row = &record_columns[type];

		printf("%s", row->type);
		for (int i = 1; i < row->end; i++)
			printf("\t%s", row->column[i].name);
		putchar('\n');
	}
}

static void named(void)
{
	CHECK_INT(record_type_named("kernel", 6), RECORD_KERNEL);
	CHECK_INT(record_type_named("action", 6), RECORD_ACTION);
	CHECK_INT(record_type_named("kernels", 7), RECORD_UNKNOWN);
	CHECK_INT(record_type_named("kerne", 5), RECORD_UNKNOWN);
	CHECK_INT(record_type_named("", 0), RECORD_UNKNOWN);
	CHECK_INT(record_column_named(RECORD_KERNEL, "ts", 2), KERNEL_TS);
	CHECK_INT(record_column_named(RECORD_KERNEL, "params", 6), KERNEL_PARAMS);
	CHECK_INT(record_column_named(RECORD_KERNEL, "us", 2), 0);
	for (int type = 0; type < RECORD_TYPE_COUNT; type++) {
		const struct record_columns *row = &record_columns[type];

		CHECK_INT(record_type_named(row->type, row->type_length), type);
		CHECK(row->end <= RECORD_FIELDS_MAX);
		for (int i = 1; i < row->end; i++)
			CHECK_INT(record_column_named((enum record_type)type, row->column[i].name,
						      strlen(row->column[i].name)), i);
	}
}

static struct record line_of(enum record_type type, const char *line)
{
	static char padded[256];
	size_t length = strlen(line);

	if (length + RECORD_PAD > sizeof(padded))
		exit(9);
	memcpy(padded, line, length);
	return (struct record){.type = type, .line = padded, .length = length};
}

static void split(void)
{
	struct record record = line_of(RECORD_META, "meta\t0\t\ta b");

	CHECK(record_split(&record));
	CHECK_INT(record.fields, META_COLUMN_END);
	CHECK_BYTES(record.field[META_TYPE].text, record.field[META_TYPE].length, "meta");
	CHECK_BYTES(record.field[META_KEY].text, record.field[META_KEY].length, "");
	CHECK_BYTES(record.field[META_VALUE].text, record.field[META_VALUE].length, "a b");

	record = line_of(RECORD_META, "meta\t0\tk\tv\tmore\tand\t");
	CHECK(record_split(&record));
	CHECK_BYTES(record.field[META_VALUE].text, record.field[META_VALUE].length, "v");
	CHECK_BYTES(record.field[META_COLUMN_END].text, record.field[META_COLUMN_END].length,
		    "more\tand\t");

	record = line_of(RECORD_META, "meta\t0\tk");
	CHECK(!record_split(&record));
	CHECK_INT(record.bad_column, 0);
	CHECK(!strcmp(record.fault, "too few columns"));
}

static void getters(void)
{
	struct record record = line_of(RECORD_COVER, "cover\tx\t-\t\\-\t12\t0.0015\tn");
	int64_t value = 5;

	CHECK(record_split(&record));
	CHECK(field_unknown(record.field[COVER_PID]) && !field_unknown(record.field[COVER_STAGE]));
	CHECK(field_is(record.field[COVER_RANK], "x") && !field_is(record.field[COVER_RANK], "xy"));
	CHECK(record_int(&record, COVER_IDX, &value) && value == 12);
	CHECK(record_time(&record, COVER_US, &value) && value == 2);
	value = 5;
	CHECK(record_int_if_known(&record, COVER_PID, &value) && value == 5);
	CHECK(record_time_if_known(&record, COVER_PID, &value) && value == 5);
	CHECK(record_int_if_known(&record, COVER_IDX, &value) && value == 12);
	CHECK(!record_int(&record, COVER_PID, &value));
	CHECK_INT(record.bad_column, COVER_PID);
	CHECK(!strcmp(record.fault, "not a whole number"));
	CHECK(!record_time(&record, COVER_NAME, &value));
	CHECK(!strcmp(record.fault, "not a time"));
	CHECK(!record_int_if_known(&record, COVER_STAGE, &value));
	record.field[COVER_US] = (struct field){"1e30", 4};
	CHECK(!record_time(&record, COVER_US, &value));
	CHECK_INT(record.bad_column, COVER_US);
	CHECK(!strcmp(record.fault, "a time out of range"));
}

/* A file that is gone when closed, with that in it, to be read from its start. */
static int file_of(const char *bytes, size_t length)
{
	FILE *file = tmpfile();
	int fd;

	if (!file || fwrite(bytes, 1, length, file) != length || fflush(file))
		exit(9);
	fd = dup(fileno(file));
	fclose(file);
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
		exit(9);
	return fd;
}

static struct buffer contents(int fd)
{
	struct buffer all = BUFFER_INIT;

	lseek(fd, 0, SEEK_SET);
	CHECK_INT(fd_read_all(fd, &all, SIZE_MAX - 1), 0);
	close(fd);
	return all;
}

static void writing(void)
{
	int fd = file_of("", 0), copy = dup(fd);
	struct record_writer writer;
	struct buffer got;

	record_writer_init(&writer, fd, "there");
	record_begin(&writer, RECORD_COVER);
	record_put_text(&writer, "a\tb", 3);
	record_put_field(&writer, (struct field){"\\-", 2});
	record_put_unknown(&writer);
	record_put_int(&writer, -7);
	record_put_time(&writer, 12500);
	record_put_text(&writer, "", 0);
	record_end(&writer);
	record_begin_named(&writer, "mine");
	record_put_ratio(&writer, 0.125, 2);
	record_put_ratio(&writer, 0.375, 2);
	record_put_ratio(&writer, 100, 3);
	record_end(&writer);
	record_put_lines(&writer, "#x\n", 3);
	record_begin(&writer, RECORD_META); /* never ended, never written */
	CHECK(record_writer_close(&writer));
	close(fd);
	got = contents(copy);
	CHECK_BYTES(got.data, got.length,
		    "cover\ta\\tb\t\\-\t-\t-7\t12.500\t-\nmine\t0.12\t0.38\t100.000\n#x\n");
	buffer_release(&got);
}

static enum record_read next(struct record_reader *reader, struct record *record)
{
	return record_reader_next(reader, record);
}

/* Closes both; what was written, of which `copy` is another descriptor, is what was to be. */
static void end_passing(struct record_reader *reader, struct record_writer *writer, int copy,
			struct buffer *want, const char *what)
{
	struct buffer got;

	record_reader_release(reader);
	CHECK(record_writer_close(writer));
	close(reader->fd);
	close(writer->fd);
	got = contents(copy);
	check_true(__FILE__, __LINE__,
		   got.length == want->length && !memcmp(got.data, want->data, got.length), what);
	buffer_release(want);
	buffer_release(&got);
}

/* What is wanted is read; all else passes in its place, whatever the blocks. */
static void reading(void)
{
	struct buffer in = BUFFER_INIT, want = BUFFER_INIT;
	int fd, out = file_of("", 0), copy = dup(out), seen = 0;
	struct record_writer writer;
	struct record_reader reader;
	struct record record;

	for (int i = 0; i < 40000; i++) {
		size_t start = in.length;

		buffer_printf(&in, "cpu_op\t0\tsome\tfields %d\n", i); /* too few, not wanted */
		buffer_printf(&in, i % 3 ? "mine\t%d\n" : "\n#%d\n", i);
		buffer_add(&want, in.data + start, in.length - start);
		buffer_printf(&in, "meta\t0\tkey\t%d\n", i);
	}
	buffer_add_string(&in, "cpu_op"); /* no LF */
	buffer_add_string(&want, "cpu_op\n");
	fd = file_of(in.data, in.length);
	record_writer_init(&writer, out, "out");
	record_reader_init(&reader, fd, "in", RECORD_BIT(RECORD_META), &writer);
	while (next(&reader, &record) == RECORD_READ) {
		int64_t value = -1;

		CHECK(record_int(&record, META_VALUE, &value) && value == seen);
		CHECK_INT((int64_t)reader.line, 3 * seen + 3 + (seen + 3) / 3);
		seen++;
	}
	CHECK_INT(seen, 40000);
	end_passing(&reader, &writer, copy, &want, "what passed is what was not wanted");
	buffer_release(&in);
}

/* Of the types that only are read, all pass but what is dropped, in its place. */
static void reading_only(void)
{
	struct buffer in = BUFFER_INIT, want = BUFFER_INIT;
	int fd, out = file_of("", 0), copy = dup(out);
	struct record_writer writer;
	struct record_reader reader;
	struct record record;
	int64_t seen = 0;

	for (int i = 0; i < 30000; i++) {
		size_t start = in.length;

		buffer_printf(&in, "python\t0\t1\t2\t3.000\t4.000\tname %d\n", i);
		if (i % 3)
			buffer_printf(&in, "meta\t0\tkey\t%d\n", i);
		if (i % 5)
			buffer_add(&want, in.data + start, in.length - start);
		else if (i % 3)
			buffer_printf(&want, "meta\t0\tkey\t%d\n", i);
		if (i % 7 == 0)
			buffer_add_string(&in, "python\ttoo few\n");
		if (i % 1000 == 0)
			buffer_add_string(&want, "written between\n");
		if (i % 1000 == 0)
			buffer_add_string(&in, "span\t0\t1\t2\t3.000\t4.000\t-\tcpu\tname\n");
	}
	fd = file_of(in.data, in.length);
	record_writer_init(&writer, out, "out");
	record_reader_init(&reader, fd, "in",
			   RECORD_BIT(RECORD_META) | RECORD_BIT(RECORD_PYTHON) |
				   RECORD_BIT(RECORD_SPAN),
			   &writer);
	reader.reads = RECORD_BIT(RECORD_META) | RECORD_BIT(RECORD_PYTHON);
	for (;;) {
		enum record_read result = next(&reader, &record);

		if (result == RECORD_ENDED)
			break;
		if (result == RECORD_BAD)
			CHECK(record.type == RECORD_PYTHON && record.length == 14);
		else if (record.type == RECORD_SPAN)
			record_put_lines(&writer, "written between\n", 16);
		else if (record.type == RECORD_PYTHON && seen++ % 5 == 0)
			record_reader_drop(&reader);
	}
	CHECK_INT(seen, 30000);
	end_passing(&reader, &writer, copy, &want, "all passes but what was dropped");
	buffer_release(&in);
}

/* Whatever is wanted, all of it is found, at any place of a block and among any others. */
static void reading_some(void)
{
	static const char *const other[] = {"\n",	 "#kernel\n", "x\n",
					    "keep\t0\n", "\nn\n",	  "sp\n"};
	struct buffer in = BUFFER_INIT;
	int64_t lines[RECORD_TYPE_COUNT] = {0};
	unsigned random = 1;
	int fd;

	for (int i = 0; i < 20000; i++) {
		int type = (int)((random >> 16) % (RECORD_TYPE_COUNT + 6));

		random = random * 1103515245 + 12345;
		if (type >= RECORD_TYPE_COUNT) {
			buffer_add_string(&in, other[type - RECORD_TYPE_COUNT]);
			continue;
		}
		lines[type]++;
		buffer_add_string(&in, record_columns[type].type);
		for (int column = 1; column < record_columns[type].end; column++)
			buffer_printf(&in, "\t%.*s", (int)(random >> 20) % 9, "abcdefgh");
		buffer_add_char(&in, '\n');
	}
	fd = file_of(in.data, in.length);
	for (unsigned wants = 0; wants < RECORD_BIT(RECORD_TYPE_COUNT); wants += 1 + wants / 16) {
		int64_t found[RECORD_TYPE_COUNT] = {0}, total = 0;
		struct record_reader reader;
		struct record record;

		CHECK(lseek(fd, 0, SEEK_SET) == 0);
		record_reader_init(&reader, fd, "in", wants, NULL);
		while (next(&reader, &record) == RECORD_READ)
			found[record.type]++;
		for (int type = 0; type < RECORD_TYPE_COUNT; type++)
			CHECK_INT(found[type], wants & RECORD_BIT(type) ? lines[type] : 0);
		for (size_t i = 0; i < in.length; i++)
			total += in.data[i] == '\n';
		CHECK_INT((int64_t)reader.line, total);
		record_reader_release(&reader);
	}
	close(fd);
	buffer_release(&in);
}

static void reading_bad(void)
{
	static const char lines[] = "meta\t0\tkey\nmeta\t0\tk\tv\n";
	int fd = file_of(lines, sizeof(lines) - 1);
	struct record_reader reader;
	struct record record;

	record_reader_init(&reader, fd, "in", RECORD_BIT(RECORD_META), NULL);
	CHECK_INT(next(&reader, &record), RECORD_BAD);
	CHECK_INT((int64_t)reader.line, 1);
	CHECK_INT(next(&reader, &record), RECORD_READ);
	CHECK_INT(next(&reader, &record), RECORD_ENDED);
	CHECK_INT(next(&reader, &record), RECORD_ENDED);
	record_reader_release(&reader);
	close(fd);
}

/* Exactly the limit is read, one byte more is not, and what follows is. */
static void reading_long(void)
{
	struct buffer in = BUFFER_INIT;
	struct record_reader reader;
	struct record record;
	int fd;

	for (size_t more = 0; more < 2; more++) {
		size_t start = in.length;

		buffer_add_string(&in, "meta\t0\tk\t");
		buffer_room(&in, RECORD_LENGTH_MAX);
		while (in.length - start < RECORD_LENGTH_MAX + more)
			in.data[in.length++] = 'x';
		buffer_add_string(&in, "\nmeta\t0\tk\tv\n");
	}
	fd = file_of(in.data, in.length);
	buffer_release(&in);
	record_reader_init(&reader, fd, "in", RECORD_BIT(RECORD_META), NULL);
	CHECK_INT(next(&reader, &record), RECORD_READ);
	CHECK_INT((int64_t)record.length, (int64_t)RECORD_LENGTH_MAX);
	CHECK_INT(next(&reader, &record), RECORD_READ);
	CHECK_INT(next(&reader, &record), RECORD_BAD);
	CHECK(!strcmp(record.fault, "a line of more than 16 MiB"));
	CHECK_INT((int64_t)reader.line, 3);
	CHECK_INT(next(&reader, &record), RECORD_READ);
	CHECK_BYTES(record.line, record.length, "meta\t0\tk\tv");
	CHECK_INT(next(&reader, &record), RECORD_ENDED);
	record_reader_release(&reader);
	close(fd);
}

static struct ranks ranks;

static bool count_kernel(const char *rank)
{
	char line[200];
	struct record record;
	uint32_t id;

	snprintf(line, sizeof(line), "kernel\t%s\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t", rank);
	record = line_of(RECORD_KERNEL, line);
	CHECK(record_split(&record));
	return ranks_count(&ranks, &record, &id);
}

static bool note_meta(const char *rank, const char *key, const char *value)
{
	char line[200];
	struct record record;
	uint32_t id;
	bool complete;

	snprintf(line, sizeof(line), "meta\t%s\t%s\t%s", rank, key, value);
	record = line_of(RECORD_META, line);
	CHECK(record_split(&record));
	complete = ranks_meta(&ranks, &record, &id);
	if (complete)
		ranks_end(&ranks, id);
	return complete;
}

/* `end` counts once all that was announced was seen, and only then. */
static void ending(void)
{
	ranks_init(&ranks, RECORD_BIT(RECORD_KERNEL));
	CHECK(!note_meta("0", "events", "9") && !note_meta("0", "kernels", "2"));
	CHECK(count_kernel("0") && count_kernel("1"));
	CHECK(!note_meta("0", "end", "9")); /* one is still to come */
	CHECK(count_kernel("0"));
	CHECK(!note_meta("1", "end", "9")); /* nothing was announced */
	CHECK(note_meta("0", "end", "9"));
	CHECK(!count_kernel("0")); /* a second trace of that rank */
	CHECK(count_kernel("1"));
	ranks_release(&ranks);
}

static void ending_needs(void)
{
	ranks_init(&ranks, RECORD_BIT(RECORD_KERNEL) | RECORD_BIT(RECORD_PYTHON));
	CHECK(!note_meta("0", "events", "9") && !note_meta("0", "kernels", "1"));
	CHECK(count_kernel("0"));
	CHECK(!note_meta("0", "end", "9")); /* frames were not announced */
	CHECK(!note_meta("0", ranks_key(RECORD_PYTHON), "0"));
	CHECK(note_meta("0", "end", "9"));
	CHECK(!ranks_key(RECORD_ACTION) && !ranks_key(RECORD_UNKNOWN));
	ranks_release(&ranks);
}

CHECK_MAIN({"columns", columns}, {"named", named}, {"split", split}, {"getters", getters},
	   {"writing", writing}, {"reading", reading}, {"reading_only", reading_only},
	   {"reading_some", reading_some}, {"reading_bad", reading_bad},
	   {"reading_long", reading_long}, {"ending", ending}, {"ending_needs", ending_needs})
