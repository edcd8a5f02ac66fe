#include "allocations.h"

#include <pthread.h>
#include <sanitizer/allocator_interface.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table of addresses by hash, each in the first free place from its own on. */
#define PLACES ((size_t)1 << 16)

static uintptr_t taken[PLACES];
static size_t count;
static volatile bool writing_down;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t place_of(uintptr_t address)
{
	return (size_t)((address >> 4) * 0x9e3779b97f4a7c15u >> 32) % PLACES;
}

static void took(const volatile void *memory, size_t size)
{
	size_t place = place_of((uintptr_t)memory);

	(void)size;
	if (!writing_down || !memory)
		return;
	pthread_mutex_lock(&lock);
	while (taken[place])
		place = (place + 1) % PLACES;
	taken[place] = (uintptr_t)memory;
	if (++count > PLACES / 2) {
		fputs("too much memory is in use to write down\n", stderr);
		abort();
	}
	pthread_mutex_unlock(&lock);
}

/* Empties a place, and moves up what stands behind it for want of room. */
static void clear(size_t place)
{
	size_t hole = place;

	for (;;) {
		place = (place + 1) % PLACES;
		if (!taken[place])
			break;
		if ((place - place_of(taken[place])) % PLACES < (place - hole) % PLACES)
			continue;
		taken[hole] = taken[place];
		hole = place;
	}
	taken[hole] = 0;
	count--;
}

static void gave(const volatile void *memory)
{
	size_t place = place_of((uintptr_t)memory);

	if (!writing_down || !memory)
		return;
	pthread_mutex_lock(&lock);
	while (taken[place] && taken[place] != (uintptr_t)memory)
		place = (place + 1) % PLACES;
	if (taken[place])
		clear(place);
	pthread_mutex_unlock(&lock);
}

void allocations_init(void)
{
	if (!__sanitizer_install_malloc_and_free_hooks(took, gave))
		abort();
}

void allocations_write_down(bool wanted)
{
	writing_down = wanted;
}

void allocations_free(void)
{
	for (size_t place = 0; count && place < PLACES; place++) {
		if (!taken[place])
			continue;
		free((void *)taken[place]);
		taken[place] = 0;
		count--;
	}
}

void allocations_forget(void)
{
	if (count)
		memset(taken, 0, sizeof(taken));
	count = 0;
}
