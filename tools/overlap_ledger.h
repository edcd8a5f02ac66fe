/*
 * overlap_ledger: under which names the kernels of each stream were hidden, so
 * kept that what is true of one kernel can be read off when it ends.
 *
 * At any moment the dominant kernel of all, on stream s, hides the kernels of
 * every stream but s, and the dominant kernel of the others hides those of s.
 * So instead of counting for each kernel that runs, three accounts are kept for
 * each name:
 *
 *	all	the time that name was dominant
 *	own	for a stream: the time it was so by a kernel of that stream
 *	under	for a stream: the time it hid the stream's own dominant kernel
 *
 * and a kernel of stream s was hidden under a name for all - own(s) + under(s),
 * each from its start on.  An account is a total with a tally for each start
 * since which it grew; that of a start says what the total was just then.
 * Tallies of starts whose kernels have ended are melted into one another, so
 * that memory follows what runs at once, not the length of the trace.
 *
 * Counting costs O(1), reading one kernel O(log starts) for each name that was
 * dominant while it ran.  Streams and names are small numbers of the caller's.
 */
#ifndef TPA_OVERLAP_LEDGER_H
#define TPA_OVERLAP_LEDGER_H

#include <stddef.h>
#include <stdint.h>

/* What was counted from one start to the next. */
struct tally {
	int64_t start;
	int64_t before; /* the total at that start */
	int64_t first;	/* when the counting began, */
	int64_t other;	/* and when it began for a stream that is not the first one */
	uint32_t stream;
};

struct account {
	struct tally *tally;
	uint32_t count;
	uint32_t capacity;
	int64_t total;
};

/* Time in which a kernel was hidden under one name. */
struct cover {
	uint32_t name;
	int64_t ns;
	int64_t first; /* when it was first counted */
};

struct cover_list {
	struct cover *item;
	size_t count;
	size_t capacity;
};

/* Who is dominant at a moment. */
struct dominance {
	uint32_t stream;
	uint32_t name;
	uint32_t next; /* the name of the dominant kernel of all other streams */
};

/* A name, or a name with a stream. */
struct ledger_entry;

struct ledger {
	struct ledger_entry *entry; /* the first of them all */
	size_t entries;
	struct ledger_entry **slot; /* all, by hash */
	size_t slots;
	struct ledger_entry *newest;  /* the one last counted in `all`, and on to older ones */
	struct ledger_entry **stream; /* by number: the one last counted in its `under` */
	size_t streams;
	size_t stream_capacity;
	struct dominance last; /* what was counted last, and where */
	struct ledger_entry *last_all, *last_own, *last_under;
	size_t tallies; /* how many there are, */
	size_t limit;	/* and at how many it is time to forget */
};

void ledger_init(struct ledger *ledger);

/* Counts `ns` from `now` on; `start` is when the latest kernel began. */
void ledger_count(struct ledger *ledger, const struct dominance *dominance, int64_t start,
		  int64_t now, int64_t ns);

/*
 * Replaces the list by that of a kernel of `stream` that began at `start`: by
 * falling time, of equals the one counted first.  The times add up to the
 * kernel's hidden time.
 */
void ledger_read(const struct ledger *ledger, uint32_t stream, int64_t start,
		 struct cover_list *covers);

/*
 * Forgets what no running kernel will ask for; `starts` are theirs, in rising
 * order.  Worth its price whenever `tallies` has reached `limit`.
 */
void ledger_forget(struct ledger *ledger, const int64_t *starts, size_t count);

void ledger_release(struct ledger *ledger);

#endif
