#include "share.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifndef TPA_SHARE_DIR
#define TPA_SHARE_DIR "/usr/local/share/tpa"
#endif

static void set_path(struct buffer *path, size_t start, const char *folder, const char *name)
{
	path->length = start;
	buffer_printf(path, "%s/%s", folder, name);
	buffer_add_char(path, '\0');
	path->length--;
}

/* The path of the running tool; without /proc, as in a bare chroot, that of its start. */
static bool own_path(char self[PATH_MAX])
{
	const char *started = (const char *)getauxval(AT_EXECFN);
	ssize_t length = readlink("/proc/self/exe", self, PATH_MAX - 1);

	if (length > 0) {
		self[length] = '\0';
		return true;
	}
	return started && realpath(started, self);
}

/* Whether share/tpa beside the tool's own folder, or one above that, has it. */
static bool beside_tool(struct buffer *path, size_t start, const char *name)
{
	static const char *const steps[] = {"/../share/tpa", "/../../share/tpa"};
	char self[PATH_MAX + 32];
	char *slash;

	if (!own_path(self))
		return false;
	slash = strrchr(self, '/');
	for (size_t i = 0; slash && i < sizeof(steps) / sizeof(steps[0]); i++) {
		strcpy(slash, steps[i]);
		set_path(path, start, self, name);
		if (!access(path->data + start, R_OK))
			return true;
	}
	return false;
}

void share_path(struct buffer *path, const char *name)
{
	const char *folder = getenv("TPA_SHARE");
	size_t start = path->length;

	if (folder && *folder)
		set_path(path, start, folder, name);
	else if (!beside_tool(path, start, name))
		set_path(path, start, TPA_SHARE_DIR, name);
}
