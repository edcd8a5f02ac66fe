/*
 * srcmap_moments: points in time at which something is asked about a thread.
 *
 * Questions are collected, sorted by (thread, time) and answered in one pass
 * over each thread, so that many questions cost no more than one.
 */
#ifndef TPA_SRCMAP_MOMENTS_H
#define TPA_SRCMAP_MOMENTS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Asked is about what runs at some time from `from` to `until`, both counted;
 * mostly they are the same.
 */
struct moment {
	int64_t from, until;
	uint32_t thread; /* 0 if all threads are asked */
	uint32_t answer; /* an id; what of is for who answers to say */
	size_t sample;	 /* for whom */
};

struct moments {
	struct moment *item;
	size_t count, capacity;
};

#define MOMENTS_INIT {0}

void moments_add(struct moments *moments, int64_t from, int64_t until, uint32_t thread,
		 size_t sample);

/* By thread, then by from. */
void moments_sort(struct moments *moments);

/* The end of the run of moments of one thread that begins at `start`; they are sorted. */
size_t moments_thread_end(const struct moments *moments, size_t start);

void moments_release(struct moments *moments);

#endif
