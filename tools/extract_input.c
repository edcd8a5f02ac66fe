#include "extract_input.h"

#include "fd_io.h"
#include "xalloc.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 14 /* which together take two huge pages */
#define SLOT_SIZE ((size_t)256 << 10)
#define SLOT_FRONT ((size_t)32 << 10) /* room for the event that the last slot cut */
#define GROWN_LEAST (((size_t)2 << 20) - INPUT_PAD) /* a huge page */
#define SLOT_ROOM (SLOT_FRONT + SLOT_SIZE + INPUT_PAD)

struct slot {
	unsigned char *bytes; /* SLOT_ROOM */
	size_t length;
};

/*
 * One thread fills slot[filled % SLOTS], the other has slot[taken % SLOTS] in use.
 * One that has to wait is woken when half of the ring is there for it, not for each
 * slot: a turn of the scheduler costs as much as scanning several KiB.
 */
struct input_ring {
	struct slot slot[SLOTS];
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned filled, taken; /* counts; filled - taken slots wait */
	bool in_use;		/* slot[(taken - 1) % SLOTS] is being scanned */
	int scanning_cpu;	/* where that was last so */
	bool ended, stop;
};

static unsigned slots_full(const struct input_ring *ring)
{
	return ring->filled - ring->taken + ring->in_use;
}

static void pad(unsigned char *end)
{
	memset(end, '"', INPUT_PAD);
}

#ifdef __linux__

static int this_cpu(void)
{
	return sched_getcpu();
}

/*
 * Off that CPU, if there is another: of two threads that wake each other some
 * schedulers make neighbours on one, where they can but take turns.  Only a move;
 * the scheduler may go on as it likes.
 */
