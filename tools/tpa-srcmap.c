/*
 * tpa-srcmap: from which line of Python and which CPU op each kernel comes.
 *
 * in   cpu_op, python, launch and kernel records
 * out  all that came in and, for each rank at its end,
 *      source  rank stage total mapped launch_op scope name
 *      site    rank stage kind count value name
 *
 *	source  0  all  16  16  aten::mm  model.py(7): forward  gemm
 *	site  0  all  scope  16  model.py(7): forward  gemm
 */
#include "options.h"
#include "srcmap_kernel_map.h"
#include "srcmap_stage.h"
#include "xalloc.h"

static const struct option_row rows[] = {
    {'s', "source-only", NULL, "write source and site records alone"},
    {'n', "samples", "SAMPLES", "kernels looked at per name, 0 for all (default 16)"},
    {'m', "map", "KERNELMAP", "a kernel map in JSON, for kernels without frames"},
    OPTION_ROWS_COMMON,
    {0},
};

static const struct tool tool = {
    "tpa-srcmap", "find the Python code and the CPU op that each kernel comes from", "[FILE...]",
    rows};

static void parse_options(struct srcmap *srcmap, struct options *options)
{
	const char *map = NULL;
	int letter;

	while ((letter = options_next(options)))
		switch (letter) {
		case 's':
			srcmap->source_only = true;
			break;
		case 'n':
			srcmap->samples =
			    (size_t)options_number(options, 'n', 0, SRCMAP_SAMPLES_MAX);
			break;
		case 'm':
			map = options->argument;
			break;
		case 'k':
			srcmap->keep_going = true;
			break;
		}
	if (map)
		srcmap->map = kernel_map_open(map);
}

int main(int argc, char **argv)
{
	struct options options = options_init(&tool, argc, argv);
	struct stage stage = {
	    .wants = SRCMAP_WANTS, .reads = SRCMAP_HELD, .take = srcmap_take};
	struct srcmap srcmap;
	enum tpa_exit status;

	xalloc_large();
	srcmap_init(&srcmap, &stage.out);
	parse_options(&srcmap, &options);
	stage.state = &srcmap;
	stage.pass = !srcmap.source_only;
	stage.keep_going = srcmap.keep_going;
	stage_open(&stage);
	status = stage_run(&stage, options.operand, options.operands);
	status = srcmap_finish(&srcmap, status);
	srcmap_release(&srcmap);
	return (int)stage_close(&stage, status);
}
