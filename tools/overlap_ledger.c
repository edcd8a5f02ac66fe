#include "overlap_ledger.h"

#include "intern.h"
#include "xalloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ALL_STREAMS UINT32_MAX
#define NEVER	    INT64_MAX
#define LIMIT_MIN   4096
#define SLOTS_MIN   64
#define FEW	    16

/* A name among all streams, or one of a stream. */
struct ledger_entry {
	uint32_t stream;
	uint32_t name;
	struct account counted; /* all, or own */
	struct account under;
	struct ledger_entry *newer, *older; /* by when it was last counted */
	struct ledger_entry *next;	    /* of all */
	size_t place;			    /* in the list being read */
};

void ledger_init(struct ledger *ledger)
{
	*ledger = (struct ledger){.limit = LIMIT_MIN};
}

/* The first tally that is not before `start`; mostly it is one of the last. */
static uint32_t seek(const struct account *account, int64_t start)
{
	uint32_t high = account->count, low, step = 1;

	while (high >= step && account->tally[high - step].start >= start) {
		high -= step;
		step *= 2;
	}
	low = high >= step ? high - step + 1 : 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (account->tally[middle].start >= start)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* What had been counted at that start. */
static int64_t total_at(const struct account *account, int64_t start)
{
	uint32_t at = seek(account, start);

	return at < account->count ? account->tally[at].before : account->total;
}

static int64_t counted_since(const struct account *account, int64_t start)
{
	return account->total - total_at(account, start);
}

static bool is_live(const struct account *account, int64_t start)
{
	return account->count && account->tally[account->count - 1].start >= start;
}

static void count(struct ledger *ledger, struct account *account, uint32_t stream, int64_t start,
		  int64_t now, int64_t ns)
{
	struct tally *last = account->count ? &account->tally[account->count - 1] : NULL;

	if (!last || last->start != start) {
		if (account->count == account->capacity) {
			account->capacity = account->capacity ? account->capacity * 2 : 2;
			account->tally = xreallocarray(account->tally, account->capacity,
						       sizeof(*account->tally));
		}
		account->tally[account->count++] =
			(struct tally){start, account->total, now, NEVER, stream};
		ledger->tallies++;
	} else if (last->stream != stream && last->other == NEVER) {
		last->other = now;
	}
	account->total += ns;
}

static size_t slot_of(const struct ledger *ledger, uint32_t stream, uint32_t name)
{
	size_t at = (size_t)(hash_number((uint64_t)stream << 32 | name) >> 20);

	for (at &= ledger->slots - 1; ledger->slot[at]; at = (at + 1) & (ledger->slots - 1))
		if (ledger->slot[at]->name == name && ledger->slot[at]->stream == stream)
			break;
	return at;
}

static struct ledger_entry *find(const struct ledger *ledger, uint32_t stream, uint32_t name)
{
	return ledger->slots ? ledger->slot[slot_of(ledger, stream, name)] : NULL;
}

static void fill_slots(struct ledger *ledger)
{
	memset(ledger->slot, 0, ledger->slots * sizeof(*ledger->slot));
	for (struct ledger_entry *entry = ledger->entry; entry; entry = entry->next)
		ledger->slot[slot_of(ledger, entry->stream, entry->name)] = entry;
}

static void resize_slots(struct ledger *ledger, size_t slots)
{
	free(ledger->slot);
	ledger->slot = xreallocarray(NULL, slots, sizeof(*ledger->slot));
	ledger->slots = slots;
	fill_slots(ledger);
}

static struct ledger_entry *find_or_add(struct ledger *ledger, uint32_t stream, uint32_t name)
{
	struct ledger_entry *entry = find(ledger, stream, name);

	if (entry)
		return entry;
	if (ledger->entries >= ledger->slots / 2)
		resize_slots(ledger, ledger->slots ? ledger->slots * 2 : SLOTS_MIN);
	entry = xmalloc(sizeof(*entry));
	*entry = (struct ledger_entry){.stream = stream, .name = name, .next = ledger->entry};
	ledger->entry = entry;
	ledger->slot[slot_of(ledger, stream, name)] = entry;
	ledger->entries++;
	return entry;
}

static void take_out(struct ledger_entry **newest, struct ledger_entry *entry)
{
	if (entry->newer)
		entry->newer->older = entry->older;
	else if (*newest == entry)
		*newest = entry->older;
	if (entry->older)
		entry->older->newer = entry->newer;
	entry->newer = entry->older = NULL;
}

static void put_in_front(struct ledger_entry **newest, struct ledger_entry *entry)
{
	if (*newest == entry)
		return;
	take_out(newest, entry);
	entry->older = *newest;
	if (*newest)
		(*newest)->newer = entry;
	*newest = entry;
}

static void find_last(struct ledger *ledger, const struct dominance *dominance)
{
	uint32_t stream = dominance->stream;

	while (stream >= ledger->streams) {
		ledger->stream = xgrow(ledger->stream, &ledger->stream_capacity,
				       ledger->streams + 1, sizeof(*ledger->stream));
		ledger->stream[ledger->streams++] = NULL;
	}
	ledger->last = *dominance;
	ledger->last_all = find_or_add(ledger, ALL_STREAMS, dominance->name);
	ledger->last_own = find_or_add(ledger, stream, dominance->name);
	ledger->last_under = find_or_add(ledger, stream, dominance->next);
}

void ledger_count(struct ledger *ledger, const struct dominance *dominance, int64_t start,
		  int64_t now, int64_t ns)
{
	uint32_t stream = dominance->stream;

	if (!ledger->last_all || ledger->last.stream != stream ||
	    ledger->last.name != dominance->name || ledger->last.next != dominance->next)
		find_last(ledger, dominance);
	count(ledger, &ledger->last_all->counted, stream, start, now, ns);
	count(ledger, &ledger->last_own->counted, stream, start, now, ns);
	count(ledger, &ledger->last_under->under, stream, start, now, ns);
	put_in_front(&ledger->newest, ledger->last_all);
	put_in_front(&ledger->stream[stream], ledger->last_under);
}

static struct cover *add_cover(struct cover_list *covers, uint32_t name, int64_t ns)
{
	covers->item =
		xgrow(covers->item, &covers->capacity, covers->count + 1, sizeof(*covers->item));
	covers->item[covers->count] = (struct cover){name, ns, NEVER};
	return &covers->item[covers->count++];
}

/* When another stream than the kernel's own first counted the name since its start. */
static int64_t first_of_others(const struct account *all, const struct account *own,
			       uint32_t stream, int64_t start)
{
	int64_t before = total_at(all, start) - (own ? total_at(own, start) : 0);
	uint32_t low = seek(all, start), high = all->count;

	/* the first tally at whose end the others' total has grown */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int64_t next = all->tally[middle].start + 1;

		if (total_at(all, next) - (own ? total_at(own, next) : 0) > before)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == all->count)
		return NEVER;
	return all->tally[low].stream != stream ? all->tally[low].first : all->tally[low].other;
}

