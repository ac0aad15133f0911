/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/mem.h"
#include "util/msg.h"

static bool executable(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && st.st_mode & 0111;
}

static char *in_directory(const char *dir, size_t len, const char *name)
{
	attr_cleanup(mem_free_ptr) char *cwd = NULL;

	if (!len) {
		cwd = getcwd(NULL, 0);
		if (!cwd)
			return NULL;
		dir = cwd;
		len = strlen(cwd);
	}
	return mem_printf("%.*s%s%s", (int)len, dir, dir[len - 1] == '/' ? "" : "/", name);
}

char *program_in_path(const char *name)
{
	const char *dirs = getenv("PATH");

	/*
	 * In PATH, an empty element means the current directory. An empty element at the end is
	 * ignored.
	 */
	for (const char *dir = dirs; dir && *dir && *name;) {
		size_t len = strcspn(dir, ":");
		char *path = in_directory(dir, len, name);

		if (path && executable(path))
			return path;
		free(path);
		dir += len + (dir[len] == ':');
	}
	return NULL;
}

char *program_find(const char *name)
{
	struct stat st;
	char *path;

	if (strlen(name) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		die_errno("exec");
	}
	if (strchr(name, '/')) {
		if (stat(name, &st))
			die_errno("Cannot stat '%s'", name);
		return mem_strdup(name);
	}
	path = program_in_path(name);
	if (path)
		return path;
	die("Cannot find executable '%s'", name);
}
