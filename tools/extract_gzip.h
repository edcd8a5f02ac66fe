/*
 * extract_gzip: the bytes of a gzip stream, as many as can be had.
 *
 * Members that follow one another are one stream.  A stream that is cut short
 * or corrupt gives what came before; the damage is noted, not an error.  Where
 * a member's check sum or length is wrong its bytes are given all the same.
 *
 * Inflating is done by ISA-L where the build has it (TPA_HAVE_ISAL), else by
 * zlib: the framing, and so what is said of damage, is the same code.
 */
#ifndef TPA_EXTRACT_GZIP_H
#define TPA_EXTRACT_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Damage, a bit each; `damage_at` is the offset in the inflated bytes of the first. */
enum gzip_damage {
	GZIP_CUT = 1,	   /* ends inside a member */
	GZIP_CORRUPT = 2,  /* what follows cannot be inflated */
	GZIP_CHECK = 4,	   /* a check sum or length that does not fit */
	GZIP_TRAILING = 8, /* bytes after the last member that are no member */
};

struct gzip_reader {
	int fd;
	unsigned damage;
	uint64_t damage_at;
	int error; /* the errno of a failed read, or 0 */

	unsigned char *in; /* compressed bytes, [at, length) not used yet */
	size_t at, length;
	unsigned char back[8]; /* bytes that the inflater took too many */
	unsigned back_at, back_length;
	bool input_ended;
	enum { GZIP_HEADER, GZIP_BODY, GZIP_ENDED } state;
	uint32_t check;
	uint64_t member_length, total;
	uint64_t members;
	void *inflater;
};

/* `first` are the bytes of the stream already read from fd. */
void gzip_reader_init(struct gzip_reader *reader, int fd, const unsigned char *first, size_t length);

/*
 * Fills `out` with up to `room` bytes; fewer only at the end.  0 at the end, -1
 * when reading fails (`error`).
 */
ssize_t gzip_reader_read(struct gzip_reader *reader, unsigned char *out, size_t room);

void gzip_reader_release(struct gzip_reader *reader);

#endif