static int64_t first_counted(const struct ledger *ledger, uint32_t stream, uint32_t name,
			     int64_t start)
{
	const struct ledger_entry *all = find(ledger, ALL_STREAMS, name);
	const struct ledger_entry *mine = find(ledger, stream, name);
	int64_t first = NEVER;

	if (all)
		first = first_of_others(&all->counted, mine ? &mine->counted : NULL, stream, start);
	if (mine && is_live(&mine->under, start)) {
		int64_t under = mine->under.tally[seek(&mine->under, start)].first;

		first = under < first ? under : first;
	}
	return first;
}

static int by_falling_time(const void *a, const void *b)
{
	const struct cover *left = a, *right = b;

	return (left->ns < right->ns) - (left->ns > right->ns);
}

static int by_first(const void *a, const void *b)
{
	const struct cover *left = a, *right = b;

	return (left->first > right->first) - (left->first < right->first);
}

/* Mostly there are but a few. */
static void sort(struct cover *item, size_t count, int (*compare)(const void *, const void *))
{
	if (count > FEW) {
		qsort(item, count, sizeof(*item), compare);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		struct cover moving = item[i];
		size_t at = i;

		for (; at && compare(&item[at - 1], &moving) > 0; at--)
			item[at] = item[at - 1];
		item[at] = moving;
	}
}

static void order_covers(const struct ledger *ledger, uint32_t stream, int64_t start,
			 struct cover_list *covers)
{
	struct cover *item = covers->item;

