/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/symbols_hint.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unwind.h"
#include "util/escape.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/strbuf.h"

/*
 * Returns the path of the user's state directory (see the XDG Base Directory Specification), or
 * NULL. The directory may not exist. The caller frees the result.
 */
static char *state_home(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	struct stat st;

	if (state && *state == '/')
		return mem_strdup(state);
	/*
	 * With sudo, $HOME can be the home directory of another user. Files of root must not be
	 * created there.
	 */
	if (!home || *home != '/' || stat(home, &st) < 0 || st.st_uid != geteuid())
		return NULL;
	return mem_printf("%s/.local/state", home);
}

/* Creates a directory and its parents. Errors are not reported. */
static void make_directories(char *path)
{
	for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
		*slash = 0;
		mkdir(path, 0700);
		*slash = '/';
	}
	mkdir(path, 0700);
}

/* Returns true if this is the first call for this user. Returns false if that is unknown. */
static bool is_first(void)
{
	attr_cleanup(mem_free_ptr) char *state = state_home(), *dir = NULL, *path = NULL;
	int fd;

	if (!state)
		return false;
	dir = mem_printf("%s/tracer", state);
	path = mem_printf("%s/symbols-hint", dir);
	make_directories(dir);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Returns true if the file belongs to glibc. Debian has a separate package for glibc's symbols. */
static bool is_libc(const char *path)
{
	static const char *const names[] = {"/libc.so.", "/libpthread.so.", "/ld-linux"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(strrchr(path, '/'), names[i], strlen(names[i])))
			return true;
	return false;
}

void symbols_hint(const struct unwinder *u, const struct unwind_config *config)
{
	const char *path = u && isatty(STDERR_FILENO) ? unwind_unnamed_file(u) : NULL;
	struct strbuf name = {0};

	if (!path || *path != '/' || !is_first())
		return;
	escape_name(&name, path, strlen(path));
	msg("names are missing in stacks, because the symbols of %s are not installed (Debian: "
	    "%s)%s",
	    strbuf_str(&name), is_libc(path) ? "libc6-dbg" : "a package whose name ends in -dbgsym",
	    config->debuginfod || !unwind_is_built_in(UNWIND_DEBUGINFOD) ? ""
									 : "; or use --debuginfod");
	strbuf_deinit(&name);
}
