/*
 * A drawing of the timeline, in one file that a browser opens.
 *
 * Streams are lanes, kernels are coloured by category, a red bar below a kernel
 * says that it is exposed there; names and figures show on hover.
 */
#include "diag.h"
#include "fmt_formats.h"
#include "fmt_markup.h"

#include <stdlib.h>

struct svg {
	const struct request *request;
	struct shown_kernels kernels;
};

static void *open_svg(const struct request *request)
{
	struct svg *svg = xcalloc(1, sizeof(*svg));

	svg->request = request;
	return svg;
}

static bool take(void *state, struct record *record)
{
	struct svg *svg = state;

	return record->type != RECORD_KERNEL || shown_kernels_take(&svg->kernels, record);
}

static void close_svg(void *state)
{
	struct svg *svg = state;
	struct buffer out = BUFFER_INIT;
	struct timeline timeline;
	int64_t from, to;

	if (stretch_choose(&svg->kernels, &svg->request->stretch, &from, &to)) {
		timeline_make(&timeline, &svg->kernels, from, to);
		markup_timeline(&out, &timeline, &svg->kernels, true);
		timeline_release(&timeline);
		record_put_lines(svg->request->out, out.data, out.length);
	} else {
		diag_note("no kernels to draw");
	}
	buffer_release(&out);
	shown_kernels_release(&svg->kernels);
	free(svg);
}

const struct format format_svg = {"svg", open_svg, take, close_svg};
