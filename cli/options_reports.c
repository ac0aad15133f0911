/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks --files, --execs and --learn, which print a report instead of calls. */
#include "cli/options.h"

#include <string.h>

#include "cli/options_seen.h"
#include "sinks/files/files.h"
#include "util/msg.h"

void options_files(struct options *o, const struct seen *seen)
{
	const bool json = !strcmp(o->format->name, "json");

	if (!o->files)
		return;
	options_refuse(o, seen, WITH_FILES, "--files");
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

void options_execs(struct options *o, const struct seen *seen)
{
	const bool json = !strcmp(o->format->name, "json");

	if (!o->execs)
		return;
	options_refuse(o, seen, WITH_EXECS, "--execs");
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

void options_learn(struct options *o, const struct seen *seen)
{
	if (!o->learn)
		return;
	options_refuse(o, seen, WITH_LEARN, "--learn");
	if (strcmp(o->format->name, "text") != 0)
		die_usage("%s and --learn are mutually exclusive", o->format->option);
	o->text.muted = true;
	if (o->learn_config.format == LEARN_SECCOMP)
		return;
	o->decode.fd_details |= FD_PATH;
	o->decode.resolve_paths = true;
}
