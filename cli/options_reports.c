/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks --files, --execs and --learn, which print a report instead of calls. */
#include "cli/options.h"

#include <string.h>

#include "cli/options_seen.h"
#include "sinks/files/files.h"
#include "util/msg.h"

/* Rejects options that cannot be used with a report. */
static void check_report(const struct options *o, const char *report)
{
	const struct filter *f = &o->filter;
	const struct {
		const char *option;
		bool given;
	} refused[] = {
		{"-c/--summary-only and -C/--summary", o->summarize},
		{"--fd-report", o->fd_report},
		{"--critical-path", o->critical_path},
		{"--execs", o->execs && strcmp(report, "--execs") != 0},
		{"--learn", o->learn && strcmp(report, "--learn") != 0},
		{"--snapshot", o->snapshot},
		{"--blocked", o->blocked_ns},
		{"--diff", o->diff},
		{"-ff/--output-separately", o->text.separately},
		{"--last", o->text.limits.last},
		{"--output-limit", o->text.limits.bytes},
		{"-e trace=", f->trace.named || !syscall_set_is_full(&f->trace)},
		{"-e status=, -z/--successful-only, -Z/--failed-only", f->status},
	};

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (refused[i].given)
			die_usage("%s and %s are mutually exclusive", refused[i].option, report);
}

void options_files(struct options *o)
{
	const bool json = !strcmp(o->format->name, "json");

	if (!o->files)
		return;
	check_report(o, "--files");
	if (json ? o->files_config.format == FILES_DEPFILE : strcmp(o->format->name, "text") != 0)
		die_usage("%s and %s are mutually exclusive", o->format->option,
			  json ? "--files=depfile" : "--files");
	if (json)
		o->files_config.format = FILES_JSON;
	o->format = sink_format_next(NULL);
	o->text.muted = true;
	o->decode.fd_details |= FD_PATH;
	o->decode.resolve_paths = true;
	syscall_set_parse(&o->filter.trace, files_calls);
}

void options_execs(struct options *o)
{
	const bool json = !strcmp(o->format->name, "json");

	if (!o->execs)
		return;
	check_report(o, "--execs");
	if (!json && strcmp(o->format->name, "text") != 0)
		die_usage("%s and --execs are mutually exclusive", o->format->option);
	o->execs_config.json = json;
	o->format = sink_format_next(NULL);
	o->text.muted = true;
	o->decode.fd_details |= FD_PATH;
	o->decode.resolve_paths = true;
	o->decode.command_limit = COMMAND_STRINGS;
	syscall_set_parse(&o->filter.trace, execs_calls);
}

void options_learn(struct options *o)
{
	if (!o->learn)
		return;
	check_report(o, "--learn");
	if (strcmp(o->format->name, "text") != 0)
		die_usage("%s and --learn are mutually exclusive", o->format->option);
	if (o->filter.where)
		die_usage("--where and --learn are mutually exclusive");
	o->text.muted = true;
	if (o->learn_config.format == LEARN_SECCOMP)
		return;
	o->decode.fd_details |= FD_PATH;
	o->decode.resolve_paths = true;
}
