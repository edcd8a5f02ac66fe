/*
 * ranks: which rank a record is of, and when a rank is complete.
 *
 * `meta RANK end N` is the last record of a trace.  A stage that holds records
 * finishes the rank there and forgets it, so that a thousand ranks in one pipe
 * need the memory of one.  But a stream may have been sorted or filtered, and
 * then `end` is not the end.  So it counts only if the rank's other meta records
 * came before it and announced just as many records, of each type that the
 * stage needs, as were seen; else the rank is finished at the end of input.
 * Whichever it is, the figures are the same.
 *
 * A record of a rank that has ended is a fault: two traces have one label.
 */
#ifndef TPA_RANKS_H
#define TPA_RANKS_H

#include "intern.h"
#include "record.h"

#include <stdbool.h>
#include <stdint.h>

struct rank {
	int64_t announced[RECORD_TYPE_COUNT]; /* -1: not announced */
	int64_t seen[RECORD_TYPE_COUNT];
	bool described; /* `meta RANK events` was there */
	bool ended;
};

struct ranks {
	struct intern labels;
	struct rank *rank; /* by the label's id */
	size_t capacity;
	uint32_t last;
	unsigned needs; /* RECORD_BIT() of each type that must be complete */
};

/* `needs`: whose records the stage holds. */
void ranks_init(struct ranks *ranks, unsigned needs);

/* The id of the rank with that label; of one that is not the last one's. */
static inline uint32_t ranks_find(struct ranks *ranks, struct field label);
uint32_t ranks_other(struct ranks *ranks, struct field label);

/*
 * Counts a record of the rank named in its column 1 and gives its id; false,
 * with the fault noted, if that rank has ended.
 */
static inline bool ranks_count(struct ranks *ranks, struct record *record, uint32_t *id);
bool ranks_refuse(struct record *record);

/*
 * Takes note of a meta record.  True if it is the end of a rank all of whose
 * needed records were seen: finish it and call ranks_end.
 */
bool ranks_meta(struct ranks *ranks, const struct record *record, uint32_t *id);
void ranks_end(struct ranks *ranks, uint32_t id);

/* The meta key that announces how many records of a type a trace has, or NULL. */
const char *ranks_key(enum record_type type);

void ranks_release(struct ranks *ranks);

static inline uint32_t ranks_find(struct ranks *ranks, struct field label)
{
	const struct interned *last = ranks->labels.count ? &ranks->labels.item[ranks->last] : NULL;

	if (last && last->length == label.length &&
	    same_bytes(last->text, label.text, label.length))
		return ranks->last;
	return ranks_other(ranks, label);
}

static inline bool ranks_count(struct ranks *ranks, struct record *record, uint32_t *id)
{
	struct rank *rank;

	*id = ranks_find(ranks, record->field[1]);
	rank = &ranks->rank[*id];
	rank->seen[record->type]++;
	return !rank->ended || ranks_refuse(record);
}

#endif
