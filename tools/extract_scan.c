#include "extract_scan.h"

#include "extract_skip.h"
#include "text.h"

#include <string.h>

/* Top-level values of other keys are shown to the caller if they are this short. */
#define VALUE_MAX ((size_t)1 << 20)

/* So much of a trace is looked through for keys behind its events. */
#define LOOK_AHEAD ((size_t)1 << 20)

/* A longer event is not read. */
#define EVENT_MAX ((size_t)48 << 20)

/* Behind damage, an event longer than this is not resumed at. */
#define RESUMED_MAX ((size_t)256 << 10)

/* So much may be scanned in vain before larger steps are taken, or shorter events. */
#define VAIN_MAX ((size_t)1 << 20)
#define SHORT_EVENT ((size_t)8 << 10)

static void note(struct trace_scan *scan, enum damage kind, uint64_t offset)
{
	if (!scan->damage[kind].count++ || offset < scan->damage[kind].offset)
		scan->damage[kind].offset = offset;
}

/*
 * More bytes behind the window's, at least twice as many as there are from `at`
 * on, so that what is scanned anew each time costs no square.  False at the end.
 */
static bool more(struct trace_scan *scan, cursor at)
{
	struct trace_input *input = scan->input;
	size_t wanted;

	input->at = at;
	wanted = 2 * (size_t)(input->end - at);
	if (!trace_input_more(input))
		return false;
	while ((size_t)(input->end - input->at) < wanted && trace_input_more(input))
		;
	return true;
}

/* The next byte that is no white space is at input->at; false if there is none. */
static inline bool next_token(struct trace_scan *scan)
{
	struct trace_input *input = scan->input;

	for (;;) {
		input->at = skip_space(input->at);
		if (input->at < input->end)
			return true;
		input->at = input->end;
		if (!trace_input_more(input))
			return false;
	}
}

/* Whether what begins at `at` is a whole event that the damage before it does not touch. */
static bool is_event(struct trace_scan *scan, cursor at, cursor end, struct fault *fault)
{
	struct trace_event event = {0};

	at = scan_event(at + 1, end, &scan->shapes, &event, fault);
	if (!at)
		return false;
	at = skip_space(at);
	fault->cut = at >= end;
	fault->at = at;
	return event.have & EVENT_BIT(EVENT_PH) && event.field[EVENT_PH].kind == JSON_TEXT &&
	       event.field[EVENT_PH].length == 1 && (at >= end || *at == ',' || *at == ']');
}

/* The last byte of [from, to) that is no white space; `before` if there is none. */
static unsigned char last_byte(unsigned char before, cursor from, cursor to)
{
	while (to > from && json_is_space(to[-1]))
		to--;
	return to > from ? to[-1] : before;
}

/* How long an event may be: not very, once too much was scanned in vain. */
static size_t event_reach(const struct trace_scan *scan, size_t longest)
{
	uint64_t offset;

	if (scan->vain <= VAIN_MAX)
		return longest;
	offset = trace_input_offset(scan->input, scan->input->at);
	return scan->vain > VAIN_MAX + 16 * offset ? SHORT_EVENT : longest;
}

/* An event that is passed over on the way to one that can be read. */
static void note_passed(struct trace_scan *scan, cursor at)
{
	if (memcmp(skip_space(at + 1), "\"ph\"", 4))
		return;
	scan->events++;
	note(scan, DAMAGE_EVENT, trace_input_offset(scan->input, at));
}

/*
 * Moves input->at from a damaged place to the next event that can be read; false
 * if there is none.  What is scanned in vain is bounded by a multiple of what is
 * passed over, whatever the input.
 */
static bool resume(struct trace_scan *scan)
{
	struct trace_input *input = scan->input;
	size_t vain = 0, passed = 0;
	unsigned char before = 0; /* what stands before input->at, white space left out */

	for (;;) {
		cursor from = input->at, at = memchr(from, '{', (size_t)(input->end - from)), end;
		struct fault fault;
		size_t scanned = 1;

		input->at = at ? at : input->end;
		passed += (size_t)(input->at - from);
		before = last_byte(before, from, input->at);
		if (!at) {
			if (!trace_input_more(input))
				return false;
			continue;
		}
		/* a member's value is no event */
		if (before != ':') {
			size_t reach = event_reach(scan, RESUMED_MAX);
			bool all = (size_t)(input->end - at) <= reach, found;

			end = all ? input->end : at + reach;
			found = is_event(scan, at, end, &fault);
			scanned = (size_t)(fault.at - at);
			/* where the window moves it takes input->at along */
			if (all && fault.cut && more(scan, at))
				continue;
			if (found && (all || !fault.cut))
				return true;
			note_passed(scan, input->at);
			vain += scanned;
			scan->vain += scanned;
		}
		scanned = vain > VAIN_MAX + 16 * passed && scanned ? scanned : 1;
		input->at += scanned;
		passed += scanned;
		before = 0;
	}
}

