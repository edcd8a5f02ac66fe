#include "extract_threads.h"

#include "extract_values.h"
#include "text.h"

#include <string.h>

/* As in the trace; a missing one is empty. */
static struct json_slice slice_of(const struct trace_event *event, enum event_field field)
{
	static const struct json_slice none = {"\0\0\0\0\0\0\0", 0, JSON_BARE, false};

	return event->have & EVENT_BIT(field) ? event->field[field] : none;
}

static struct thread_part part_of(const struct json_slice *slice)
{
	return (struct thread_part){
		.bytes = slice->length <= 8 ? thread_part_bytes(slice) : 0,
		.length = slice->length,
		.bare = slice->kind == JSON_BARE,
	};
}

static bool same_part(const struct thread_part *part, const struct json_slice *slice,
		      const char *bytes)
{
	return part->length == slice->length && part->bare == (slice->kind == JSON_BARE) &&
	       !memcmp(bytes, slice->text, slice->length);
}

static bool is_thread(const struct known_thread *thread, const struct json_slice *pid,
		      const struct json_slice *tid)
{
	return thread->key.data && same_part(&thread->pid_part, pid, thread->key.data) &&
	       same_part(&thread->tid_part, tid, thread->key.data + thread->pid_part.length);
}

/* Its plain text; null is none. */
static void add_plain(struct buffer *out, const struct json_slice *slice)
{
	if (!slice_is_null(slice))
		json_text(out, slice);
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
	thread->pid_part = part_of(pid);
	thread->tid_part = part_of(tid);
	thread->process = thread->kernel_tid = INTERN_NONE;
	add_plain(&thread->pid, pid);
	add_plain(&thread->tid, tid);
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

struct known_thread *known_threads_find(struct known_threads *threads, struct kernels *kernels,
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
	if (!is_thread(thread, &pid, &tid))
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
