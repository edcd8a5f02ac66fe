#include "extract_shape.h"

#include <string.h>

static uint32_t mask_of(size_t length)
{
	return length >= 32 ? UINT32_MAX : (UINT32_C(1) << length) - 1;
}

struct shape_step *shape_learn(struct event_shapes *shapes, struct shape_step *step,
			       const struct shape_step *found, cursor from, cursor to)
{
	struct shape_step *fresh;
	size_t length = (size_t)(to - from);

	shapes->passing = *found;
	if (step == &shapes->passing || length > SHAPE_TEXT || step->nexts == SHAPE_NEXT ||
	    shapes->count == SHAPE_STEPS - 1)
		return &shapes->passing;
	shapes->count++;
	step->next[step->nexts++] = (uint16_t)shapes->count;
	fresh = &shapes->step[shapes->count];
	*fresh = *found;
	memcpy(fresh->text, from, length);
	fresh->length = (uint8_t)length;
	fresh->mask[0] = mask_of(length);
	fresh->mask[1] = length > 32 ? mask_of(length - 32) : 0;
	return fresh;
}
