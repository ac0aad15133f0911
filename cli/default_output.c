/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/default_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/options_seen.h"
#include "cli/program.h"
#include "util/locale.h"
#include "util/mem.h"
#include "util/msg.h"

/* Returns "|COMMAND", or NULL if no pager is used. The string is valid until the next call. */
static const char *pager(void)
{
	static char *output;
	attr_cleanup(mem_free_ptr) char *less = NULL;
	const char *command = getenv("TRACER_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = (less = program_in_path("less")) ? "less" : NULL;
	if (!command || !*command || !strcmp(command, "cat"))
		return NULL;
	/*
	 * less(1): exit at once if the output fits on one screen, keep colors, do not clear the
	 * screen.
	 */
	setenv("LESS", "FRX", 0);
	free(output);
	output = mem_printf("|%s", command);
	return output;
}

static bool is_stdout(const struct options *o)
{
	return o->read_traces.n || o->snapshot || o->live_ns;
}

bool default_output_is_terminal(const struct options *o)
{
	return !o->text.path && isatty(is_stdout(o) ? STDOUT_FILENO : STDERR_FILENO);
}

unsigned default_output_width(const struct options *o)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	unsigned width = 0;

	if (!default_output_is_terminal(o))
		return 0;
	if (columns && sscanf(columns, "%u", &width) == 1 && width)
		return width;
	return ioctl(is_stdout(o) ? STDOUT_FILENO : STDERR_FILENO, TIOCGWINSZ, &size) ? 0
										      : size.ws_col;
}

const char *default_output_path(const struct options *o)
{
	const char *path = NULL;

	if (!is_stdout(o))
		return NULL;
	if (default_output_is_terminal(o) && !o->live_ns)
		path = pager();
	return path ? path : "-";
}

static bool color_wanted(const struct options *o)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	return default_output_is_terminal(o) && !(no && *no) && term && strcmp(term, "dumb");
}

void default_output_style(struct options *o, const struct seen *seen)
{
	const bool terminal = default_output_is_terminal(o) && strcmp(msg_program(), "strace") != 0;

	if ((seen->x_short || seen->x_long) && seen->strings == STRINGS_UTF8)
		die_usage("--strings=utf8 and -x/--strings-in-hex are mutually exclusive");
	if (seen->strings == STRINGS_UTF8 ||
	    (seen->strings == STRINGS_AUTO && (terminal || o->format->on_screen) &&
	     locale_is_utf8() && !seen->x_short && !seen->x_long))
		o->text.hex_strings = HEX_NOT_UTF8;
	/* A page is shown by a browser, so the encoding of the terminal does not matter. */
	if (o->format->is_page && seen->strings == STRINGS_AUTO && !seen->x_short && !seen->x_long)
		o->text.hex_strings = HEX_NOT_UTF8;
	o->text.short_paths = terminal;
	if (seen->color_auto)
		o->text.color = color_wanted(o);
}
