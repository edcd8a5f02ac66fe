/*
 * nonblock: runs a command whose standard input and output do not block.
 *
 *	nonblock COMMAND [ARGUMENT...]
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int fd = 0; fd < 2; fd++)
		if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) < 0)
			return 126;
	if (argc < 2)
		return 126;
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