	sort(item, covers->count, by_falling_time);
	for (size_t from = 0, to; from < covers->count; from = to) {
		for (to = from + 1; to < covers->count && item[to].ns == item[from].ns;)
			to++;
		if (to - from < 2)
			continue;
		for (size_t i = from; i < to; i++)
			item[i].first = first_counted(ledger, stream, item[i].name, start);
		sort(item + from, to - from, by_first);
	}
}

void ledger_read(const struct ledger *ledger, uint32_t stream, int64_t start,
		 struct cover_list *covers)
{
	struct ledger_entry *under = stream < ledger->streams ? ledger->stream[stream] : NULL;
	/* a stream's `own` and `under` are counted together */
	bool was_dominant = under && is_live(&under->under, start);

	covers->count = 0;
	for (struct ledger_entry *all = ledger->newest; all && is_live(&all->counted, start);
	     all = all->older) {
		const struct ledger_entry *own =
			was_dominant ? find(ledger, stream, all->name) : NULL;
		int64_t ns = counted_since(&all->counted, start);

		if (own)
			ns -= counted_since(&own->counted, start);
		all->place = covers->count;
		if (ns)
			add_cover(covers, all->name, ns);
	}
	for (; under && is_live(&under->under, start); under = under->older) {
		const struct ledger_entry *all = find(ledger, ALL_STREAMS, under->name);
		int64_t ns = counted_since(&under->under, start);

		/* its place may be of an earlier reading; the name tells */
		if (all && all->place < covers->count &&
		    covers->item[all->place].name == under->name)
			covers->item[all->place].ns += ns;
		else
			add_cover(covers, under->name, ns);
	}
	order_covers(ledger, stream, start, covers);
}

/* The last of the starts that is not after `start`, or NULL. */
static const int64_t *running_at(const int64_t *starts, size_t count, int64_t start)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (starts[middle] <= start)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &starts[low - 1] : NULL;
}

/* Leaves one tally for each running start. */
static void melt(struct account *account, const int64_t *starts, size_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < account->count; i++) {
		struct tally tally = account->tally[i];
		struct tally *last = kept ? &account->tally[kept - 1] : NULL;
		const int64_t *start = running_at(starts, count, tally.start);

		if (!start)
			continue;
		if (!last || last->start != *start) {
			account->tally[kept] = tally;
			account->tally[kept++].start = *start;
		} else if (last->other == NEVER) {
			last->other = tally.stream != last->stream ? tally.first : tally.other;
		}
	}
	account->count = kept;
	if (account->capacity > 2 && kept < account->capacity / 4) {
		account->capacity = kept * 2;
		account->tally =
			xreallocarray(account->tally, account->capacity, sizeof(*account->tally));
	}
}

static void free_entry(struct ledger_entry *entry)
{
	free(entry->counted.tally);
	free(entry->under.tally);
	free(entry);
}

/* False if nothing of the entry is left. */
static bool melt_entry(struct ledger *ledger, struct ledger_entry *entry, const int64_t *starts,
		       size_t count)
{
	melt(&entry->counted, starts, count);
	melt(&entry->under, starts, count);
	if (entry->stream == ALL_STREAMS && !entry->counted.count)
		take_out(&ledger->newest, entry);
	if (entry->stream != ALL_STREAMS && !entry->under.count)
		take_out(&ledger->stream[entry->stream], entry);
	ledger->tallies += entry->counted.count + entry->under.count;
	return entry->counted.count || entry->under.count;
}

void ledger_forget(struct ledger *ledger, const int64_t *starts, size_t count)
{
	struct ledger_entry **place = &ledger->entry;

	ledger->last_all = NULL;
	ledger->tallies = 0;
	while (*place) {
		struct ledger_entry *entry = *place;

		if (melt_entry(ledger, entry, starts, count)) {
			place = &entry->next;
			continue;
		}
		*place = entry->next;
		free_entry(entry);
		ledger->entries--;
	}
	if (ledger->slots > SLOTS_MIN && ledger->entries < ledger->slots / 16)
		resize_slots(ledger, ledger->slots / 2);
	else
		fill_slots(ledger);
	ledger->limit = LIMIT_MIN + 2 * (ledger->tallies + count);
}

void ledger_release(struct ledger *ledger)
{
	while (ledger->entry) {
		struct ledger_entry *entry = ledger->entry;

		ledger->entry = entry->next;
		free_entry(entry);
	}
	free(ledger->slot);
	free(ledger->stream);
	*ledger = (struct ledger){0};
}
