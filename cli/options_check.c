/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Rejects combinations of options that are not possible, and derives further settings from the
 * options.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event/sched.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"
#include "cli/default_output.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/options_seen.h"
#include "capture/proc/cgroup.h"
#include "sinks/fds/fd_table.h"
#include "query/query.h"
#include "util/escape.h"
#include "util/log_file.h"
#include "trace/format/meta.h"
#include "trace/play/trace.h"
#include "util/msg.h"

/* Returns true if control groups are traced. */
static bool groups(const struct options *o)
{
	return o->cgroups.n || o->containers.n || o->all;
}

/* Finds the control groups of --cgroup and --container. All processes in the groups are traced. */
static void find_groups(struct options *o)
{
	if (!groups(o))
		return;
	if (o->argv || o->pids.n || !!o->cgroups.n + !!o->containers.n + o->all > 1)
		die_usage("%s and %s are mutually exclusive",
			  o->all	 ? "--all"
			  : o->cgroups.n ? "--cgroup"
					 : "--container",
			  o->argv		   ? "PROG"
			  : o->pids.n		   ? "-p/--attach"
			  : o->all && o->cgroups.n ? "--cgroup"
						   : "--container");
	if (o->all) {
		*vec_push(&o->groups) = cgroup_find("/");
		if (!o->groups.v[0])
			die("--all needs control groups version 2 (cgroups(7)), which are not "
			    "mounted");
	}
	vec_for_each (&o->cgroups, name) {
		*vec_push(&o->groups) = cgroup_find(*name);
		if (!o->groups.v[o->groups.n - 1])
			die("--cgroup: no control group '%s' (cgroup v2)", *name);
	}
	vec_for_each (&o->containers, pid) {
		*vec_push(&o->groups) = cgroup_of(NULL, *pid);
		if (!o->groups.v[o->groups.n - 1])
			die("--container: process %d is not in a control group (cgroup v2)",
			    (int)*pid);
	}
	o->capture.cgroups = o->groups.v;
	o->capture.ncgroups = o->groups.n;
}

static void check_command(struct options *o, struct seen *seen)
{
	vec_for_each (&o->pids, pid)
		if (*pid == getpid() && !o->trace)
			die("I'm sorry, I can't let you do that, Dave.");
	if (!o->argv && !o->pids.n && !o->trace && !groups(o)) {
		if (seen->tips && o->tip_format) {
			help_tip(o->tip, o->tip_format);
			exit(0);
		}
		die_usage("must have PROG [ARGS] or -p PID");
	}
	if (!o->argv && seen->argv0)
		die_usage("PROG [ARGS] must be specified with --argv0");
	if (!o->argv && o->daemonize)
		die_usage("PROG [ARGS] must be specified with -D/--daemonize");
	if (o->tree && !o->pids.n)
		die_usage("--tree requires -p/--attach");
	if (o->snapshot && !o->pids.n)
		die_usage("--snapshot requires -p/--attach");
	if (o->tree || o->snapshot || groups(o))
		o->capture.follow = o->text.follow = true;
}

static void check_seccomp(struct options *o, const struct seen *seen)
{
	if (!seen->seccomp_bpf)
		return;
	if (!o->capture.follow)
		msg("--seccomp-bpf cannot be used without -f/--follow-forks, disabling");
	else if (o->pids.n)
		msg("--seccomp-bpf is not enabled for processes attached with -p");
	else if (o->detach_on_execve)
		msg("--seccomp-bpf is not enabled because it is not compatible with -b");
	else if (o->syscall_limit)
		msg("--seccomp-bpf is not enabled because it is not compatible with "
		    "--syscall-limit");
	else
		o->seccomp_bpf = true;
}

static void check_seccomp_filter(struct options *o)
{
	if (!o->seccomp_bpf)
		return;
	o->seccomp_bpf = o->filter.trace.named || !syscall_set_is_full(&o->filter.trace);
	if (o->seccomp_bpf)
		o->capture.kill_on_exit = true;
	else
		msg("Seccomp filter is requested but there are no syscalls to filter.  "
		    "See -e trace to filter syscalls.");
}

/*
 * Handles -c with --format=json or csv: the summary is written in this format, and there is no log.
 */
