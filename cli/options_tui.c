/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks which options can be used with --tui. */
#include "config.h"

#include <string.h>

#include "cli/options.h"
#include "cli/options_seen.h"
#include "util/msg.h"

void options_tui(struct options *o, const struct seen *seen)
{
	if (!o->tui)
		return;
	options_refuse(o, seen, WITH_TUI, "--tui");
	vec_for_each (&o->read_traces, path)
		if (!strcmp(*path, "-"))
			die("--tui reads parts of the trace again, so it needs a file, not "
			    "standard input");
#ifndef WITH_NCURSES
	die("--tui: this tracer was built without ncurses");
#endif
	if (o->trace)
		return;
	/* The program is recorded, and the recording is shown. */
	o->record_only = true;
	o->print_recorded = o->print_recorded && o->write_trace;
}
