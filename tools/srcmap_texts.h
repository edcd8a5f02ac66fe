/*
 * srcmap_texts: the names of frames, CPU ops and launches, each once.
 *
 * There are thousands of names and millions of records, so what a name tells
 * is worked out when it is first asked for, and then known.  Names are held as
 * plain text, not as a record has them.
 */
#ifndef TPA_SRCMAP_TEXTS_H
#define TPA_SRCMAP_TEXTS_H

#include "buffer.h"
#include "intern.h"
#include "record.h"

#include <stddef.h>
#include <stdint.h>

struct text_fact {
	uint32_t shown;
	int16_t score;
	uint8_t worth;
	uint8_t known; /* which of the three */
};

struct texts {
	struct intern names;
	struct text_fact *fact; /* by id */
	size_t capacity;
	struct buffer scratch;
};

#define TEXTS_INIT {0}
#define TEXT_NONE INTERN_NONE
#define TEXT_ID_MAX (UINT32_MAX / 4) /* ids fit in 30 bits, see intern.h */

/* The id of a text; of a field's text, which is one of a sequence (intern_next). */
uint32_t texts_add(struct texts *texts, const char *text, size_t length);
uint32_t texts_add_field(struct texts *texts, uint32_t *last, struct field field);

/* name_scope_worth and name_scope_score of a frame's name. */
unsigned texts_worth(struct texts *texts, uint32_t id);
int texts_score(struct texts *texts, uint32_t id);

/* The id of an op's name as it is shown (canonicalize_cpu_op_name: 100 characters at most). */
uint32_t texts_shown(struct texts *texts, uint32_t id);

/* The order of the texts themselves. */
int texts_compare(const struct texts *texts, uint32_t a, uint32_t b);

void texts_release(struct texts *texts);

#endif