static void check_summary_format(struct options *o, const struct seen *seen)
{
	const bool csv = !strcmp(o->format->name, "csv");

	if (csv && !o->summary_only)
		die_usage("--format=csv requires -c/--summary-only");
	if (!o->summary_only || (!csv && strcmp(o->format->name, "json") != 0))
		return;
	if (seen->json_stacks)
		die_usage("--json-stacks and -c/--summary-only are mutually exclusive");
	o->summary.format = csv ? SUMMARY_CSV : SUMMARY_JSON;
	o->format = sink_format_find("text");
	if (!seen->U)
		summary_config_columns_all(&o->summary);
}

static void check_summary(struct options *o, const struct seen *seen)
{
	check_summary_format(o, seen);
	if (o->summarize && o->text.separately)
		die_usage(SUMMARY_OPTIONS " and -ff/--output-separately are mutually exclusive");
	if (o->summarize && !o->format->summaries)
		die_usage("%s and %s are mutually exclusive%s",
			  o->summary_only ? "-c/--summary-only" : "-C/--summary", o->format->option,
			  strcmp(o->format->name, "json") != 0 ? ""
							       : ": -c shows the summary in JSON");
	if (seen->w && !o->summarize)
		die_usage("-w/--summary-wall-clock must be given with " SUMMARY_OPTIONS);
	if (seen->U && !o->summarize)
		die_usage("-U/--summary-columns must be given with " SUMMARY_OPTIONS);
	if (o->summary.by != SUMMARY_BY_SYSCALL && !o->summarize)
		die_usage("--summary-by requires -c/--summary-only or -C/--summary");
	if (o->summary.top && !o->summarize && !o->diff && !o->critical_path && !o->live_ns)
		die_usage("--top requires -c/--summary-only or -C/--summary");
	if (seen->S && !o->summarize && !o->live_ns)
		msg("-S/--summary-sort-by has no effect without " SUMMARY_OPTIONS);
	if (!o->summary_only)
		return;
	if (seen->i)
		msg("-i/--instruction-pointer has no effect with -c/--summary-only");
	if (seen->k && o->summary.by != SUMMARY_BY_STACK)
		msg("-k/--stack-trace has no effect with -c/--summary-only");
	if (seen->n)
		msg("-n/--syscall-number has no effect with -c/--summary-only");
	if (seen->N)
		msg("-N/--arg-names has no effect with -c/--summary-only");
	if (seen->r)
		msg("-r/--relative-timestamps has no effect with -c/--summary-only");
	if (o->text.absolute != TIME_NONE)
		msg("-t/--absolute-timestamps has no effect with -c/--summary-only");
	if (seen->T)
		msg("-T/--syscall-times has no effect with -c/--summary-only");
	if (o->decode.fd_details)
		msg("-y/--decode-fds has no effect with -c/--summary-only");
}

static void check_output(const struct options *o, const struct seen *seen)
{
	const char *path = o->text.path;

	if (path && log_path_is_command(path) && o->text.separately)
		die_usage("piping the output and -ff/--output-separately are mutually exclusive");
	if (path && log_path_is_stdout(path) && o->text.separately)
		die_usage("-o - and -ff/--output-separately are mutually exclusive");
	if (o->text.separately && !o->format->separately)
		die_usage("%s and -ff/--output-separately are mutually exclusive",
			  o->format->option);
	if (seen->separately_long && !path && !o->capture.follow)
		msg("--output-separately has no effect without -o/--output");
	if (o->format->needs_output && !path)
		die_usage("%s requires -o/--output", o->format->option);
	if (o->format->is_page && default_output_is_terminal(o))
		die("%s writes a page for a browser and requires -o FILE.html", o->format->option);
	if (seen->A && path && !o->format->appends)
		die_usage("%s and -A/--output-append-mode are mutually exclusive",
			  o->format->option);
	if (seen->A && !path)
		msg("-A/--output-append-mode has no effect without -o/--output");
	if (seen->json_stacks && strcmp(o->format->name, "json"))
		die_usage("--json-stacks requires --format=json");
	if (o->stacks_once && o->text.separately)
		die_usage("--json-stacks=once and -ff/--output-separately are mutually exclusive");
	if (seen->z + seen->Z > 1)
		msg("Only the last of -z/--successful-only/-Z/--failed-only options will take "
		    "effect. See status qualifier for more complex filters.");
}

