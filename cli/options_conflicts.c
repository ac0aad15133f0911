/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options that cannot be used with reports, views and traces. */
#include "cli/options.h"
#include "cli/options_seen.h"
#include "util/msg.h"

const char *options_conflict(const struct options *o, const struct seen *seen, unsigned with)
{
	enum {
		VIEWS = WITH_LIVE | WITH_TUI,
		REPORTS = WITH_FILES | WITH_EXECS | WITH_LEARN,
		/* The options that print something other than the calls. */
		OUTPUTS = VIEWS | REPORTS | WITH_CRITICAL_PATH | WITH_SNAPSHOT,
		/* The options that print something other than the events of a trace. */
		UNSHOWN = WITH_SYMBOLIZE | WITH_INFO,
	};
	const struct filter *f = &o->filter;
	const struct log_limits *limits = &o->text.limits;
	const bool trace = f->trace.named || !syscall_set_is_full(&f->trace);
	/* The first row that applies determines the message. */
	const struct {
		const char *option;
		bool given;
		unsigned with; /* WITH_ bits of the options with which `option` cannot be used */
	} rows[] = {
		{"a repeated --read-trace", o->read_traces.n > 1, WITH_DIFF | WITH_SYMBOLIZE},
		{"--info", o->info, WITH_SYMBOLIZE},
		{"PROG [ARGS]", o->argv, WITH_READ_TRACE | WITH_SNAPSHOT},
		{"--read-trace", o->read_traces.n, WITH_LIVE},
		{"--write-trace", o->write_trace, WITH_READ_TRACE | WITH_SNAPSHOT | WITH_LIVE},
		{"-p/--attach", o->pids.n, WITH_DIFF | UNSHOWN},
		{"--engine", seen->engine, WITH_READ_TRACE},
		{"-o/--output", o->text.path, WITH_TUI | UNSHOWN},
		{"--format", seen->format, VIEWS | UNSHOWN},
		{SUMMARY_OPTIONS, o->summarize, OUTPUTS | WITH_FD_REPORT | WITH_DIFF | UNSHOWN},
		{o->format->option, !o->format->snapshots, WITH_SNAPSHOT},
		{o->format->option, !o->format->summaries || !o->format->by_event, WITH_FD_REPORT},
		{"-ff/--output-separately", o->text.separately,
		 (OUTPUTS & ~WITH_SNAPSHOT) | WITH_FD_REPORT | WITH_DIFF},
		{"-D/--daemonize", o->daemonize, VIEWS | WITH_READ_TRACE},
		{"-u/--user", seen->user, WITH_READ_TRACE},
		{"-E/--env", seen->env.n, WITH_READ_TRACE},
		{"--argv0", seen->argv0, WITH_READ_TRACE},
		{"--tree", o->tree, WITH_READ_TRACE},
		{"--all", o->all, WITH_READ_TRACE},
		{"--cgroup", o->cgroups.n, WITH_READ_TRACE},
		{"--container", o->containers.n, WITH_READ_TRACE},
		{"-k/--stack-trace", seen->k, WITH_LIVE | UNSHOWN},
		{"--fd-report", o->fd_report, OUTPUTS},
		{"--critical-path", o->critical_path, OUTPUTS & ~WITH_CRITICAL_PATH},
		{"--files", o->files, VIEWS},
		{"--execs", o->execs, WITH_LIVE | (REPORTS & ~WITH_EXECS)},
		{"--learn", o->learn, VIEWS | (REPORTS & ~WITH_LEARN)},
		{"--snapshot", o->snapshot, VIEWS | REPORTS | WITH_READ_TRACE | WITH_ASSERTIONS},
		{"--blocked", o->blocked_ns, OUTPUTS | WITH_DIFF | UNSHOWN},
		{"--diff", o->diff,
		 WITH_TUI | REPORTS | WITH_CRITICAL_PATH | WITH_ASSERTIONS | UNSHOWN},
		{"--symbolize", o->symbolize, WITH_TUI | WITH_ASSERTIONS},
		{"--info", o->info, WITH_TUI | WITH_ASSERTIONS},
		{"--seccomp-bpf", seen->seccomp_bpf, WITH_READ_TRACE},
		{"--stop-after", o->stop_after_ns, WITH_READ_TRACE | WITH_SNAPSHOT},
		{"--last", limits->last, OUTPUTS | WITH_FD_REPORT},
		{"--output-limit", limits->bytes,
		 WITH_LIVE | REPORTS | WITH_CRITICAL_PATH | WITH_FD_REPORT},
		{"--output-limit with --read-trace or --write-trace",
		 limits->bytes && (o->read_traces.n || o->write_trace), WITH_TUI},
		{"--fail-on and --stop-on", o->assertions.n, VIEWS},
		{"--io-uring=on", o->io_uring, WITH_LIVE},
		{"--tui", o->tui, WITH_LIVE},
		{"--from", o->from, UNSHOWN},
		{"--to", o->to, UNSHOWN},
		{"--timezone", o->timezone, UNSHOWN},
		{"-i/--instruction-pointer", seen->i, WITH_DIFF},
		{"-n/--syscall-number", seen->n, WITH_DIFF},
		{"-N/--arg-names", seen->N, WITH_DIFF},
		{"-r/--relative-timestamps", seen->r, WITH_DIFF},
		{"-t/--absolute-timestamps", o->text.absolute != TIME_NONE, WITH_DIFF},
		{"-T/--syscall-times", seen->T, WITH_DIFF},
		{"-e kvm=", o->kvm != KVM_NONE, WITH_DIFF},
		{"--secontext", o->secontext, WITH_DIFF},
		{"-e read=", o->dump_read.members.n || o->dump_read.inverted, WITH_DIFF},
		{"-e write=", o->dump_write.members.n || o->dump_write.inverted, WITH_DIFF},
		{"--stack-trace-style", seen->stack_style, WITH_DIFF},
		{"--json-stacks", seen->json_stacks, WITH_DIFF},
		{"--syscall-limit", o->syscall_limit, WITH_SNAPSHOT},
		{"-b/--detach-on", o->detach_on_execve, WITH_SNAPSHOT},
		{"-e inject=, -e fault=", o->injections.n, WITH_SNAPSHOT},
		/*
		 * --where must precede -e trace=. Because --where also removes calls from f->trace,
		 * the message would otherwise name -e trace=.
		 */
		{"--where", f->where, WITH_ALL_CALLS | REPORTS | WITH_FD_REPORT},
		{"-e trace=", trace, WITH_ALL_CALLS | REPORTS | WITH_FD_REPORT},
		{"-e trace-fds=", f->fds, WITH_ALL_CALLS | WITH_FD_REPORT},
		{"-e stack=", filter_needs_stack(f), WITH_ALL_CALLS | WITH_FD_REPORT},
		{"-P/--trace-path", seen->paths.n, WITH_ALL_CALLS | WITH_FD_REPORT | UNSHOWN},
		{"--duration", filter_needs_duration(f),
		 WITH_ALL_CALLS | WITH_FD_REPORT | WITH_SNAPSHOT},
		{"-e status=, -z/--successful-only, -Z/--failed-only", f->status,
		 WITH_ALL_CALLS | REPORTS | WITH_FD_REPORT | WITH_SNAPSHOT},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].given && rows[i].with & with)
			return rows[i].option;
	return NULL;
}

void options_refuse(const struct options *o, const struct seen *seen, unsigned with,
		    const char *name)
{
	const char *option = options_conflict(o, seen, with);

	if (option)
		die_usage("%s and %s are mutually exclusive", option, name);
}
