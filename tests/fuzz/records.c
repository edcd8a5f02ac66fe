/*
 * records: any bytes as a record stream, for the stage that the first byte names.
 *
 * Whatever lines come in, what tpa-fmt shows has no control characters, its JSON
 * can be read, and no stage depends on how its input comes in pieces.
 */
#include "harness.h"

#include <json-c/json.h>
#include <string.h>

enum shown { RECORDS, TEXT, JSON_LINES, JSON };

static const struct stage {
	tool_main *tool;
	const char *command;
	enum shown shown;
} stages[] = {
    {tpa_classify_main, "tpa-classify -k", RECORDS},
    {tpa_classify_main, "tpa-classify -r reference --why", RECORDS},
    {tpa_classify_main, "tpa-classify -k --unmatched", RECORDS},
    {tpa_overlap_main, "tpa-overlap -k", RECORDS},
    {tpa_overlap_main, "tpa-overlap -k --sorted", RECORDS},
    {tpa_overlap_main, "tpa-overlap", RECORDS},
    {tpa_srcmap_main, "tpa-srcmap -k", RECORDS},
    {tpa_srcmap_main, "tpa-srcmap -k -s -n 0", RECORDS},
    {tpa_rank_main, "tpa-rank -k -a -t", RECORDS},
    {tpa_rank_main, "tpa-rank -k -t --merge", RECORDS},
    {tpa_rank_main, "tpa-rank -k --spread -n 3", RECORDS},
    {tpa_rank_main, "tpa-rank --min-share 1", RECORDS},
    {tpa_fmt_main, "tpa-fmt -k -f table", TEXT},
    {tpa_fmt_main, "tpa-fmt -k -f md", TEXT},
    {tpa_fmt_main, "tpa-fmt -k -f csv", TEXT},
    {tpa_fmt_main, "tpa-fmt -k -f text", TEXT},
    {tpa_fmt_main, "tpa-fmt -k -f svg", TEXT},
    {tpa_fmt_main, "tpa-fmt -k -f html", TEXT},
    {tpa_fmt_main, "tpa-fmt -k -f folded", TEXT},
    {tpa_fmt_main, "tpa-fmt -k -f jsonl", JSON_LINES},
    {tpa_fmt_main, "tpa-fmt -k -f chrome", JSON},
    {tpa_fmt_main, "tpa-fmt -k -c name,dur,category", TEXT},
};

static void check_json(const char *text, size_t length)
{
	json_tokener *tokener = json_tokener_new();
	json_object *root;

	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	root = json_tokener_parse_ex(tokener, text, (int)length);
	if (json_tokener_get_error(tokener) != json_tokener_success || !root)
		broken("no JSON", text, length);
	json_object_put(root);
	json_tokener_free(tokener);
}

static void check_json_lines(const struct buffer *out)
{
	const char *end;

	for (const char *line = out->data; line && line < out->data + out->length; line = end + 1) {
		end = memchr(line, '\n', (size_t)(out->data + out->length - line));
		check_json(line, (size_t)(end - line));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct stage *stage;
	struct run run = {0};

	if (!size)
		return 0;
	stage = &stages[data[0] % (sizeof(stages) / sizeof(stages[0]))];
	run_tool_twice(&run, stage->tool, stage->command, data + 1, size - 1);
	if (stage->shown != RECORDS && !is_plain_text(&run.out))
		broken("no plain text", run.out.data, run.out.length);
	if (stage->shown == JSON_LINES)
		check_json_lines(&run.out);
	if (stage->shown == JSON)
		check_json(run.out.data, run.out.length);
	run_release(&run);
	return 0;
}