/* Checks options that limit the size of the log. */
static void check_limits(const struct options *o)
{
	const struct log_limits *l = &o->text.limits;
	const char *option = l->last ? "--last" : l->bytes ? "--output-limit" : NULL;
	const char *path = o->text.path;

	/* With --tui, the limit applies to the temporary trace. */
	if (!option || (o->tui && !l->last))
		return;
	if (l->last && o->write_trace && log_path_is_command(o->write_trace))
		die_usage("--last writes traces to files, but --write-trace=%s is a pipe",
			  o->write_trace);
	/* If events are not shown, --last applies to the recording. */
	if (l->last && o->record_only)
		return;
	if (!o->format->by_event)
		die_usage("%s and %s are mutually exclusive", o->format->option, option);
	if (o->summarize)
		die_usage(SUMMARY_OPTIONS " and %s are mutually exclusive", option);
	if (o->text.separately)
		die_usage("-ff/--output-separately and %s are mutually exclusive", option);
	/*
	 * Each stack would be written only once, with its first event. The last events could refer
	 * to stacks that were written with older events, which are dropped.
	 */
	if (o->stacks_once)
		die_usage("--json-stacks=once and %s are mutually exclusive", option);
	if (o->record_only)
		die_usage("%s with --write-trace requires -o/--output or --format", option);
	if (!l->bytes)
		return;
	if (!path || !log_path_is_file(path))
		die_usage("--output-limit requires -o/--output with a file");
}

/*
 * Rejects options that cannot be used with --fd-report. The report needs all syscalls that open or
 * close descriptors.
 */
static void check_fd_report(struct options *o, const struct seen *seen)
{
	if (!o->fd_report)
		return;
	options_refuse(o, seen, WITH_FD_REPORT, "--fd-report");
	syscall_set_parse(&o->filter.trace, fd_table_calls);
	o->text.muted = true;
	o->decode.fd_details |= FD_PATH;
}

/*
 * Rejects options that cannot be used with --snapshot, for example options that need the start or
 * the end of a syscall.
 */
static void check_snapshot(struct options *o, const struct seen *seen)
{
	if (!o->snapshot)
		return;
	options_refuse(o, seen, WITH_SNAPSHOT, "--snapshot");
	o->quiet |= QUIET_ATTACH;
	/* A stack is useless without the thread that it belongs to, so always show the thread. */
	o->text.always_show_pid = o->text.pid_comm = true;
}

static void add_path(struct options *o, const char *path, bool quiet)
{
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};
	attr_cleanup(mem_free_ptr) char *resolved = NULL;
	struct stat st;

	/*
	 * A file name may contain pattern characters. If a file of this name exists, the argument
	 * is not a pattern.
	 */
	if (strpbrk(path, "*?[") && lstat(path, &st) < 0) {
		filter_add_path_pattern(&o->filter, path);
		return;
	}
	resolved = filter_add_path(&o->filter, path);
	if (!resolved || quiet)
		return;
	/* Quote the paths as in the log. */
	strbuf_puts(&b, "Requested path \"");
	escape_bytes(&b, path, strlen(path), o->text.hex_strings, false);
	strbuf_puts(&b, "\" resolved into \"");
	escape_bytes(&b, resolved, strlen(resolved), o->text.hex_strings, false);
	msg("%s\"", strbuf_str(&b));
}

/*
 * As in strace, ends the program if -D, -f or -ff is given together with its long form, or if there
 * are more than three -D. check_twice() checks the other options later.
 */
static void check_twice_early(const struct seen *seen)
{
	if (seen->d_short && seen->d_long)
		die("-D and --daemonize cannot be provided simultaneously");
	if (seen->d_short > 3)
		die_usage("Too many -D's (%u), maximum supported -D count is 3", seen->d_short);
	if (seen->f_short && seen->f_long)
		die("-f and --follow-forks cannot be provided simultaneously");
	if (seen->f_short > 1 && seen->separately_long)
		die("-ff and --output-separately cannot be provided simultaneously");
}

static void check_twice(const struct seen *seen)
{
	if (seen->t_short && seen->t_long)
		die("-t and --absolute-timestamps cannot be provided simultaneously");
	if (seen->x_short && seen->x_long)
		die("-x and --strings-in-hex cannot be provided simultaneously");
	if (seen->y_short && seen->y_long)
		die("-y and --decode-fds cannot be provided simultaneously");
}