enum event_taken { EVENT_NONE, EVENT_TAKEN, EVENT_RESUMED };

/*
 * Scans the event at input->at and hands it on; where it cannot be read, goes to
 * the next one that can, if there is one.
 */
static enum event_taken take_event(struct trace_scan *scan)
{
	struct trace_input *input = scan->input;
	uint64_t start = trace_input_offset(input, input->at);

	for (;;) {
		size_t reach = event_reach(scan, EVENT_MAX), scanned;
		bool all = (size_t)(input->end - input->at) <= reach;
		struct trace_event event;
		struct fault fault;
		cursor at;

		event.have = 0;
		at = scan_event(input->at + 1, all ? input->end : input->at + reach, &scan->shapes,
				&event, &fault);
		if (at) {
			scan->events++;
			scan->event(scan->context, &event);
			input->at = at;
			return EVENT_TAKEN;
		}
		scanned = (size_t)(fault.at - input->at);
		if (all && fault.cut && more(scan, input->at))
			continue;
		/* at the end of input the event may be cut, or may have swallowed others */
		scan->vain += scanned;
		input->at++;
		scan->cut_event = ++scan->events;
		if (resume(scan)) {
			note(scan, DAMAGE_EVENT, start);
			return EVENT_RESUMED;
		}
		note(scan, fault.cut && all && input->ended ? DAMAGE_CUT_EVENT : DAMAGE_EVENT, start);
		return EVENT_NONE;
	}
}

/* Passes over text of any size. */
static bool pass_text(struct trace_scan *scan)
{
	struct trace_input *input = scan->input;
	bool escaped = false;

	input->at++;
	for (;;) {
		cursor at = skip_text(input->at, input->end, &escaped), end = input->end;
		bool half = false;

		if (at) {
			input->at = at + 1;
			return true;
		}
		/* the first half of an escape is kept, to be seen together with the second */
		while (end > input->at && end[-1] == '\\') {
			half = !half;
			end--;
		}
		input->at = input->end - half;
		if (!trace_input_more(input))
			return false;
	}
}

/* Passes over a value of any size, of which nothing is kept. */
static bool pass_value(struct trace_scan *scan)
{
	struct trace_input *input = scan->input;
	struct bracket_depth depth = {0};
	struct fault fault;
	cursor at;

	if (*input->at == '"')
		return pass_text(scan);
	if (*input->at != '{' && *input->at != '[') {
		do
			at = skip_value(input->at, input->end, &fault);
		while (!at && fault.cut && more(scan, input->at));
		if (at)
			input->at = at;
		return at;
	}
	while (!(at = skip_brackets(input->at, input->end, &depth))) {
		input->at = input->end;
		if (!trace_input_more(input))
			return false;
	}
	input->at = at + 1;
	return true;
}

/* Passes over what is no event but stands between commas, like one; false if it does not. */
static bool pass_other(struct trace_scan *scan)
{
	struct trace_input *input = scan->input;

	for (;;) {
		bool all = (size_t)(input->end - input->at) <= RESUMED_MAX;
		cursor end = all ? input->end : input->at + RESUMED_MAX, at;
		struct fault fault;

		at = skip_value(input->at, end, &fault);
		if (at) {
			at = skip_space(at);
			fault.cut = at >= end;
		}
		if (!fault.cut) {
			if (!at || (*at != ',' && *at != ']'))
				return false;
			input->at = at;
			return true;
		}
		if (!all)
			return false;
		if (!more(scan, input->at)) {
			input->at = at ? input->end : input->at;
			return at;
		}
	}
}

enum array_end { ARRAY_CLOSED, ARRAY_ENDED, ARRAY_BROKEN };

