/*
 * fmt_markup: what the pages and drawings have in common.
 */
#ifndef TPA_FMT_MARKUP_H
#define TPA_FMT_MARKUP_H

#include "fmt_timeline.h"

/* Appends safe text for use between tags and in quoted attributes. */
void markup_text(struct buffer *out, const char *safe, size_t length);

/* The same of a record's field. */
void markup_field(struct buffer *out, const char *field, size_t length);

/* The style of drawings: colours of categories, in light and in dark. */
void markup_style(struct buffer *out);

/*
 * The timeline as an <svg> element, a lane below the other, with names on hover.
 * With `styled` it holds its own style.
 */
void markup_timeline(struct buffer *out, const struct timeline *timeline,
		     const struct shown_kernels *kernels, bool styled);

#endif