static void apply_deprecated(struct options *o, const struct seen *seen)
{
	if (!seen->F_short)
		return;
	if (seen->f_short || seen->f_long)
		msg("deprecated option -F ignored");
	else
		msg("option -F is deprecated, please use -f/--follow-forks instead");
	o->capture.follow = true;
}

static void apply_counts(struct options *o, struct seen *seen)
{
	if (seen->k > 2)
		die_usage("Too many -k's (%u), maximum supported -k count is 2", seen->k);
	if (seen->d_short)
		o->daemonize = seen->d_short;
	if (seen->f_short)
		o->capture.follow = true;
	/* As in strace, a single -f cancels --output-separately. */
	if (seen->f_short)
		o->text.separately = seen->f_short > 1;
	if (seen->q_short)
		o->quiet = seen->q_short == 1	? QUIET_ATTACH | QUIET_PERSONALITY
			   : seen->q_short == 2 ? QUIET_ATTACH | QUIET_PERSONALITY | QUIET_EXIT
						: QUIET_ALL;
	if (seen->t_short) {
		o->text.absolute = seen->t_short > 2 ? TIME_UNIX : TIME_OF_DAY;
		o->text.absolute_unit = seen->t_short > 1 ? UNIT_US : UNIT_S;
	}
	if (seen->x_short)
		o->text.hex_strings = seen->x_short > 1 ? HEX_ALL : HEX_NON_ASCII;
	if (seen->y_short)
		o->decode.fd_details = seen->y_short == 1
					       ? FD_PATH
					       : FD_PATH | FD_DEV | FD_SOCKET | FD_PIDFD |
							 FD_EVENTFD | FD_SIGNALFD;
}

/*
 * Determines how to decode each syscall. Leaves o->decode.per_syscall NULL if no syscall needs a
 * flag of enum decode_mode.
 */
static void build_decode_rows(struct options *o, const struct seen *seen)
{
	uint8_t *rows;
	bool any = false;

	if (syscall_set_is_full(&seen->abbrev) && syscall_set_is_full(&seen->verbose) &&
	    syscall_set_is_empty(&seen->raw))
		return;
	rows = mem_zalloc((size_t)ABI_COUNT * syscall_desc_count);
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		const struct abi *abi = &abis[i];

		for (unsigned nr = 0; nr < abi->nrows; nr++) {
			int row = abi_row(abi, nr);
			uint8_t mode = 0;

			if (row < 0 || abi_is_foreign(abi, nr))
				continue;
			if (!syscall_set_has(&seen->abbrev, abi, nr))
				mode |= DECODE_FULL;
			if (!syscall_set_has(&seen->verbose, abi, nr))
				mode |= DECODE_NO_DEREF;
			if (syscall_set_has(&seen->raw, abi, nr))
				mode |= DECODE_RAW;
			rows[i * syscall_desc_count + row] = mode;
			any |= mode;
		}
	}
	if (any)
		o->decode.per_syscall = o->decode_rows = rows;
	else
		free(rows);
}

static void apply(struct options *o, const struct seen *seen)
{
	o->text.muted = o->summary_only;
	o->text.stacks = seen->k && !o->summary_only;
	o->shows_stacks = o->text.stacks || filter_needs_stack(&o->filter) ||
			  o->format->wants & WANTS_STACKS || o->blocked_ns || o->unwind.verify ||
			  o->fd_report || o->query_needs & QUERY_NEEDS_STACK ||
			  (o->summarize && o->summary.by == SUMMARY_BY_STACK) ||
			  ((o->diff || o->learn) && o->engine->capabilities & CAPTURE_STACKS);
	o->watch_stacks_only =
		o->assertions.n && o->engine->capabilities & CAPTURE_STACKS && !o->shows_stacks;
	o->stacks = o->shows_stacks || o->watch_stacks_only || seen->record_stacks;
	/*
	 * strace's table, which has a line for each syscall, shows CPU times. All other summaries
	 * show elapsed times.
	 */
	if (o->summary.by != SUMMARY_BY_SYSCALL)
		o->summary.wall_clock = true;
	o->unwind.source_lines = seen->k == 2;
	o->unwind.debug = o->debug;
	o->text.follow = o->capture.follow;
	default_output_style(o, seen);
}

