#include "extract_shape.h"

#include <string.h>

struct shape_step *shape_learn(struct event_shapes *shapes, struct shape_step *step,
			       const struct shape_step *found, cursor from, cursor to)
{
	struct shape_step *fresh, **last = &step->next;
	size_t length = (size_t)(to - from);

	shapes->passing = *found;
	if (step == &shapes->passing || length > SHAPE_TEXT || step->nexts == SHAPE_NEXT ||
	    shapes->count == SHAPE_STEPS - 1)
		return &shapes->passing;
	fresh = &shapes->step[++shapes->count];
	*fresh = *found;
	memcpy(fresh->text, from, length);
	fresh->length = (uint8_t)length;
	for (size_t i = 0; i < length; i++)
		fresh->mask[i / 16] |= (uint16_t)(1u << i % 16);
	while (*last)
		last = &(*last)->sibling;
	*last = fresh;
	step->nexts++;
	return fresh;
}
