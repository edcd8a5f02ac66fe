/* trace: tpa-extract on any bytes, with options that the length chooses. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const commands[] = {
	    "tpa-extract -j 1 --all -",
	    "tpa-extract -j 1 --clip -",
	    "tpa-extract -j 1 --sort -p 0 -l x -s decode -",
	    "tpa-extract -j 1 --all --clip --sort -",
	};
	struct run run = {0};

	run_tool_twice(&run, tpa_extract_main, commands[size % 4], data, size);
	check_records(&run.out);
	run_release(&run);
	return 0;
}