static void apply_defaults(struct options *o, const struct seen *seen)
{
	bool command = o->argv || o->trace_command;
	const char *path = o->text.path;

	o->text.default_path = default_output_path(o);
	if ((o->text.path || o->record_only) && command && !seen->q_short && !seen->q_long)
		o->quiet = QUIET_ATTACH | QUIET_PERSONALITY;
	o->say_written = o->format->is_page && path && log_path_is_file(path) && !seen->q_short &&
			 !seen->q_long;
	o->hint_symbols = !o->trace && !seen->q_short && !seen->q_long;
	o->explains_empty = o->trace && !seen->traces_nothing && !(o->quiet & QUIET_EXIT);
	if (o->trace)
		o->quiet |= QUIET_ATTACH;
	o->show_progress = o->trace ? !seen->q_short && !seen->q_long : !(o->quiet & QUIET_ATTACH);
	o->text.quiet_exit = o->quiet & QUIET_EXIT;
	o->text.quiet_superseded = o->quiet & QUIET_SUPERSEDED;
	o->capture.want_cpu_time = o->summarize && !o->summary.wall_clock;
	/*
	 * A page must contain all details, because its reader cannot run the program again with -y.
	 */
	if (o->format->is_page && o->format->shows & SHOWS_VALUES && !seen->y_short &&
	    !seen->y_long)
		o->decode.fd_details |= FD_PATH;
	/*
	 * In the view, the user can hide the calls that do not use the path of the selected call,
	 * so the paths of all calls are needed.
	 */
	if (o->format->on_screen) {
		o->decode.query_details |= FD_PATH;
		o->decode.resolve_paths = true;
	}
	if (o->summary.by == SUMMARY_BY_PATH) {
		o->decode.fd_details |= FD_PATH;
		o->decode.resolve_paths = true;
	}
	o->summary.width = default_output_width(o);
	/* Show the hint for programs such as ls(1), whose CPU time is too short to be measured. */
	o->summary.hint = o->summarize && o->summary.by == SUMMARY_BY_SYSCALL &&
			  !o->summary.wall_clock && o->summary.format == SUMMARY_TABLE &&
			  default_output_is_terminal(o);
	for (char *const *word = o->argv; word && *word; word++)
		*vec_push(&o->words) = foreign(*word);
	if (!o->capture.interruptible)
		o->capture.interruptible = o->daemonize					 ? 4
					   : o->argv && (o->text.path || o->record_only) ? 3
											 : 2;
}

struct sink_config options_sink_config(const struct options *o)
{
	const struct text_config *t = &o->text;

	return (struct sink_config){.path = t->path ? t->path : t->default_path,
				    .append = t->append,
				    .limits = t->limits,
				    .separately = t->separately,
				    .stacks = t->stacks,
				    .stacks_once = o->stacks_once,
				    .quiet_exit = t->quiet_exit,
				    .weight = o->weight,
				    .command = o->words.v,
				    .command_len = o->words.n,
				    .from = o->player.from,
				    .to = o->trace ? o->player.to : INT64_MAX,
				    .text = t,
				    .run = o->run};
}

