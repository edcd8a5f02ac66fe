/*
 * fail: makes a machine fail, for LD_PRELOAD (glibc).
 *
 *	FAIL_ALLOC=N	    the Nth allocation fails, and with N+ all from then on
 *	FAIL_COUNT=FILE	    writes there how many allocations there were
 *	FAIL_READ=HOW	    HOW is any of: short (a few bytes at a time), again
 *	FAIL_WRITE=HOW	    (every other call says EAGAIN), interrupt (EINTR)
 *	FAIL_READ_END=N	    there is nothing behind the Nth byte of any file
 *	FAIL_READ_ERROR=N   reading fails there with EIO
 *	FAIL_WRITE_FULL=N   the disk is full after N bytes
 *	FAIL_THREAD=1	    no thread can be made
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long allocations;
static atomic_int reads, writes;
static atomic_long bytes_read, bytes_written;
static bool started;
static long fail_at = -1;
static bool fail_on;

__attribute__((constructor)) static void start(void)
{
	const char *at = getenv("FAIL_ALLOC");

	if (at) {
		fail_at = atol(at);
		fail_on = strchr(at, '+');
	}
	started = true;
}

__attribute__((destructor)) static void finish(void)
{
	const char *path = getenv("FAIL_COUNT");
	char text[32];
	int fd, length;

	started = false;
	if (!path)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	length = snprintf(text, sizeof(text), "%ld\n", atomic_load(&allocations));
	if (fd < 0 || syscall(SYS_write, fd, text, length) != length)
		abort();
	close(fd);
}

static bool fails(void)
{
	long now;

	if (!started)
		return false;
	now = atomic_fetch_add(&allocations, 1) + 1;
	if (now != fail_at && !(fail_on && now > fail_at && fail_at >= 0))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

static bool wants(const char *variable, const char *how)
{
	const char *value = getenv(variable);

	return value && strstr(value, how);
}

/* False with errno set if this call is to fail; else `count` may have become smaller. */
static bool allow(const char *variable, int call, size_t *count)
{
	if (wants(variable, "again") && call % 3 == 1) {
		errno = EAGAIN;
		return false;
	}
	if (wants(variable, "interrupt") && call % 3 == 2) {
		errno = EINTR;
		return false;
	}
	if (wants(variable, "short") && *count > (size_t)(call % 7) + 1)
		*count = (size_t)(call % 7) + 1;
	return true;
}

/* How many of `count` bytes are left before the limit, or -1 without one. */
static long left(const char *variable, long done, size_t count)
{
	const char *value = getenv(variable);
	long rest = value ? atol(value) - done : -1;

	if (!value)
		return -1;
	return rest < 0 ? 0 : rest < (long)count ? rest : (long)count;
}

ssize_t read(int fd, void *out, size_t count)
{
	long end, error;
	ssize_t done;

	if (started && !allow("FAIL_READ", atomic_fetch_add(&reads, 1), &count))
		return -1;
	end = started ? left("FAIL_READ_END", atomic_load(&bytes_read), count) : -1;
	error = started ? left("FAIL_READ_ERROR", atomic_load(&bytes_read), count) : -1;
	if (error == 0 && count) {
		errno = EIO;
		return -1;
	}
	if (end >= 0)
		count = (size_t)end;
	if (error >= 0)
		count = (size_t)error;
	done = syscall(SYS_read, fd, out, count);
	if (done > 0)
		atomic_fetch_add(&bytes_read, done);
	return done;
}

ssize_t write(int fd, const void *bytes, size_t count)
{
	long room;
	ssize_t done;

	if (fd == STDOUT_FILENO && started) {
		if (!allow("FAIL_WRITE", atomic_fetch_add(&writes, 1), &count))
			return -1;
		room = left("FAIL_WRITE_FULL", atomic_load(&bytes_written), count);
		if (room == 0 && count) {
			errno = ENOSPC;
			return -1;
		}
		if (room > 0)
			count = (size_t)room;
	}
	done = syscall(SYS_write, fd, bytes, count);
	if (fd == STDOUT_FILENO && done > 0)
		atomic_fetch_add(&bytes_written, done);
	return done;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
		   void *argument)
{
	typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	create *next;

	if (getenv("FAIL_THREAD"))
		return EAGAIN;
	*(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
	return next(thread, attributes, function, argument);
}
