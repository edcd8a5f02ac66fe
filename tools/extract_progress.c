#include "extract_progress.h"

#include "buffer.h"
#include "diag.h"
#include "terminal.h"

#include <sys/stat.h>
#include <unistd.h>

#define MEGABYTE 1e6

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

void progress_start(struct progress *progress, int fd, const char *name)
{
	struct stat status;

	*progress = (struct progress){.name = name, .fd = fd};
	progress->wanted = diag_notes_wanted() && isatty(STDERR_FILENO);
	if (!progress->wanted)
		return;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		progress->size = status.st_size;
	clock_gettime(CLOCK_MONOTONIC, &progress->started);
	progress->last = progress->started;
}

static void write_line(const struct buffer *line)
{
	/* a terminal that does not take it will not take a complaint either */
	if (write(STDERR_FILENO, line->data, line->length) < 0)
		return;
}

void progress_show(struct progress *progress, uint64_t bytes)
{
	struct buffer line = BUFFER_INIT;
	struct timespec now;
	double elapsed, done;

	if (!progress->wanted)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	elapsed = seconds_between(&progress->started, &now);
	if (elapsed < 1 || seconds_between(&progress->last, &now) < 0.2)
		return;
	progress->last = now;
	progress->shown = true;
	/* of a compressed file it is the compressed bytes that tell how far it is */
	done = progress->size ? (double)lseek(progress->fd, 0, SEEK_CUR) : (double)bytes;
	buffer_printf(&line, "\r%s: ", diag_tool());
	terminal_safe(&line, progress->name, strlen(progress->name));
	buffer_add_string(&line, ": ");
	if (progress->size && done > 0)
		buffer_printf(&line, "%.0f of %.0f MB, %.0f MB/s, %.0f s left", done / MEGABYTE,
			      (double)progress->size / MEGABYTE, done / MEGABYTE / elapsed,
			      ((double)progress->size - done) * elapsed / done);
	else
		buffer_printf(&line, "%.0f MB, %.0f MB/s", done / MEGABYTE,
			      done / MEGABYTE / elapsed);
	buffer_add_string(&line, "\033[K");
	write_line(&line);
	buffer_release(&line);
}

void progress_end(struct progress *progress)
{
	struct buffer line = BUFFER_INIT;

	if (!progress->shown)
		return;
	buffer_add_string(&line, "\r\033[K");
	write_line(&line);
	buffer_release(&line);
	progress->shown = false;
}