/* The events of an array, from behind its bracket; input->at is then behind its end. */
static enum array_end scan_array(struct trace_scan *scan)
{
	struct trace_input *input = scan->input;
	enum event_taken taken;
	bool separated = true;
	size_t depth = 0; /* in brackets that were opened among the events */

	for (;;) {
		if (!next_token(scan))
			return ARRAY_ENDED;
		switch (*input->at) {
		case ',':
			input->at++;
			separated = true;
			continue;
		case ']':
			input->at++;
			if (!depth)
				return ARRAY_CLOSED;
			depth--;
			separated = false;
			continue;
		case '{':
			if (!separated)
				note(scan, DAMAGE_BETWEEN, trace_input_offset(input, input->at));
			taken = take_event(scan);
			if (taken == EVENT_NONE || scan->stop)
				return ARRAY_BROKEN;
			separated = taken == EVENT_RESUMED;
			continue;
		default:
			/* inside a bracket that was not closed soon, brackets are not looked behind */
			if (separated && (!depth || *input->at != '[') && pass_other(scan)) {
				separated = false;
				continue;
			}
			if (*input->at == '[') {
				/* too long to look behind it, or never closed: events may be in it */
				input->at++;
				depth++;
				separated = true;
				continue;
			}
			note(scan, DAMAGE_BETWEEN, trace_input_offset(input, input->at));
			if (!resume(scan))
				return ARRAY_BROKEN;
			separated = true;
		}
	}
}

/*
 * A top-level value: shown to the caller if it is short enough, else passed.
 * It is scanned in the window, which grows for it; `key` is the caller's copy.
 */
static bool take_value(struct trace_scan *scan, const char *key)
{
	struct trace_input *input = scan->input;
	struct fault fault;
	cursor at;

	for (;;) {
		bool all = (size_t)(input->end - input->at) <= VALUE_MAX;

		at = skip_value(input->at, all ? input->end : input->at + VALUE_MAX, &fault);
		if (at)
			break;
		if (!fault.cut)
			return false;
		if (!all)
			return pass_value(scan);
		if (!more(scan, input->at))
			return false;
	}
	if (scan->value)
		scan->value(scan->context, key, (const char *)input->at, (size_t)(at - input->at));
	input->at = at;
	return true;
}

/* A key of the outermost object, terminated, in a buffer; longer ones do not matter. */
static bool take_key(struct trace_scan *scan, char *key, size_t room)
{
	struct trace_input *input = scan->input;
	struct json_slice slice;
	struct fault fault;
	struct buffer plain = BUFFER_INIT;
	cursor at;

	while (!(at = scan_value(input->at, input->end, &slice, &fault)))
		if (!more(scan, input->at))
			return false;
	json_text(&plain, &slice);
	if (plain.length >= room)
		plain.length = 0;
	if (plain.length)
		memcpy(key, plain.data, plain.length);
	key[plain.length] = '\0';
	buffer_release(&plain);
	input->at = at;
	if (!next_token(scan) || *input->at != ':')
		return false;
	input->at++;
	return next_token(scan);
}

/* Whether the rest of the trace is short enough to be looked ahead at, which it then can be. */
static bool is_short(struct trace_scan *scan)
{
	struct trace_input *input = scan->input;

	while (!input->ended && (size_t)(input->end - input->at) <= LOOK_AHEAD)
		if (!trace_input_more(input))
			break;
	return input->ended && (size_t)(input->end - input->at) <= LOOK_AHEAD;
}

/*
 * Shows the caller the keys that stand behind the events of a short trace, so
 * that what they say is known before the first record is written.  True if there
 * is a later traceEvents, which then counts instead of this one.
 */
static bool look_behind(struct trace_scan *scan)
{
	cursor at = scan->input->at, end = scan->input->end, start;
	struct json_slice key;
	struct fault fault;
	bool again = false;

	at = skip_value(at, end, &fault);
	while (at && *(at = skip_space(at)) == ',' && *(at = skip_space(at + 1)) == '"') {
		at = scan_value(at, end, &key, &fault);
		if (!at || *(at = skip_space(at)) != ':')
			break;
		start = skip_space(at + 1);
		at = skip_value(start, end, &fault);
		if (!at)
			break;
		if (TEXT_IS(key.text, key.length, "traceEvents"))
			again = again || *start == '[';
		else if (TEXT_IS(key.text, key.length, "distributedInfo") && scan->value)
			scan->value(scan->context, "distributedInfo", (const char *)start,
				    (size_t)(at - start));
	}
	return again;
}

