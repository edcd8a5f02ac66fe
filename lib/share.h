/*
 * share: where the data files that come with tpa are.
 *
 * In this order: $TPA_SHARE; beside the running tool, ../share/tpa (installed)
 * and ../../share/tpa (in the build tree); the prefix it was built for.
 */
#ifndef TPA_SHARE_H
#define TPA_SHARE_H

#include "buffer.h"

/* Appends the path of share/tpa/NAME, terminated, whether or not it is there. */
void share_path(struct buffer *path, const char *name);

#endif
