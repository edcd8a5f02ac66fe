#include "stage.h"

#include <unistd.h>

static void flush_whole(void *context)
{
	struct stage *stage = context;

	if (stage->reader)
		record_reader_flush(stage->reader);
	record_writer_flush(&stage->out);
}

void stage_open(struct stage *stage)
{
	record_writer_init(&stage->out, STDOUT_FILENO, "stdout");
	diag_on_die(flush_whole, stage);
}

static enum tpa_exit run_reader(struct stage *stage, struct record_reader *reader)
{
	enum tpa_exit status = TPA_DONE;
	struct record record;
	enum record_read result;

	while ((result = record_reader_next(reader, &record)) != RECORD_ENDED) {
		if (result == RECORD_FAILED || stage->out.error)
			return TPA_FAILED;
		if (result == RECORD_READ) {
			switch (stage->take(stage->state, &record)) {
			case STAGE_KEPT:
				continue;
			case STAGE_PASS:
				if (!(stage->reads & RECORD_BIT(record.type)))
					record_put_lines(&stage->out, record.line,
							 record.length + 1);
				continue;
			case STAGE_FAULT:
				record_reader_drop(reader);
				break;
			}
		}
		record_reader_complain(reader, &record);
		if (!stage->keep_going)
			return TPA_FAILED;
		status = TPA_LOSSY;
	}
	return status;
}

enum tpa_exit stage_run(struct stage *stage, char *const *files, int count)
{
	static char *const standard_input[] = {"-"};
	enum tpa_exit status = TPA_DONE;

	if (!count) {
		files = standard_input;
		count = 1;
	}
	for (int i = 0; i < count && status != TPA_FAILED; i++) {
		struct record_reader reader;
		enum tpa_exit here;
		const char *name;
		int fd = record_open(files[i], &name);

		if (fd < 0)
			return TPA_FAILED;
		record_reader_init(&reader, fd, name, stage->wants, stage->pass ? &stage->out : NULL);
		reader.reads = stage->reads;
		stage->reader = &reader;
		here = run_reader(stage, &reader);
		stage->reader = NULL;
		record_reader_release(&reader);
		if (fd != STDIN_FILENO)
			close(fd);
		if (here != TPA_DONE)
			status = here;
	}
	return status;
}

enum tpa_exit stage_close(struct stage *stage, enum tpa_exit status)
{
	diag_on_die(NULL, NULL);
	return record_writer_close(&stage->out) ? status : TPA_FAILED;
}