const char *options_beyond(const struct options *o, unsigned capabilities)
{
	unsigned inject = 0;

	vec_for_each (&o->injections, i)
		inject |= i->actions;

	const struct {
		const char *option;
		unsigned needs;
		bool given;
	} options[] = {
		{"-e inject=SET:signal=", CAPTURE_SIGNALS, inject & INJECT_SIGNAL},
		{"-e inject=SET:delay_enter=, delay_exit=", CAPTURE_DELAY,
		 inject & (INJECT_DELAY_ENTER | INJECT_DELAY_EXIT)},
		{"-e inject=, -e fault=", CAPTURE_TAMPER,
		 inject & ~(INJECT_SIGNAL | INJECT_DELAY_ENTER | INJECT_DELAY_EXIT)},
		{"--vdso=off", CAPTURE_TAMPER | CAPTURE_REGISTERS, o->hide_vdso},
		{"--io-uring=on", CAPTURE_REQUESTS, o->io_uring},
		{"-b/--detach-on", CAPTURE_DETACH, o->detach_on_execve},
		{"--snapshot", CAPTURE_REGISTERS | CAPTURE_DETACH, o->snapshot},
		{"--fd-report", CAPTURE_STACKS | CAPTURE_EXACT_FACTS, o->fd_report},
		{"--kill-on-exit", CAPTURE_KILL, o->capture.kill_on_exit},
		{"--seccomp-bpf", CAPTURE_SECCOMP, o->seccomp_bpf},
		{"--verify-stacks", CAPTURE_REGISTERS, o->unwind.verify},
		{"-k/--stack-trace", CAPTURE_STACKS, o->text.stacks},
		{"-e stack=", CAPTURE_STACKS, filter_needs_stack(&o->filter)},
		{o->format->option, CAPTURE_STACKS, o->format->wants & WANTS_STACKS},
		{"--summary-by=stack", CAPTURE_STACKS,
		 o->summarize && o->summary.by == SUMMARY_BY_STACK},
		{"--blocked", CAPTURE_STACKS, o->blocked_ns},
		{"-c/--summary-only and -C/--summary without -w/--summary-wall-clock",
		 CAPTURE_CPU_TIMES, o->capture.want_cpu_time},
		{"-D/--daemonize", CAPTURE_BECOME, o->daemonize},
		{"--buffer-size", CAPTURE_BUFFERS, o->capture.buffer_size},
		{"--cgroup", CAPTURE_CGROUPS, o->cgroups.n},
		{"--all", CAPTURE_CGROUPS, o->all},
		{"--container", CAPTURE_CGROUPS, o->containers.n},
		{"--stack-size", CAPTURE_BUFFERS, o->capture.stack_size && !o->raw_stacks},
		{"--record-stacks", CAPTURE_STACKS, o->write_trace && o->stacks},
		{"--files", CAPTURE_FDS, o->files},
		{"--execs", CAPTURE_FDS, o->execs},
		{"--learn=systemd", CAPTURE_FDS,
		 o->learn && o->learn_config.format == LEARN_SYSTEMD},
		{"-y/--decode-fds", CAPTURE_FDS, o->decode.fd_details},
		{"-P/--trace-path", CAPTURE_FDS, filter_by_path(&o->filter)},
		{"--wakers, --critical-path", CAPTURE_FDS, o->wakers},
		{"--events=sched,fault", CAPTURE_SCHED, options_show_sched(o)},
		{OFF_CPU_OPTION, CAPTURE_SCHED, options_need_off_cpu(o)},
		{"--where with descriptors or paths", CAPTURE_FDS, o->decode.query_details},
		{"--where with stacks", CAPTURE_STACKS, o->query_needs & QUERY_NEEDS_STACK},
		{"--write-trace", CAPTURE_FDS, o->write_trace},
		{"--decode-pids=pidns", CAPTURE_PIDS, o->decode.pid_translate},
		{"-e namespace=new", CAPTURE_EXACT_FACTS, o->decode.namespaces},
		{"--secontext", CAPTURE_EXACT_FACTS, o->secontext},
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		if (options[i].given && options[i].needs & ~capabilities)
			return options[i].option;
	}
	return NULL;
}

/*
 * Ends the program because `engine` does not support `option`. If another engine supports the
 * option, the message names that engine.
 */
static _Noreturn void die_engine(const struct options *o, const struct engine *engine,
				 const char *option)
{
	static const char *const names[] = {"ptrace", "bpf"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct engine *other = engine_find(names[i]);
		const char *beyond = other ? options_beyond(o, other->capabilities) : option;

		if (!beyond || strcmp(beyond, option))
			die("%s requires --engine=%s", option, other->name);
	}
	die("%s cannot be used with --engine=%s", option, engine->name);
}

/* Rejects options that need data that the trace of --read-trace does not contain. */
static void check_trace(const struct options *o, const struct engine *engine)
{
	const char *beyond = options_beyond(o, engine->capabilities);
	const char *other;

	vec_for_each (&o->traces, t) {
		if ((filter_source(&o->filter, SCHED_SOURCE) &&
		     !meta_get_number(trace_meta(*t), "sched", 0)) ||
		    (filter_source(&o->filter, FAULT_SOURCE) &&
		     !meta_get_number(trace_meta(*t), "faults", 0)))
			die("--events: the trace does not contain these events; record it with "
			    "--engine=bpf and the same --events");
		if (options_need_off_cpu(o) && !meta_get_number(trace_meta(*t), "sched", 0))
			die("%s: the trace has no context switches; record it with --engine=bpf",
			    OFF_CPU_OPTION);
	}
	if (!beyond)
		return;
	other = options_beyond(o, engine->capabilities | CAPTURE_STACKS);
	if (!other || strcmp(beyond, other))
		die("%s: the trace has no stacks; record it with -k or --record-stacks=HOW",
		    beyond);
	die("%s cannot be used with --read-trace", beyond);
}

