#include "extract_threads.h"

#include "text.h"

#include <string.h>

/* As in the trace; a missing one is empty, and so is null. */
static struct json_slice slice_of(const struct trace_event *event, enum event_field field)
{
	static const struct json_slice none = {"\0\0\0\0\0\0\0", 0, JSON_BARE, false};
	const struct json_slice *slice = &event->field[field];

	if (!(event->have & EVENT_BIT(field)) ||
	    (slice->kind == JSON_BARE && TEXT_IS(slice->text, slice->length, "null")))
		return none;
	return *slice;
}

#define SHORT 8

/* The bytes of a short slice, zeros behind them; in the window eight can always be read. */
static inline uint64_t short_bytes(const struct json_slice *slice)
{
	static const char mask[2 * SHORT] = "\xff\xff\xff\xff\xff\xff\xff\xff";
	uint64_t bytes, wanted;

	memcpy(&bytes, slice->text, SHORT);
	memcpy(&wanted, mask + (SHORT - slice->length), SHORT);
	return bytes & wanted;
}

static inline bool is_thread(const struct known_thread *thread, const struct json_slice *pid,
			     const struct json_slice *tid)
{
	if (thread->pid_length != pid->length ||
	    thread->key.length != (size_t)pid->length + tid->length)
		return false;
	if (pid->length <= SHORT && tid->length <= SHORT)
		return thread->short_pid == short_bytes(pid) && thread->short_tid == short_bytes(tid);
	return !memcmp(thread->key.data, pid->text, pid->length) &&
	       !memcmp(thread->key.data + pid->length, tid->text, tid->length);
}

static void fill(struct known_thread *thread, struct kernels *kernels, const struct json_slice *pid,
		 const struct json_slice *tid, const struct buffer *own_label)
{
	struct buffer *head = &thread->head;
	const struct interned *tag;

	buffer_clear(&thread->key);
	buffer_clear(&thread->pid);
	buffer_clear(&thread->tid);
	buffer_clear(head);
	buffer_room(&thread->key, 1);
	buffer_add(&thread->key, pid->text, pid->length);
	buffer_add(&thread->key, tid->text, tid->length);
	thread->pid_length = pid->length;
	if (pid->length <= SHORT && tid->length <= SHORT) {
		thread->short_pid = short_bytes(pid);
		thread->short_tid = short_bytes(tid);
	}
	json_text(&thread->pid, pid);
	json_text(&thread->tid, tid);
	thread->tag = kernels_tag(kernels, thread->pid.data, thread->pid.length);
	tag = &kernels->tags.item[thread->tag];
	if (thread->tag)
		buffer_add(head, tag->text, tag->length);
	else
		buffer_add(head, own_label->data, own_label->length);
	buffer_add_char(head, '\t');
	text_escape(head, thread->pid.data, thread->pid.length);
	buffer_add_char(head, '\t');
	text_escape(head, thread->tid.data, thread->tid.length);
}

const struct known_thread *known_threads_find(struct known_threads *threads,
					      struct kernels *kernels,
					      const struct trace_event *event,
					      const struct buffer *own_label)
{
	struct json_slice pid = slice_of(event, EVENT_PID), tid = slice_of(event, EVENT_TID);
	struct known_thread *thread = threads->last;
	uint64_t hash;

	if (thread && is_thread(thread, &pid, &tid))
		return thread;
	hash = hash_bytes(pid.text, pid.length) + 31 * hash_bytes(tid.text, tid.length);
	thread = &threads->slot[(hash >> 32) % KNOWN_THREADS];
	if (!thread->key.data || !is_thread(thread, &pid, &tid))
		fill(thread, kernels, &pid, &tid, own_label);
	threads->last = thread;
	return thread;
}

void known_threads_release(struct known_threads *threads)
{
	for (size_t i = 0; i < KNOWN_THREADS; i++) {
		buffer_release(&threads->slot[i].key);
		buffer_release(&threads->slot[i].head);
		buffer_release(&threads->slot[i].pid);
		buffer_release(&threads->slot[i].tid);
	}
}