/* The array of events that input->at stands at, in an object. */
static enum array_end take_events(struct trace_scan *scan, bool *begun)
{
	bool small = is_short(scan);

	if (small && look_behind(scan))
		return pass_value(scan) ? ARRAY_CLOSED : ARRAY_BROKEN;
	if (*begun)
		note(scan, DAMAGE_TWICE, trace_input_offset(scan->input, scan->input->at));
	else
		scan->begin(scan->context);
	*begun = true;
	scan->input->at++;
	return scan->stop ? ARRAY_BROKEN : scan_array(scan);
}

/* From damage in the outermost object to a traceEvents whose array can be read. */
static bool find_events(struct trace_scan *scan)
{
	static const char word[] = "\"traceEvents\"";
	struct trace_input *input = scan->input;

	note(scan, DAMAGE_HEADER, trace_input_offset(input, input->at));
	for (;;) {
		size_t there = (size_t)(input->end - input->at);
		cursor at = memmem(input->at, there, word, sizeof(word) - 1);

		if (at) {
			input->at = at + sizeof(word) - 1;
			if (next_token(scan) && *input->at == ':') {
				input->at++;
				if (next_token(scan) && *input->at == '[')
					return true;
			}
			continue;
		}
		if (there >= sizeof(word))
			input->at = input->end - (sizeof(word) - 1);
		if (!trace_input_more(input))
			return false;
	}
}

/* What follows the trace: white space and padding with zeros are nothing. */
static void check_after(struct trace_scan *scan)
{
	struct trace_input *input = scan->input;

	while (next_token(scan)) {
		if (*input->at) {
			note(scan, DAMAGE_AFTER, trace_input_offset(input, input->at));
			return;
		}
		input->at++;
	}
}

/* The outermost object, from behind its brace. */
static enum scan_result scan_object(struct trace_scan *scan)
{
	struct trace_input *input = scan->input;
	enum scan_result none = SCAN_NO_TRACE;
	bool begun = false, readable, at_events;
	char key[64];

	while (next_token(scan)) {
		enum array_end end;

		if (*input->at == ',') {
			input->at++;
			continue;
		}
		if (*input->at == '}') {
			input->at++;
			check_after(scan);
			return begun ? SCAN_DONE : none;
		}
		if (begun && *input->at == '{') {
			/* a bracket too many has closed the array */
			note(scan, DAMAGE_BETWEEN, trace_input_offset(input, input->at));
			end = scan_array(scan);
		} else {
			readable = *input->at == '"' && take_key(scan, key, sizeof(key));
			at_events = readable && !strcmp(key, "traceEvents") && *input->at == '[';
			if (readable && !at_events) {
				if (!strcmp(key, "traceEvents"))
					none = SCAN_NO_EVENTS;
				readable = take_value(scan, key);
			}
			if (!readable) {
				if (begun || !find_events(scan))
					break;
				at_events = true;
			}
			end = at_events ? take_events(scan, &begun) : ARRAY_CLOSED;
		}
		if (end == ARRAY_BROKEN)
			return SCAN_DONE;
		if (end == ARRAY_ENDED)
			break;
	}
	if (!begun)
		return none;
	note(scan, input->at < input->end ? DAMAGE_HEADER : DAMAGE_CUT,
	     trace_input_offset(input, input->at));
	return SCAN_DONE;
}

enum scan_result trace_scan(struct trace_scan *scan)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";
	struct trace_input *input = scan->input;

	if (!next_token(scan))
		return SCAN_EMPTY;
	while (input->end - input->at < 3 && trace_input_more(input))
		;
	if (TEXT_STARTS((const char *)input->at, (size_t)(input->end - input->at), byte_order_mark))
		input->at += 3;
	if (!next_token(scan))
		return SCAN_EMPTY;
	switch (*input->at++) {
	case '{':
		return scan_object(scan);
	case '[':
		scan->begin(scan->context);
		if (scan_array(scan) == ARRAY_CLOSED)
			check_after(scan);
		return SCAN_DONE;
	default:
		return SCAN_NO_TRACE;
	}
}

