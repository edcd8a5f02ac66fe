#include "extract_report.h"

#include "diag.h"
#include "number.h"
#include "text.h"

#include <string.h>

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* Says what is wrong with a gzip stream read to its end; true if anything was lost. */
static bool report_gzip_damage(const struct extract *extract)
{
	const struct trace_input *input = extract->scan.input;
	const struct gzip_reader *gzip = &input->gzip;

	if (!input->is_gzip || !input->ended)
		return false;
	if (gzip->damage & GZIP_CUT)
		diag_error("%s: the gzip stream is cut short after %llu bytes of trace", extract->name,
			   (unsigned long long)gzip->damage_at);
	if (gzip->damage & GZIP_CORRUPT)
		diag_error("%s: the gzip stream is corrupt after %llu bytes of trace", extract->name,
			   (unsigned long long)gzip->damage_at);
	if (gzip->damage & GZIP_CHECK)
		diag_error("%s: a gzip check sum is wrong, first in the part that ends at byte %llu "
			   "of the trace",
			   extract->name, (unsigned long long)gzip->damage_at);
	if (gzip->damage & GZIP_TRAILING)
		diag_note("%s: what follows the gzip stream is no gzip, and is ignored", extract->name);
	return gzip->damage & ~(unsigned)GZIP_TRAILING;
}

bool extract_report_damage(const struct extract *extract)
{
	static const struct {
		enum damage kind;
		const char *words;
	} kinds[] = {
		{DAMAGE_BETWEEN, "something that is neither comma nor event stands between events"},
		{DAMAGE_CUT, "the input ends inside the object that holds the events"},
		{DAMAGE_HEADER, "what stands around the events cannot be read"},
		{DAMAGE_TWICE, "traceEvents stands more than once; the events of all are here"},
		{DAMAGE_AFTER, "what follows the end of the trace is not read"},
	};
	const struct trace_scan *scan = &extract->scan;
	unsigned long long count = scan->damage[DAMAGE_EVENT].count;
	bool lost = false;

	if (count)
		diag_error("%s: %llu event%s cannot be read, the first at byte %llu", extract->name,
			   count, plural(count),
			   (unsigned long long)scan->damage[DAMAGE_EVENT].offset);
	if (scan->damage[DAMAGE_CUT_EVENT].count)
		diag_error("%s: the input ends early, inside event %llu, which begins at byte %llu",
			   extract->name, (unsigned long long)scan->cut_event,
			   (unsigned long long)scan->damage[DAMAGE_CUT_EVENT].offset);
	lost = count || scan->damage[DAMAGE_CUT_EVENT].count;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!scan->damage[kinds[i].kind].count)
			continue;
		diag_error("%s: %s (%llu time%s, first at byte %llu)", extract->name, kinds[i].words,
			   (unsigned long long)scan->damage[kinds[i].kind].count,
			   plural(scan->damage[kinds[i].kind].count),
			   (unsigned long long)scan->damage[kinds[i].kind].offset);
		lost = true;
	}
	if (extract->too_long)
		diag_error("%s: %llu record%s would be longer than 16 MiB, and %s left out", extract->name,
			   (unsigned long long)extract->too_long, plural(extract->too_long),
			   extract->too_long == 1 ? "is" : "are");
	lost = lost || extract->too_long;
	return report_gzip_damage(extract) || lost;
}

static void note_processes(const struct extract *extract)
{
	const struct kernels *kernels = &extract->kernels;
	unsigned left_out = 0;
	const struct interned *kept = NULL;

	for (uint32_t id = 0; id < kernels->pids.count; id++) {
		if (kernels->process[id].kept)
			kept = &kernels->pids.item[id];
		else if (kernels->process[id].kernels)
			left_out++;
	}
	if (!left_out)
		return;
	if (kept)
		diag_note("%s: %u process%s with kernels left out, \"%.*s\" kept; --all keeps all, "
			  "-p TEXT chooses",
			  extract->name, left_out, left_out == 1 ? "" : "es",
			  (int)text_prefix(kept->text, kept->length, 80), kept->text);
	else
		diag_note("%s: no process with kernels has \"%s\" in its pid; %u left out",
			  extract->name, extract->options->choice.pid_part, left_out);
}

static void note_overruns(const struct extract *extract)
{
	const struct overrun *overrun = &extract->kernels.overrun;
	const struct interned *stream, *name;
	char by[NUMBER_LENGTH], next[NUMBER_LENGTH];
	const char *tab;

	if (!overrun->count)
		return;
	stream = &extract->kernels.texts.item[overrun->worst.stream];
	name = &extract->names.kernels.item[overrun->worst.name];
	tab = memchr(name->text, '\t', name->length);
	*number_put_time(by, overrun->by) = '\0';
	*number_put_time(next, overrun->next) = '\0';
	diag_note("%s: %llu kernel%s past the starts of two or more later kernels of the stream, a "
		  "corrupt duration; the worst, \"%.*s\" on stream %.*s, by %s us past %s; --clip ends "
		  "%s there",
		  extract->name, (unsigned long long)overrun->count,
		  overrun->count == 1 ? " runs" : "s run",
		  (int)text_prefix(name->text, (size_t)(tab - name->text), 80), name->text,
		  (int)text_prefix(stream->text, stream->length, 80), stream->text, by, next, overrun->count == 1 ? "it" : "them");
}

void extract_report_notes(const struct extract *extract)
{
	for (int i = 0; i < SKIP_KINDS; i++)
		if (extract->skipped[i])
			diag_note("%s: %llu event%s skipped: %s", extract->name,
				  (unsigned long long)extract->skipped[i],
				  plural(extract->skipped[i]), skip_words[i]);
	if (extract->late_rank)
		diag_note("%s: the trace names its rank, \"%.*s\", only behind its events; -l gives it a "
			  "label",
			  extract->name, (int)text_prefix(extract->rank.data, extract->rank.length, 80),
			  extract->rank.data);
	if (!extract->kernels.processes_seen)
		diag_note("%s: no GPU work in this trace", extract->name);
	note_processes(extract);
	note_overruns(extract);
	if (extract->kernels.unlinked)
		diag_note("%s: %llu kernel%s neither launch nor External id: the source map can only go "
			  "by time",
			  extract->name, (unsigned long long)extract->kernels.unlinked,
			  extract->kernels.unlinked == 1 ? " has" : "s have");
}

void extract_report_refusal(const struct extract *extract, enum scan_result result)
{
	switch (result) {
	case SCAN_EMPTY:
		diag_error("%s: empty: no trace", extract->name);
		break;
	case SCAN_NO_EVENTS:
		diag_error("%s: no trace: traceEvents is no array", extract->name);
		break;
	case SCAN_NO_TRACE:
	case SCAN_DONE:
	default:
		diag_error("%s: no trace: neither an object with traceEvents nor an array of events",
			   extract->name);
	}
	report_gzip_damage(extract);
}

