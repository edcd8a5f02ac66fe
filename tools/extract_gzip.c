#include "extract_gzip.h"

#include "extract_check.h"
#include "fd_io.h"
#include "xalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef TPA_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

#define IN_SIZE ((size_t)64 << 10)

/*
 * The inflater of raw deflate data.  inflate_step consumes from reader->in and
 * returns whether it can go on; *done tells that the data's own end was seen.
 */
#ifdef TPA_HAVE_ISAL

static void inflater_begin(struct gzip_reader *reader)
{
	if (!reader->inflater)
		reader->inflater = xmalloc(sizeof(struct inflate_state));
	isal_inflate_init(reader->inflater);
}

static bool inflater_step(struct gzip_reader *reader, unsigned char *out, size_t room,
			  size_t *produced, bool *done)
{
	struct inflate_state *state = reader->inflater;
	int result;

	state->next_in = reader->in + reader->at;
	state->avail_in = (uint32_t)(reader->length - reader->at);
	state->next_out = out;
	state->avail_out = (uint32_t)room;
	result = isal_inflate(state);
	*produced = room - state->avail_out;
	reader->at = reader->length - state->avail_in;
	*done = state->block_state == ISAL_BLOCK_FINISH;
	if (*done) {
		uint64_t bits = state->read_in >> (state->read_in_length % 8);

		reader->back_at = 0;
		reader->back_length = (unsigned)state->read_in_length / 8;
		for (unsigned i = 0; i < reader->back_length; i++)
			reader->back[i] = (unsigned char)(bits >> (8 * i));
	}
	return result == ISAL_DECOMP_OK || result == ISAL_END_INPUT ||
	       result == ISAL_OUT_OVERFLOW;
}

static void inflater_end(struct gzip_reader *reader)
{
	free(reader->inflater);
}

#else

static void inflater_begin(struct gzip_reader *reader)
{
	z_stream *stream = reader->inflater;

	if (stream) {
		inflateReset(stream);
		return;
	}
	reader->inflater = stream = xcalloc(1, sizeof(*stream));
	if (inflateInit2(stream, -MAX_WBITS) != Z_OK) {
		free(stream);
		reader->inflater = xmalloc(SIZE_MAX / 4); /* says that there is no memory */
	}
}

static bool inflater_step(struct gzip_reader *reader, unsigned char *out, size_t room,
			  size_t *produced, bool *done)
{
	z_stream *stream = reader->inflater;
	int result;

	stream->next_in = reader->in + reader->at;
	stream->avail_in = (uInt)(reader->length - reader->at);
	stream->next_out = out;
	stream->avail_out = (uInt)room;
	result = inflate(stream, Z_NO_FLUSH);
	*produced = room - stream->avail_out;
	reader->at = reader->length - stream->avail_in;
	*done = result == Z_STREAM_END;
	if (result == Z_MEM_ERROR)
		reader->error = ENOMEM;
	return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
}

static void inflater_end(struct gzip_reader *reader)
{
	if (reader->inflater)
		inflateEnd(reader->inflater);
	free(reader->inflater);
}

#endif

void gzip_reader_init(struct gzip_reader *reader, int fd, const unsigned char *first, size_t length)
{
	*reader = (struct gzip_reader){.fd = fd, .in = xmalloc(IN_SIZE)};
	memcpy(reader->in, first, length);
	reader->length = length;
	/* here, since a thread that is not the first may not end the process */
	inflater_begin(reader);
}

void gzip_reader_release(struct gzip_reader *reader)
{
	inflater_end(reader);
	free(reader->in);
}

/* Whether there is a compressed byte, reading more if need be. */
static bool have_input(struct gzip_reader *reader)
{
	ssize_t count;

	if (reader->at < reader->length)
		return true;
	if (reader->input_ended)
		return false;
	count = fd_read(reader->fd, reader->in, IN_SIZE);
	reader->at = 0;
	reader->length = count > 0 ? (size_t)count : 0;
	if (count < 0)
		reader->error = errno;
	reader->input_ended = count <= 0;
	return count > 0;
}

/* The next compressed byte, or -1. */
static int next_byte(struct gzip_reader *reader)
{
	if (reader->back_at < reader->back_length)
		return reader->back[reader->back_at++];
	return have_input(reader) ? reader->in[reader->at++] : -1;
}

