/*
 * measure: time, CPU time and memory of commands, run in turn.
 *
 *	measure -r 7 <PLAN
 *
 * In, a line for each command, which is a pipeline of plain words:
 *
 *	gzip -dc<TAB>gzip -dc big.json.gz
 *	all five<TAB>tpa-extract big.json.gz | tpa-classify >big.tsv
 *
 * Out, for each, in seconds and KiB, medians of all runs but the first, which
 * only warms up; CPU time and memory are of all processes of a pipeline together:
 *
 *	#name wall cpu cpu_low cpu_high peak_of_one peak_of_all
 *
 * The commands take turns, so that what else the machine does hits all alike.
 * Output goes to /dev/null unless the last word is >FILE.
 */
#include "buffer.h"
#include "diag.h"
#include "options.h"
#include "xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS_MAX 64
#define PROCESSES_MAX 8

static const struct option_row rows[] = {
	{'r', "runs", "RUNS", "how often each is run (default 7), and once more to warm up"},
	{'h', "help", NULL, "print this and exit"},
	{0},
};

static const struct tool tool = {"measure", "time and memory of commands, run in turn", "<PLAN",
				 rows};

enum figure { WALL, CPU, PEAK_OF_ONE, PEAK_OF_ALL, FIGURES };

/* The words of all its processes, each process's ended by NULL. */
struct command {
	char *name;
	char *word[WORDS_MAX];
	size_t process[PROCESSES_MAX]; /* where its words begin */
	size_t processes;
	const char *input, *output;
	double *figure[FIGURES]; /* of each run */
};

static void parse(struct command *command, char *line)
{
	char *tab = strchr(line, '\t');
	size_t words = 0;

	if (!tab)
		diag_die("no tab in a line of the plan: %s", line);
	*tab = '\0';
	*command = (struct command){.name = line, .input = "/dev/null", .output = "/dev/null"};
	command->processes = 1;
	for (char *word = strtok(tab + 1, " "); word; word = strtok(NULL, " ")) {
		if (words + 2 > WORDS_MAX || command->processes == PROCESSES_MAX)
			diag_die("%s: too long a command", line);
		if (word[0] == '<') {
			command->input = word + 1;
		} else if (word[0] == '>') {
			command->output = word + 1;
		} else if (!strcmp(word, "|")) {
			command->word[words++] = NULL;
			command->process[command->processes++] = words;
		} else {
			command->word[words++] = word;
		}
	}
}

static int open_end(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);

	if (fd < 0)
		diag_die("%s: cannot open: %s", path, strerror(errno));
	return fd;
}

static pid_t start(char *const *word, int in, int out)
{
	pid_t pid = fork();

	if (pid < 0)
		diag_die("cannot start a process: %s", strerror(errno));
	if (pid)
		return pid;
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execvp(word[0], word);
	diag_error("%s: cannot run: %s", word[0], strerror(errno));
	_exit(127);
}

static void start_all(struct command *command, pid_t *pid)
{
	int in = open_end(command->input, O_RDONLY);

	for (size_t i = 0; i < command->processes; i++) {
		int ends[2];

		if (i + 1 == command->processes) {
			ends[0] = -1;
			ends[1] = open_end(command->output, O_WRONLY | O_CREAT | O_TRUNC);
		} else if (pipe2(ends, O_CLOEXEC)) {
			diag_die("cannot make a pipe: %s", strerror(errno));
		}
		pid[i] = start(&command->word[command->process[i]], in, ends[1]);
		close(in);
		close(ends[1]);
		in = ends[0];
	}
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run(struct command *command, double figure[FIGURES])
{
	pid_t pid[PROCESSES_MAX];
	double begin = now();

	memset(figure, 0, FIGURES * sizeof(*figure));
	start_all(command, pid);
	for (size_t i = 0; i < command->processes; i++) {
		struct rusage usage;
		int status;

		while (wait4(pid[i], &status, 0, &usage) < 0)
			if (errno != EINTR)
				diag_die("cannot wait: %s", strerror(errno));
		if (status)
			diag_die("%s: %s failed", command->name,
				 command->word[command->process[i]]);
		figure[CPU] += seconds(usage.ru_utime) + seconds(usage.ru_stime);
		figure[PEAK_OF_ALL] += (double)usage.ru_maxrss;
		if (figure[PEAK_OF_ONE] < (double)usage.ru_maxrss)
			figure[PEAK_OF_ONE] = (double)usage.ru_maxrss;
	}
	figure[WALL] = now() - begin;
}

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double median(const double *value, size_t count)
{
	return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

static void report(struct command *command, size_t runs)
{
	for (int i = 0; i < FIGURES; i++)
		qsort(command->figure[i], runs, sizeof(double), by_value);
	printf("%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.0f\t%.0f\n", command->name,
	       median(command->figure[WALL], runs), median(command->figure[CPU], runs),
	       command->figure[CPU][0], command->figure[CPU][runs - 1],
	       median(command->figure[PEAK_OF_ONE], runs),
	       median(command->figure[PEAK_OF_ALL], runs));
}

static struct command *read_plan(size_t *count)
{
	struct command *list = NULL;
	size_t capacity = 0, room = 0;
	char *line = NULL;
	ssize_t length;

	for (*count = 0; (length = getline(&line, &room, stdin)) > 0; line = NULL, room = 0) {
		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		list = xgrow(list, &capacity, *count + 1, sizeof(*list));
		parse(&list[(*count)++], line);
	}
	free(line);
	return list;
}

static void run_all(struct command *list, size_t count, size_t runs)
{
	double figure[FIGURES];

	for (size_t i = 0; i < count; i++) {
		for (int f = 0; f < FIGURES; f++)
			list[i].figure[f] = xcalloc(runs, sizeof(double));
		run(&list[i], figure);
	}
	for (size_t at = 0; at < runs; at++)
		for (size_t i = 0; i < count; i++) {
			run(&list[i], figure);
			for (int f = 0; f < FIGURES; f++)
				list[i].figure[f][at] = figure[f];
		}
}

int main(int argc, char **argv)
{
	struct options options = options_init(&tool, argc, argv);
	size_t runs = 7, count;
	struct command *list;
	int letter;

	while ((letter = options_next(&options)))
		if (letter == 'r')
			runs = (size_t)options_number(&options, 'r', 1, 1000);
	list = read_plan(&count);
	run_all(list, count, runs);
	printf("#name\twall\tcpu\tcpu_low\tcpu_high\tpeak_of_one\tpeak_of_all\n");
	for (size_t i = 0; i < count; i++) {
		report(&list[i], runs);
		for (int f = 0; f < FIGURES; f++)
			free(list[i].figure[f]);
		free(list[i].name);
	}
	free(list);
	return fflush(stdout) ? TPA_FAILED : TPA_DONE;
}
