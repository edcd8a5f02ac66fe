#include "diag.h"
#include "options.h"
#include "rank_ranks.h"
#include "stage.h"
#include "xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_MIN_SHARE = OPTION_LONG, OPTION_MERGE, OPTION_SPREAD };

static const struct option_row rows[] = {
	{'a', "all", NULL, "pass everything else on, too, before the results"},
	{'t', "totals", NULL, "also the figures of each kernel name (total records)"},
	{'n', "rows", "ROWS", "at most ROWS actions for each rank, process and stage; and spreads"},
	{'m', "map", "MAP", "a source map (of tpa-srcmap -s) for all ranks; may be repeated"},
	{OPTION_MIN_SHARE, "min-share", "PCT",
	 "no actions for less than PCT percent of the busy time (totals: all)"},
	{OPTION_MERGE, "merge", NULL, "one ranking over all ranks, not one for each"},
	{OPTION_SPREAD, "spread", NULL, "how far the ranks are apart, worst first (spread)"},
	OPTION_ROWS_COMMON,
	{0},
};

static const struct tool tool = {
	"tpa-rank", "rank kernels: what to try first, and what to leave alone", "[FILE...]", rows};

struct arguments {
	struct ranking ranking;
	const char **map;
	size_t maps, map_capacity;
	bool all, keep_going;
};

static struct arguments parse(struct options *options)
{
	struct arguments arguments = {0};
	int letter;

	while ((letter = options_next(options))) {
		switch (letter) {
		case 'a':
			arguments.all = true;
			break;
		case 't':
			arguments.ranking.totals = true;
			break;
		case 'n':
			arguments.ranking.limits.rows =
				options_number(options, letter, 0, INT64_MAX);
			break;
		case 'm':
			arguments.map = xgrow(arguments.map, &arguments.map_capacity,
					      arguments.maps + 1, sizeof(*arguments.map));
			arguments.map[arguments.maps++] = options->argument;
			break;
		case OPTION_MIN_SHARE:
			arguments.ranking.limits.min_share =
				options_decimal(options, letter, 0, 1e6);
			break;
		case OPTION_MERGE:
			arguments.ranking.merge = true;
			break;
		case OPTION_SPREAD:
			arguments.ranking.spread = true;
			break;
		case 'k':
			arguments.keep_going = true;
			break;
		}
	}
	if (arguments.ranking.totals && arguments.ranking.spread && !arguments.ranking.merge)
		diag_misuse("--spread alone ranks nothing to give the --totals of; add --merge");
	return arguments;
}

static enum stage_taken take_map(void *state, struct record *record)
{
	return source_map_take(state, record) ? STAGE_KEPT : STAGE_FAULT;
}

static enum tpa_exit load_map(struct source_map *base, const char *path, bool keep_going)
{
	struct source_map map = SOURCE_MAP_INIT;
	struct stage stage = {
		.wants = RECORD_BIT(RECORD_SOURCE) | RECORD_BIT(RECORD_SITE),
		.take = take_map,
		.state = &map,
		.keep_going = keep_going,
	};
	char *file = (char *)path;
	enum tpa_exit status = stage_run(&stage, &file, 1);

	if (status == TPA_DONE && source_map_empty(&map))
		diag_note("%s: no source records in it; tpa-srcmap -s writes them", path);
	source_map_merge(base, &map);
	source_map_release(&map);
	return status;
}

static enum tpa_exit load_maps(struct source_map *base, const struct arguments *arguments,
			       const struct options *options)
{
	enum tpa_exit status = TPA_DONE;

	for (size_t i = 0; i < arguments->maps && status != TPA_FAILED; i++) {
		enum tpa_exit here;

		if (!strcmp(arguments->map[i], "-") && !options->operands)
			diag_misuse("--map - leaves nothing on standard input to rank");
		here = load_map(base, arguments->map[i], arguments->keep_going);
		if (here != TPA_DONE)
			status = here;
	}
	return status;
}

struct run {
	struct rank_ranks ranks;
	bool all;
};

static enum stage_taken take(void *state, struct record *record)
{
	struct run *run = state;

	if (!rank_ranks_take(&run->ranks, record))
		return STAGE_FAULT;
	return run->all ? STAGE_PASS : STAGE_KEPT;
}

static enum tpa_exit worse(enum tpa_exit a, enum tpa_exit b)
{
	if (a == TPA_FAILED || b == TPA_FAILED)
		return TPA_FAILED;
	return a == TPA_DONE ? b : a;
}

int main(int argc, char **argv)
{
	struct options options = options_init(&tool, argc, argv);
	struct arguments arguments = parse(&options);
	struct run run = {.all = arguments.all};
	struct stage stage = {
		.wants = RANK_RANKS_WANTS,
		.reads = RANK_RANKS_WANTS & ~RECORD_BIT(RECORD_META),
		.take = take,
		.state = &run,
		.pass = arguments.all,
		.keep_going = arguments.keep_going,
	};
	enum tpa_exit status;

	xalloc_large();
	stage_open(&stage);
	rank_ranks_init(&run.ranks, &arguments.ranking, &stage.out);
	status = load_maps(&run.ranks.base, &arguments, &options);
	if (status != TPA_FAILED)
		status = worse(status, stage_run(&stage, options.operand, options.operands));
	if (status != TPA_FAILED)
		rank_ranks_finish(&run.ranks);
	if (run.ranks.failed)
		status = TPA_FAILED;
	rank_ranks_release(&run.ranks);
	free(arguments.map);
	return (int)stage_close(&stage, status);
}