static void leave_cpu(int cpu)
{
	cpu_set_t allowed, others;

	if (cpu < 0 || cpu != this_cpu() || sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	others = allowed;
	CPU_CLR((size_t)cpu, &others);
	if (CPU_COUNT(&others) && !sched_setaffinity(0, sizeof(others), &others))
		sched_setaffinity(0, sizeof(allowed), &allowed);
}

#else

static int this_cpu(void)
{
	return -1;
}

static void leave_cpu(int cpu)
{
	(void)cpu;
}

#endif

/* The slot to fill, when there is one; NULL to stop. */
static struct slot *free_slot(struct input_ring *ring)
{
	struct slot *slot = NULL;
	int scanning_cpu = -1;

	pthread_mutex_lock(&ring->lock);
	if (slots_full(ring) == SLOTS) {
		while (slots_full(ring) > SLOTS / 2 && !ring->stop)
			pthread_cond_wait(&ring->changed, &ring->lock);
		scanning_cpu = ring->scanning_cpu;
	}
	if (!ring->stop)
		slot = &ring->slot[ring->filled % SLOTS];
	pthread_mutex_unlock(&ring->lock);
	leave_cpu(scanning_cpu);
	return slot;
}

/* Whoever is woken needs the lock: it is free by then. */
static void *inflate_ahead(void *argument)
{
	struct trace_input *input = argument;
	struct input_ring *ring = input->ring;
	struct slot *slot;
	bool ended = false, enough;

	while (!ended && (slot = free_slot(ring))) {
		ssize_t count = gzip_reader_read(&input->gzip, slot->bytes + SLOT_FRONT, SLOT_SIZE);

		ended = count <= 0;
		slot->length = ended ? 0 : (size_t)count;
		pad(slot->bytes + SLOT_FRONT + slot->length);
		pthread_mutex_lock(&ring->lock);
		ring->filled += !ended;
		ring->ended = ended;
		enough = ended || ring->filled - ring->taken >= SLOTS / 2;
		pthread_mutex_unlock(&ring->lock);
		if (enough)
			pthread_cond_signal(&ring->changed);
	}
	return NULL;
}

static void ring_release(struct input_ring *ring)
{
	free(ring->slot[0].bytes);
	pthread_mutex_destroy(&ring->lock);
	pthread_cond_destroy(&ring->changed);
	free(ring);
}

/* Without a second thread, for whatever reason, everything works in the first. */
static void ring_start(struct trace_input *input)
{
	struct input_ring *ring = xcalloc(1, sizeof(*ring));
	unsigned char *bytes = xmalloc_large(SLOTS * SLOT_ROOM);

	for (unsigned i = 0; i < SLOTS; i++)
		ring->slot[i].bytes = bytes + i * SLOT_ROOM;
	pthread_mutex_init(&ring->lock, NULL);
	pthread_cond_init(&ring->changed, NULL);
	input->ring = ring;
	if (pthread_create(&ring->thread, NULL, inflate_ahead, input)) {
		ring_release(ring);
		input->ring = NULL;
	}
}

void trace_input_init(struct trace_input *input, int fd, int threads)
{
	unsigned char first[2];
	size_t have = 0;

	*input = (struct trace_input){.fd = fd};
	while (have < sizeof(first)) {
		ssize_t count = fd_read(fd, first + have, sizeof(first) - have);

		if (count < 0)
			input->error = errno;
		if (count <= 0)
			break;
		have += (size_t)count;
	}
	input->capacity = SLOT_SIZE;
	input->buffer = xmalloc(input->capacity + INPUT_PAD);
	input->at = input->end = input->buffer;
	input->is_gzip = have == 2 && first[0] == 0x1f && first[1] == 0x8b;
	if (input->is_gzip) {
		gzip_reader_init(&input->gzip, fd, first, have);
		if (threads > 1)
			ring_start(input);
	} else {
		memcpy(input->buffer, first, have);
		input->end += have;
		input->end_offset = have;
	}
	pad(input->buffer + (input->end - input->buffer));
}

void trace_input_release(struct trace_input *input)
{
	struct input_ring *ring = input->ring;

	if (ring) {
		pthread_mutex_lock(&ring->lock);
		ring->stop = true;
		pthread_cond_signal(&ring->changed);
		pthread_mutex_unlock(&ring->lock);
		pthread_join(ring->thread, NULL);
		ring_release(ring);
	}
	if (input->is_gzip)
		gzip_reader_release(&input->gzip);
	free(input->buffer);
}

/* Brings [at, end) to the front of the buffer, with room for `more` behind it. */
static bool keep_in_buffer(struct trace_input *input, size_t more)
{
	size_t kept = (size_t)(input->end - input->at);
	unsigned char *old = input->buffer;

	if (kept + more > INPUT_WINDOW_MAX)
		return false;
	if (kept + more > input->capacity) {
		/* twice as much, so that an event scanned again and again costs no square */
		input->capacity = 2 * (kept + more);
		if (input->capacity < GROWN_LEAST)
			input->capacity = GROWN_LEAST;
		if (input->capacity > INPUT_WINDOW_MAX)
			input->capacity = INPUT_WINDOW_MAX;
		input->buffer = xmalloc_large(input->capacity + INPUT_PAD);
		memcpy(input->buffer, input->at, kept);
		free(old);
	} else {
		memmove(input->buffer, input->at, kept);
	}
	input->at = input->buffer;
	input->end = input->buffer + kept;
	return true;
}

static bool read_here(struct trace_input *input)
{
	unsigned char *end;
	ssize_t count;
	size_t room;

	if (!keep_in_buffer(input, SLOT_SIZE / 2))
		return false;
	end = input->buffer + (input->end - input->buffer);
	room = input->capacity - (size_t)(end - input->buffer);
	count = input->is_gzip ? gzip_reader_read(&input->gzip, end, room)
			       : fd_read(input->fd, end, room);
	if (count < 0)
		input->error = input->is_gzip ? input->gzip.error : errno;
	input->ended = count <= 0;
	if (count > 0) {
		input->end += count;
		input->end_offset += (uint64_t)count;
	}
	pad(input->buffer + (input->end - input->buffer));
	return count > 0;
}

/* The next slot that is filled, or NULL at the end. */
static struct slot *take_slot(struct trace_input *input)
{
	struct input_ring *ring = input->ring;
	struct slot *slot = NULL;

	pthread_mutex_lock(&ring->lock);
	if (ring->filled == ring->taken)
		while (ring->filled - ring->taken < SLOTS / 2 && !ring->ended)
			pthread_cond_wait(&ring->changed, &ring->lock);
	if (ring->filled != ring->taken)
		slot = &ring->slot[ring->taken % SLOTS];
	pthread_mutex_unlock(&ring->lock);
	return slot;
}

/* The slot in use before is free again; the one taken is in use, or free too. */
static void turn_ring(struct input_ring *ring, bool in_use)
{
	bool enough;

	pthread_mutex_lock(&ring->lock);
	ring->taken++;
	ring->in_use = in_use;
	ring->scanning_cpu = this_cpu();
	enough = slots_full(ring) <= SLOTS / 2;
	pthread_mutex_unlock(&ring->lock);
	if (enough)
		pthread_cond_signal(&ring->changed);
}

/* It has grown for the look ahead, and may never be needed again. */
static void leave_buffer(struct trace_input *input)
{
	if (input->left_buffer || input->capacity < GROWN_LEAST)
		return;
	free(input->buffer);
	input->buffer = NULL;
	input->capacity = 0;
	input->left_buffer = true;
}

static bool read_ring(struct trace_input *input)
{
	struct slot *slot = take_slot(input);
	size_t kept = (size_t)(input->end - input->at);
	unsigned char *fresh;

	if (!slot) {
		input->ended = true;
		input->error = input->gzip.error;
		return false;
	}
	if (kept <= SLOT_FRONT) {
		fresh = slot->bytes + SLOT_FRONT;
		memcpy(fresh - kept, input->at, kept);
		input->at = fresh - kept;
		input->end = fresh + slot->length;
		leave_buffer(input);
	} else {
		if (!keep_in_buffer(input, slot->length))
			return false;
		memcpy(input->buffer + kept, slot->bytes + SLOT_FRONT, slot->length);
		input->end += slot->length;
		pad(input->buffer + kept + slot->length);
	}
	input->end_offset += slot->length;
	turn_ring(input->ring, kept <= SLOT_FRONT);
	return true;
}

bool trace_input_more(struct trace_input *input)
{
	if (input->ended || input->error)
		return false;
	if (!(input->ring ? read_ring(input) : read_here(input)))
		return false;
	if (input->moved)
		input->moved(input->context, input->end_offset);
	return true;
}

void trace_input_drain(struct trace_input *input)
{
	if (!input->is_gzip)
		return;
	do
		input->at = input->end;
	while (trace_input_more(input));
}
