/* rules: any bytes as a rules file, asked for a few names. */
#include "harness.h"

#include <stdio.h>
#include <unistd.h>

static const char kernels[] =
    "kernel\t0\t0\tall\t0\t7\t7\t1.000\t1.000\t-\t-\tkernel\t-\t-\t-\t-\tvoid at::native::"
    "vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >\t(int, float)\n"
    "kernel\t0\t0\tall\t1\t7\t7\t2.000\t1.000\t-\t-\tgpu_memcpy\t-\t-\t-\t-\tMemcpy DtoH\t-\n"
    "kernel\t0\t0\tall\t2\t7\t7\t3.000\t1.000\t-\t-\tkernel\t-\t-\t-\t-\t-\t-\n"
    "kernel\t0\t0\tall\t3\t7\t7\t4.000\t1.000\t-\t-\tkernel\t-\t-\t-\t-\t"
    "_ZN7cutlass6KernelI4gemmEEvNT_6ParamsE\t-\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memory_file(data, size);
	struct run run = {0};
	char command[64];

	snprintf(command, sizeof(command), "tpa-classify --why -r /proc/self/fd/%d", fd);
	run_tool(&run, tpa_classify_main, command, kernels, sizeof(kernels) - 1);
	check_records(&run.out);
	if (run.status && run.out.length)
		broken("records in spite of bad rules", run.said.data, run.said.length);
	close(fd);
	run_release(&run);
	return 0;
}
