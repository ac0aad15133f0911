/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Warns about options that have no effect because of other options. */
#include <string.h>

#include "cli/options.h"
#include "cli/options_seen.h"
#include "util/msg.h"

struct idle {
	const char *option;
	bool given;
	unsigned needs; /* kinds of output for which the option has an effect: bits of enum
			   sink_shows */
};

/*
 * Warns about output options that have no effect. `shows` contains the properties of the output
 * (bits of enum sink_shows). `by` is the option that makes the other options ineffective. The
 * messages contain its name.
 */
static void warn_output_options(const struct options *o, const struct seen *seen, unsigned shows,
				const char *by)
{
	/*
	 * With -c, options_check.c prints strace's warnings about some of these options, so do not
	 * warn about them again.
	 */
	const bool c = o->summary_only;
	const struct idle options[] = {
		{"-a/--columns", seen->a, SHOWS_LINES},
		{"-i/--instruction-pointer", !c && seen->i, SHOWS_LINES},
		{"-n/--syscall-number", !c && seen->n, SHOWS_LINES},
		{"-r/--relative-timestamps", !c && seen->r, SHOWS_LINES},
		{"-t/--absolute-timestamps", !c && (o->text.absolute != TIME_NONE), SHOWS_LINES},
		{"-T/--syscall-times", !c && seen->T, SHOWS_LINES},
		{"--always-show-pid", o->text.always_show_pid && !o->snapshot, SHOWS_LINES},
		{"--color", seen->color, SHOWS_LINES},
		{"--stack-trace-style", seen->stack_style && o->stacks, SHOWS_LINES},
		{"-N/--arg-names", !c && seen->N, SHOWS_SPELLING},
		{"-x/--strings-in-hex", seen->x_short || seen->x_long, SHOWS_SPELLING},
		{"--strings", seen->strings != STRINGS_AUTO, SHOWS_SPELLING},
		{"-X/--const-print-style", seen->X, SHOWS_SPELLING},
		{"-s/--string-limit", seen->s && !o->write_trace, SHOWS_VALUES},
		{"-v/--no-abbrev", !syscall_set_is_full(&seen->abbrev), SHOWS_VALUES},
		{"-y/--decode-fds", !c && (seen->y_short || seen->y_long), SHOWS_VALUES},
		{"-Y/--decode-pids=comm", seen->Y, SHOWS_VALUES},
		{"--secontext", o->secontext && !o->write_trace, SHOWS_VALUES},
		{"-e read=", o->dump_read.members.n && !o->write_trace, SHOWS_DUMPS},
		{"-e write=", o->dump_write.members.n && !o->write_trace, SHOWS_DUMPS},
		{"--blocked", o->blocked_ns && !o->summary_only, SHOWS_BLOCKED},
		{"--wakers", o->wakers, SHOWS_WAKERS},
		{"--weight", seen->weight, SHOWS_WEIGHTS},
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].given && !(options[i].needs & shows))
			msg("%s has no effect with %s", options[i].option, by);
}

static void warn_stack_options(const struct options *o, const struct seen *seen)
{
	const struct {
		const char *option;
		bool given;
	} options[] = {
		{"--unwinder", seen->unwinder},
		{"--stack-trace-frame-limit", seen->frame_limit && !seen->k},
		{"--stack-size", o->capture.stack_size},
		{"--debuginfod", o->unwind.debuginfod},
		{"--native-frames", o->unwind.native_frames},
		{"--stack-trace-style", seen->stack_style},
	};

	for (size_t i = 0; i < ARRAY_SIZE(options) && !o->stacks; i++)
		if (options[i].given)
			msg("%s has no effect without -k/--stack-trace", options[i].option);
}

/* Returns the option that selects a kind of summary that strace does not have, or NULL. */
static const char *own_summary(const struct options *o)
{
	return o->summary.format == SUMMARY_JSON     ? "-c --format=json"
	       : o->summary.format == SUMMARY_CSV    ? "-c --format=csv"
	       : o->group			     ? "-c --group-by"
	       : o->summary.by != SUMMARY_BY_SYSCALL ? "-c --summary-by"
						     : NULL;
}

static void warn_summary_options(const struct options *o, const struct seen *seen)
{
	const char *own = own_summary(o);

	if (own) {
		warn_output_options(o, seen, 0, own);
		return;
	}
	/*
	 * With a plain -c, strace silently ignores most of its other options. Do the same, and warn
	 * only about tracer's options.
	 */
	if (seen->stack_style && o->stacks)
		msg("--stack-trace-style has no effect with -c/--summary-only");
	if (seen->weight)
		msg("--weight has no effect with -c/--summary-only");
}

void options_effect(const struct options *o, const struct seen *seen)
{
	const char *format = o->format->name;

	warn_stack_options(o, seen);
	if (o->symbolize)
		warn_output_options(o, seen, 0, "--symbolize");
	else if (o->record_only)
		warn_output_options(o, seen, 0, "--write-trace alone");
	else if (o->fd_report)
		warn_output_options(o, seen, SHOWS_BLOCKED, "--fd-report");
	else if (o->critical_path)
		warn_output_options(o, seen, SHOWS_WAKERS, "--critical-path");
	else if (o->files)
		warn_output_options(o, seen, 0, "--files");
	else if (o->execs)
		warn_output_options(o, seen, 0, "--execs");
	else if (o->learn)
		warn_output_options(o, seen, 0, "--learn");
	else if (o->live_ns)
		warn_output_options(o, seen, SHOWS_SPELLING | SHOWS_VALUES | SHOWS_WAKERS,
				    "--live");
	else if (o->summary_only)
		warn_summary_options(o, seen);
	else if (strcmp(format, "text") != 0)
		warn_output_options(o, seen, o->format->shows, o->format->option);
	else if (seen->weight && !o->diff)
		msg("--weight has no effect without --format=folded or --format=flamegraph");
	if (seen->wait_spin && (o->trace || !strcmp(o->engine->name, "bpf")))
		msg("--wait-spin has no effect with %s",
		    o->trace ? "--read-trace" : "--engine=bpf");
}
