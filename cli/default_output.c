/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/default_output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/mem.h"

static bool is_in_path(const char *program)
{
	const char *dir = getenv("PATH");
	bool found = false;

	while (dir && !found) {
		const char *end = strchrnul(dir, ':');
		char *file = mem_printf("%.*s/%s", (int)(end - dir), dir, program);

		found = !access(file, X_OK);
		free(file);
		dir = *end ? end + 1 : NULL;
	}
	return found;
}

/* "|COMMAND", valid until the next call, or NULL. */
static const char *pager(void)
{
	static char *output;
	const char *command = getenv("TRACER_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = is_in_path("less") ? "less" : "";
	if (!*command || !strcmp(command, "cat"))
		return NULL;
	/* Leave at once if it fits on one screen, show colors, and do not clear the screen. */
	setenv("LESS", "FRX", 0);
	free(output);
	output = mem_printf("|%s", command);
	return output;
}

bool default_output_is_stdout(const struct options *o)
{
	return o->read_traces.n || o->snapshot;
}

bool default_output_is_terminal(const struct options *o)
{
	return !o->text.path && isatty(default_output_is_stdout(o) ? STDOUT_FILENO : STDERR_FILENO);
}

const char *default_output_path(const struct options *o)
{
	const char *path = NULL;

	if (!default_output_is_stdout(o))
		return NULL;
	if (default_output_is_terminal(o))
		path = pager();
	return path ? path : "-";
}
