/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks which options can be used with --tui. */
#include "config.h"

#include <string.h>

#include "cli/help.h"
#include "cli/options.h"
#include "cli/options_seen.h"
#include "util/msg.h"

void options_tui(struct options *o, const struct seen *seen)
{
	const struct {
		const char *option;
		bool given;
	} refused[] = {
		{"-o/--output", o->text.path},
		{"--format", seen->format},
		{"-c/--summary-only and -C/--summary", o->summarize},
		{"-ff/--output-separately", o->text.separately},
		{"-D/--daemonize", o->daemonize},
		{"--blocked", o->blocked_ns},
		{"--snapshot", o->snapshot},
		{"--last", o->text.limits.last},
		{"--output-limit with --read-trace or --write-trace",
		 o->text.limits.bytes && (o->read_traces.n || o->write_trace)},
		{"--fd-report", o->fd_report},
		{"--critical-path", o->critical_path},
		{"--files", o->files},
		{"--learn", o->learn},
		{"--fail-on and --stop-on", o->assertions.n},
		{"--diff", o->diff},
		{"--symbolize", o->symbolize},
		{"--info", o->info},
	};

	if (!o->tui)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (refused[i].given)
			die_usage("%s and --tui are mutually exclusive", refused[i].option);
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
