#include "fd_io.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

#define READ_BLOCK ((size_t)64 << 10)

/* Whether it is worth trying again, after waiting for the descriptor if need be. */
static bool try_again(int fd, short events)
{
	struct pollfd waiting = {.fd = fd, .events = events};

	if (errno == EINTR)
		return true;
	if (errno != EAGAIN && errno != EWOULDBLOCK)
		return false;
	return poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

ssize_t fd_read(int fd, void *out, size_t room)
{
	ssize_t count;

	do
		count = read(fd, out, room);
	while (count < 0 && try_again(fd, POLLIN));
	return count;
}

int fd_read_all(int fd, struct buffer *out, size_t most)
{
	ssize_t count = 1;

	while (count > 0 && out->length <= most) {
		buffer_room(out, READ_BLOCK);
		count = fd_read(fd, out->data + out->length, READ_BLOCK);
		if (count > 0)
			out->length += (size_t)count;
	}
	return count > 0 ? 1 : (int)count;
}

ssize_t fd_write(int fd, const void *bytes, size_t length)
{
	ssize_t count;

	do
		count = write(fd, bytes, length);
	while (count < 0 && try_again(fd, POLLOUT));
	return count;
}
