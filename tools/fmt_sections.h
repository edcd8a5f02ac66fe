/*
 * fmt_sections: a stream of records as sections of rows.
 *
 * A section is a run of records of one type that are alike in the columns that
 * head their view: one rank, process and stage, say.  Types that are not ours
 * are shown, too, by the columns that a comment of the stream names for them
 * ("#spread<TAB>rank<TAB>..."), else by number.
 *
 * The sink is told of each section and each of its rows.
 */
#ifndef TPA_FMT_SECTIONS_H
#define TPA_FMT_SECTIONS_H

#include "fmt_view.h"
#include "intern.h"

struct cell {
	size_t start, length; /* in the row's text */
};

/* The cells of a row are those of its view's columns after the heads. */
struct row {
	struct buffer text; /* safe */
	struct cell *cell;
	size_t cells, capacity;
};

struct section_sink {
	/* the view and what heads it, "decode"; both hold until end */
	void (*begin)(void *state, const struct view *view, const struct buffer *heading);
	void (*row)(void *state, const struct row *row);
	void (*end)(void *state);
};

struct sections {
	const struct choice *choice;
	const struct section_sink *sink;
	void *state; /* the sink's */
	struct view chosen[RECORD_TYPE_COUNT]; /* where columns were chosen */
	/* the section that is open */
	bool open;
	struct view view;
	enum record_type type;
	struct buffer head; /* the fields that head it, or the type if that is not ours */
	struct buffer heading;
	struct row row;
	struct buffer scratch;
	/* columns of types that are not ours: as comments name them, "rank\0pid\0..." */
	struct intern named;
	struct buffer *names;
	size_t names_capacity;
	/* and of the section that is open, if it is of such a type */
	struct buffer titles;
	struct view_column *column;
	size_t column_capacity;
};

void sections_init(struct sections *sections, const struct choice *choice,
		   const struct section_sink *sink, void *state);

/* Takes a record of any type, or a comment; false with the fault noted. */
bool sections_take(struct sections *sections, struct record *record)
	__attribute__((warn_unused_result));

/* Ends the section that is open, and frees everything. */
void sections_close(struct sections *sections);

#endif
