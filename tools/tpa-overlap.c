/*
 * tpa-overlap: how much of each kernel was hidden by kernels of other streams.
 *
 * in   kernel  rank pid stage idx tid stream ts dur ext corr kind category - - - name params
 * out  the same with hidden, exclusive and hidden_compute filled in, and
 *      cover   rank pid stage idx us name
 *      window  rank pid stage start end busy overlap idle streams kernels
 *
 *	kernel  0  1  all  0  1  7  1.000  2.000  -  -  kernel  compute  -  -  -  gemm  -
 */
#include "options.h"
#include "overlap_stage.h"
#include "xalloc.h"

enum { OPTION_SORTED = OPTION_LONG };

static const struct option_row rows[] = {
	{OPTION_SORTED, "sorted", NULL, "kernels come by start time: hold only what runs"},
	OPTION_ROWS_COMMON,
	{0},
};

static const struct tool tool = {"tpa-overlap",
				 "how much of each kernel other streams hid, and what hid it",
				 "[FILE...]", rows};

int main(int argc, char **argv)
{
	struct options options = options_init(&tool, argc, argv);
	struct overlap overlap;
	struct stage stage = {
		.wants = OVERLAP_WANTS, .take = overlap_take, .state = &overlap, .pass = true};
	bool sorted = false;
	enum tpa_exit status;
	int letter;

	while ((letter = options_next(&options)))
		if (letter == OPTION_SORTED)
			sorted = true;
		else if (letter == 'k')
			stage.keep_going = true;

	xalloc_large();
	stage_open(&stage);
	overlap_init(&overlap, &stage.out, sorted);
	status = stage_run(&stage, options.operand, options.operands);
	overlap_finish(&overlap);
	overlap_release(&overlap);
	return (int)stage_close(&stage, status);
}
