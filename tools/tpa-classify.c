/*
 * tpa-classify: what kind of work each kernel is.
 *
 * In:  kernel records; everything else passes on.
 * Out: the same with column category (and class=, and with --why rule=) filled,
 *	by the first rule that holds of the rules files (rules.h).
 */
#include "classify_judge.h"
#include "classify_record.h"
#include "classify_unmatched.h"
#include "options.h"
#include "stage.h"

#include <stdlib.h>

#define DEFAULT_RULES "kernel"

enum { OPTION_WHY = OPTION_LONG, OPTION_UNMATCHED, OPTION_MAX_UNMATCHED };

static const struct option_row rows[] = {
	{'r', "rules", "RULES", "a rules file: a path, or NAME for share/tpa/NAME.rules; in order"},
	{OPTION_WHY, "why", NULL, "add rule=FILE:LINE to each kernel"},
	{OPTION_UNMATCHED, "unmatched", NULL, "instead, list the names that no rule knows"},
	{OPTION_MAX_UNMATCHED, "max-unmatched", "PCT", "exit 1 if they have more of all time"},
	OPTION_ROWS_COMMON,
	{0},
};

static const struct tool tool = {"tpa-classify", "fill in the category of kernels", "[FILE...]",
				 rows};

struct classify {
	struct rules rules;
	struct judge judge;
	struct unmatched unmatched;
	struct record_writer *out;
	bool why;
	bool list;  /* --unmatched */
	bool count; /* whether times are needed */
};

static enum stage_taken take_kernel(void *state, struct record *kernel)
{
	struct classify *classify = state;
	const struct rule *rule;
	int64_t ns = 0;

	if (classify->count && !record_time(kernel, KERNEL_DUR, &ns))
		return STAGE_FAULT;
	rule = judge_kernel(&classify->judge, kernel);
	if (rule)
		unmatched_known(&classify->unmatched, ns);
	else if (classify->count)
		unmatched_add(&classify->unmatched, kernel->field[KERNEL_NAME], ns);
	if (!classify->list)
		classify_record(classify->out, kernel, rule, classify->why);
	return STAGE_KEPT;
}

static void load_rules(struct rules *rules, const char *name)
{
	if (!rules_load(rules, name))
		exit(TPA_FAILED);
}

static enum tpa_exit finish(struct classify *classify, enum tpa_exit status, double limit)
{
	double share = unmatched_share(&classify->unmatched);

	if (classify->list)
		unmatched_write(&classify->unmatched, classify->out);
	if (limit < 0 || share <= limit || status == TPA_FAILED)
		return status;
	diag_error("no rule knows %.3f %% of the kernel time, which is more than %g %%", share,
		   limit);
	return TPA_FAILED;
}

int main(int argc, char **argv)
{
	struct options options = options_init(&tool, argc, argv);
	struct classify classify = {.rules = RULES_INIT};
	struct stage stage = {.wants = RECORD_BIT(RECORD_KERNEL),
			      .take = take_kernel,
			      .state = &classify};
	enum tpa_exit status;
	double limit = -1;
	bool given = false;
	int letter;

	while ((letter = options_next(&options))) {
		switch (letter) {
		case 'r':
			load_rules(&classify.rules, options.argument);
			given = true;
			break;
		case OPTION_WHY:
			classify.why = true;
			break;
		case OPTION_UNMATCHED:
			classify.list = true;
			break;
		case OPTION_MAX_UNMATCHED:
			limit = options_decimal(&options, letter, 0, 100);
			break;
		case 'k':
			stage.keep_going = true;
			break;
		}
	}
	if (!given)
		load_rules(&classify.rules, DEFAULT_RULES);
	classify.count = classify.list || limit >= 0;
	stage.pass = !classify.list;
	judge_init(&classify.judge, &classify.rules);
	stage_open(&stage);
	classify.out = &stage.out;
	status = finish(&classify, stage_run(&stage, options.operand, options.operands), limit);
	judge_release(&classify.judge);
	unmatched_release(&classify.unmatched);
	rules_release(&classify.rules);
	return (int)stage_close(&stage, status);
}
