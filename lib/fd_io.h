/*
 * fd_io: read(2) and write(2) that do not give up early.
 *
 * A call that a signal interrupts is made again; one that would block, on a
 * descriptor that says so instead of blocking, is made again when it can go on.
 */
#ifndef TPA_FD_IO_H
#define TPA_FD_IO_H

#include "buffer.h"

#include <stddef.h>
#include <sys/types.h>

/* As read(2): some bytes, 0 at the end, or -1 with errno set. */
ssize_t fd_read(int fd, void *out, size_t room);

/*
 * Appends what is there to be read, until the buffer holds more than `most` bytes.
 * 0 at the end, 1 if it stopped before, or -1 with errno set.
 */
int fd_read_all(int fd, struct buffer *out, size_t most);

/* As write(2): how many bytes were written, or -1 with errno set. */
ssize_t fd_write(int fd, const void *bytes, size_t length);

#endif
