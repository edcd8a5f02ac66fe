/*
 * gzip: a trace, compressed in two or three members and perhaps damaged.
 *
 * The first bytes say how; the rest is the trace, or gzip itself.  One thread and
 * two must give the same records, and without damage those of the plain trace.
 */
#include "harness.h"

#include "diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	HEAD_LEVELS,  /* of compression, of both members */
	HEAD_CUT,     /* where the second member begins, in 255ths */
	HEAD_FILLER,  /* what stands between them: so many times 32 blanks */
	HEAD_FLIP,    /* bits to flip in a byte, ... */
	HEAD_FLIP_AT, /* ... which is here, in 256ths */
	HEAD_KEEP,    /* so much of it is there, in 256ths; 0: all */
	HEAD_LENGTH,
};

/* A small window takes little memory, and so little time. */
static void add_member(struct buffer *out, const void *bytes, size_t length, int level)
{
	z_stream stream = {0};

	if (deflateInit2(&stream, level, Z_DEFLATED, 12 + 16, 3, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	buffer_room(out, deflateBound(&stream, length) + 64);
	stream.next_in = (unsigned char *)(uintptr_t)bytes;
	stream.avail_in = (unsigned)length;
	stream.next_out = (unsigned char *)out->data + out->length;
	stream.avail_out = (unsigned)(out->capacity - out->length);
	if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
		abort();
	out->length += stream.total_out;
	deflateEnd(&stream);
}

static size_t filler_length(uint8_t head)
{
	return (size_t)head * 32;
}

static void pack(struct buffer *packed, struct buffer *plain, const uint8_t *head,
		 const uint8_t *trace, size_t length)
{
	size_t cut = length * head[HEAD_CUT] / 255, filler = filler_length(head[HEAD_FILLER]);

	buffer_room(plain, length + filler + 1);
	buffer_add(plain, trace, cut);
	memset(plain->data + cut, ' ', filler);
	plain->length += filler;
	buffer_add(plain, trace + cut, length - cut);

	add_member(packed, trace, cut, head[HEAD_LEVELS] % 10);
	if (head[HEAD_FILLER])
		add_member(packed, plain->data + cut, filler, 1);
	add_member(packed, trace + cut, length - cut, head[HEAD_LEVELS] / 16 % 10);
	if (head[HEAD_FLIP])
		packed->data[packed->length * head[HEAD_FLIP_AT] / 256] ^= (char)head[HEAD_FLIP];
	if (head[HEAD_KEEP])
		packed->length = packed->length * head[HEAD_KEEP] / 256;
}

static void extract(struct run *run, const char *command, const struct buffer *in)
{
	run_tool(run, tpa_extract_main, command, in->data, in->length);
	check_records(&run->out);
}

/*
 * How much of a block that is corrupt can be had is up to the inflater, and how much
 * of what is no trace has been looked at, to the threads.
 */
static bool may_differ(const struct run *run)
{
	return run->status == TPA_FAILED ||
	       (run->said.length && memmem(run->said.data, run->said.length, "corrupt", 7));
}

static void must_be_alike(const struct run *a, const struct run *b, const char *what)
{
	if (may_differ(a) && may_differ(b))
		return;
	if (a->status == b->status && same_buffers(&a->out, &b->out) &&
	    same_buffers(&a->said, &b->said))
		return;
	fprintf(stderr, "%.*s%.*s", (int)a->out.length, a->out.data, (int)a->said.length,
		a->said.data);
	fprintf(stderr, "but\n%.*s", (int)b->out.length, b->out.data);
	broken(what, b->said.data, b->said.length);
}

static bool is_gzip(const struct buffer *bytes)
{
	return bytes->length > 1 && bytes->data[0] == 0x1f && (uint8_t)bytes->data[1] == 0x8b;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buffer plain = BUFFER_INIT, packed = BUFFER_INIT;
	struct run one = {0}, other = {0};

	if (size < HEAD_LENGTH)
		return 0;
	pack(&packed, &plain, data, data + HEAD_LENGTH, size - HEAD_LENGTH);
	extract(&one, "tpa-extract -j 1 --all -", &packed);
	extract(&other, "tpa-extract -j 2 --all -", &packed);
	must_be_alike(&one, &other, "two threads differ from one");
	if (is_gzip(&plain)) {
		extract(&one, "tpa-extract -j 2 --all -", &plain);
		other.step = size % 61 + 1;
		extract(&other, "tpa-extract -j 1 --all -", &plain);
		must_be_alike(&one, &other, "small reads and one thread differ from two");
	} else if (!data[HEAD_FLIP] && !data[HEAD_KEEP]) {
		extract(&other, "tpa-extract -j 1 --all -", &plain);
		must_be_alike(&one, &other, "gzip differs from plain");
	}
	buffer_release(&plain);
	buffer_release(&packed);
	run_release(&one);
	run_release(&other);
	return 0;
}