static void check_engine(const struct options *o)
{
	const struct engine *engine = o->engine;
	const char *beyond;

	if (o->trace) {
		check_trace(o, engine);
		return;
	}
	beyond = options_beyond(o, engine->capabilities);
	if (beyond)
		die_engine(o, engine, beyond);
}

/*
 * Loads libunwind, which `option` needs. Ends the program with a message if libunwind is not
 * available.
 */
static void require_libunwind(const char *option)
{
	if (unwind_has(UNWIND_LIBUNWIND))
		return;
	if (unwind_is_built_in(UNWIND_LIBUNWIND))
		die("%s: libunwind is missing or too old: install it (Debian: libunwind8)", option);
	die("%s: this %s was built without libunwind", option, msg_program());
}

/*
 * Rejects options that need a library that is missing or that configure has disabled. For -kk,
 * prints only a warning.
 */
static void check_features(const struct options *o)
{
	if (o->unwind.unwinder == UNWINDER_LIBUNWIND)
		require_libunwind("--unwinder=libunwind");
	if (o->unwind.verify)
		require_libunwind("--verify-stacks");
	if (!unwind_has(UNWIND_DEBUGINFOD) && o->unwind.debuginfod)
		die("--debuginfod is not built into this %s", msg_program());
	if (!unwind_has(UNWIND_SOURCE_LINES) && o->unwind.source_lines)
		msg("-kk shows no source lines, because this %s was built without libdw",
		    msg_program());
}

void options_check(struct options *o, struct seen *seen, char **args)
{
	/* --quiet=all suppresses these messages, but -qqq does not. */
	bool quiet_paths = o->quiet & QUIET_PATH_RESOLUTION;

	/*
	 * Perform the checks in the same order as strace. The order determines which message is
	 * printed if several checks fail.
	 */
	options_command(o, seen, args);
	apply_counts(o, seen);
	options_trace_check(o, seen);
	check_command(o, seen);
	check_twice_early(seen);
	check_seccomp(o, seen);
	apply_deprecated(o, seen);
	options_query_apply(o, seen);
	apply(o, seen);
	check_summary(o, seen);
	options_group_columns(o, seen);
	check_twice(seen);
	check_output(o, seen);
	check_limits(o);
	check_fd_report(o, seen);
	options_critical_path(o, seen);
	options_files(o, seen);
	options_execs(o, seen);
	options_learn(o, seen);
	options_tui(o, seen);
	options_live(o, seen);
	check_snapshot(o, seen);
	vec_for_each (&seen->paths, path)
		add_path(o, *path, quiet_paths);
	if (o->blocked_ns && seen->traces_nothing)
		die("--blocked reports nothing with -e trace=none: use -e status=none");
	check_features(o);
	options_effect(o, seen);
	if (o->hide_vdso && o->pids.n)
		die("--vdso=off cannot be used with -p/--attach: a running program has already "
		    "found its vDSO");
	if (o->capture.kill_on_exit && o->pids.n)
		die("--kill-on-exit and -p/--attach are mutually exclusive options");
	if (seen->user)
		options_user(o, seen->user);
	if (!o->io_uring)
		syscall_set_check_requests(&o->filter.trace);
	check_seccomp_filter(o);
	if (seen->q_short && seen->q_long)
		die("-q and -e quiet/--quiet cannot be provided simultaneously");
	apply_defaults(o, seen);
	/* A summary contains no SELinux contexts. */
	if (o->summary_only && !o->write_trace)
		o->decode.secontext = false;
	check_engine(o);
	find_groups(o);
	options_environment(o, seen);
	if (o->execs)
		syscall_set_parse(&seen->abbrev, "!execve,execveat");
	build_decode_rows(o, seen);
}