static void note_damage(struct gzip_reader *reader, enum gzip_damage damage)
{
	if (!reader->damage)
		reader->damage_at = reader->total;
	reader->damage |= damage;
}

static bool skip_bytes(struct gzip_reader *reader, unsigned count)
{
	while (count--)
		if (next_byte(reader) < 0)
			return false;
	return true;
}

static bool skip_string(struct gzip_reader *reader)
{
	int byte;

	while ((byte = next_byte(reader)) > 0)
		;
	return byte == 0;
}

/* After the last member zeros are padding; anything else is worth a word. */
static void end_after_members(struct gzip_reader *reader, int byte)
{
	while (byte == 0)
		byte = next_byte(reader);
	if (byte >= 0)
		note_damage(reader, GZIP_TRAILING);
	reader->state = GZIP_ENDED;
}

/* Reads a member's header: RFC 1952, 2.3. */
static void read_header(struct gzip_reader *reader)
{
	enum { CHECK = 2, EXTRA = 4, NAME = 8, COMMENT = 16 };
	int first = next_byte(reader), second, flags, low, high;
	bool whole;

	second = first == 0x1f ? next_byte(reader) : -1;
	if (first != 0x1f || second != 0x8b) {
		if (first == 0x1f && second < 0)
			note_damage(reader, GZIP_CUT);
		else if (reader->members || first >= 0)
			end_after_members(reader, first);
		reader->state = GZIP_ENDED;
		return;
	}
	whole = next_byte(reader) == 8;
	flags = next_byte(reader);
	whole = skip_bytes(reader, 6) && whole && flags >= 0;
	if (whole && flags & EXTRA) {
		low = next_byte(reader);
		high = next_byte(reader);
		whole = low >= 0 && high >= 0 && skip_bytes(reader, (unsigned)(high << 8 | low));
	}
	if (whole && flags & NAME)
		whole = skip_string(reader);
	if (whole && flags & COMMENT)
		whole = skip_string(reader);
	if (whole && flags & CHECK)
		whole = skip_bytes(reader, 2);
	if (!whole) {
		note_damage(reader, reader->input_ended ? GZIP_CUT : GZIP_CORRUPT);
		reader->state = GZIP_ENDED;
		return;
	}
	/* a header of back bytes has used them up: a member is longer than eight bytes */
	reader->members++;
	reader->check = 0;
	reader->member_length = 0;
	inflater_begin(reader);
	reader->state = GZIP_BODY;
}

static bool read_word(struct gzip_reader *reader, uint32_t *word)
{
	*word = 0;
	for (unsigned i = 0; i < 4; i++) {
		int byte = next_byte(reader);

		if (byte < 0)
			return false;
		*word |= (uint32_t)byte << (8 * i);
	}
	return true;
}

static void read_trailer(struct gzip_reader *reader)
{
	uint32_t check, length;

	reader->state = GZIP_HEADER;
	if (!read_word(reader, &check) || !read_word(reader, &length)) {
		note_damage(reader, GZIP_CUT);
		reader->state = GZIP_ENDED;
	} else if (check != reader->check || length != (uint32_t)reader->member_length) {
		note_damage(reader, GZIP_CHECK);
	}
}

ssize_t gzip_reader_read(struct gzip_reader *reader, unsigned char *out, size_t room)
{
	size_t filled = 0;

	while (filled < room && reader->state != GZIP_ENDED && !reader->error) {
		size_t produced;
		bool done, sound;

		if (reader->state == GZIP_HEADER) {
			read_header(reader);
			continue;
		}
		/* with no input left the inflater may still hold output */
		have_input(reader);
		sound = inflater_step(reader, out + filled, room - filled, &produced, &done);
		reader->check = gzip_check(reader->check, out + filled, produced);
		reader->member_length += produced;
		reader->total += produced;
		filled += produced;
		if (done) {
			read_trailer(reader);
		} else if (!sound || (!produced && reader->input_ended && reader->at == reader->length)) {
			note_damage(reader, sound ? GZIP_CUT : GZIP_CORRUPT);
			reader->state = GZIP_ENDED;
		}
	}
	return reader->error ? -1 : (ssize_t)filled;
}
