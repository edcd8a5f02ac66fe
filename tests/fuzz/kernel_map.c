/* kernel_map: any bytes as a kernel map in JSON (tpa-srcmap -m), or as a source map (tpa-rank -m).
 */
#include "harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define KERNEL(stage, idx, name)                                                                   \
	"kernel\t0\t0\t" stage "\t" idx "\t7\t7\t" idx ".000\t1.000\t-\t-\tkernel\tcompute\t0.000" \
	"\t1.000\t0.000\t" name "\t-\n"

static const char records[] = KERNEL("decode", "0", "gemm") KERNEL("decode", "1", "fused_moe")
    KERNEL("extend", "2", "-") KERNEL("all", "3", "k\xc3\xa9");

/* What is no record at all stays, as it came, in the stream of a map's sources. */
static bool is_json(const uint8_t *data, size_t size)
{
	return size && strchr("{[\" \t\n", data[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memory_file(data, size);
	struct run run = {0};
	char command[64];

	if (is_json(data, size)) {
		snprintf(command, sizeof(command), "tpa-srcmap -s -m /proc/self/fd/%d", fd);
		run_tool(&run, tpa_srcmap_main, command, records, sizeof(records) - 1);
		check_records(&run.out);
	} else {
		snprintf(command, sizeof(command), "tpa-rank -t -k -m /proc/self/fd/%d", fd);
		run_tool(&run, tpa_rank_main, command, records, sizeof(records) - 1);
	}
	close(fd);
	run_release(&run);
	return 0;
}
