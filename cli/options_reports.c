/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks --files, which prints a report instead of calls. */
#include "cli/options.h"

#include <string.h>

#include "cli/options_seen.h"
#include "sinks/files/files.h"
#include "util/msg.h"

#define OPTION "--files"

void options_files(struct options *o)
{
	const struct filter *f = &o->filter;
	const struct {
		const char *option;
		bool given;
	} refused[] = {
		{"-c/--summary-only and -C/--summary", o->summarize},
		{"--fd-report", o->fd_report},
		{"--critical-path", o->critical_path},
		{"--snapshot", o->snapshot},
		{"--blocked", o->blocked_ns},
		{"--diff", o->diff},
		{"-ff/--output-separately", o->text.separately},
		{"--last", o->text.limits.last},
		{"--output-limit", o->text.limits.bytes},
		{"-e trace=", f->trace.named || !syscall_set_is_full(&f->trace)},
		{"-e status=, -z/--successful-only, -Z/--failed-only",
		 f->statuses != (1 << STATUS_COUNT) - 1},
	};
	const bool json = !strcmp(o->format->name, "json");

	if (!o->files)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (refused[i].given)
			die_usage("%s and " OPTION " are mutually exclusive", refused[i].option);
	if (json ? o->files_config.format == FILES_DEPFILE : strcmp(o->format->name, "text") != 0)
		die_usage("%s and %s are mutually exclusive", o->format->option,
			  json ? OPTION "=depfile" : OPTION);
	if (json)
		o->files_config.format = FILES_JSON;
	o->format = sink_format_next(NULL);
	o->text.muted = true;
	o->decode.fd_details |= FD_PATH;
	o->decode.resolve_paths = true;
	syscall_set_parse(&o->filter.trace, files_calls);
}
