/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "capture/trace/merger.h"
#include "cli/options_seen.h"
#include "util/msg.h"
#include "util/suggestion.h"

enum {
	OPT_FOLLOW = 256,
	OPT_SEPARATELY,
	OPT_DAEMONIZE,
	OPT_TIMESTAMPS,
	OPT_STRINGS_IN_HEX,
	OPT_DECODE_FDS,
	OPT_QUIET,
	OPT_ARGV0,
	OPT_KILL_ON_EXIT,
	OPT_SECCOMP_BPF,
	OPT_SYSCALL_LIMIT,
	OPT_FRAME_LIMIT,
	OPT_STACK_TRACE,
	OPT_COLOR,
	OPT_PIDNS,
	OPT_ALWAYS_SHOW_PID,
	OPT_TIPS,
	OPT_SECONTEXT,
	OPT_RELATIVE,
	OPT_SYSCALL_TIMES,
	OPT_QUALIFIER, /* the first one; each qualifier's long option has a number from here on */
	/* Options that strace does not have. */
	OPT_FORMAT = OPT_QUALIFIER + 32,
	OPT_STACK_STYLE,
	OPT_BLOCKED,
	OPT_DURATION,
	OPT_STOP_AFTER,
	OPT_SUMMARY_BY,
	OPT_TOP,
	OPT_TREE,
	OPT_WEIGHT,
	OPT_VERIFY_STACKS,
	OPT_DEBUGINFOD,
	OPT_WAIT_SPIN,
	OPT_LIST_SYSCALLS,
	OPT_ENGINE,
	OPT_BUFFER_SIZE,
	OPT_UNWINDER,
	OPT_WRITE_TRACE,
	OPT_READ_TRACE,
	OPT_FROM,
	OPT_TO,
	OPT_SYSROOT,
	OPT_TIMEZONE,
};

static const char short_options[] = "+a:Ab:cCdDe:E:fFhiI:knNo:O:p:P:qrs:S:tTu:U:vVwxX:yYzZ";

/*
 * strace's long options, in strace's order: getopt_long() lists the matches of an ambiguous
 * abbreviation in this order.
 */
static const struct option long_options[] = {
	{"columns", required_argument, 0, 'a'},
	{"output-append-mode", no_argument, 0, 'A'},
	{"detach-on", required_argument, 0, 'b'},
	{"summary-only", no_argument, 0, 'c'},
	{"summary", no_argument, 0, 'C'},
	{"debug", no_argument, 0, 'd'},
	{"daemonize", optional_argument, 0, OPT_DAEMONIZE},
	{"daemonised", optional_argument, 0, OPT_DAEMONIZE},
	{"daemonized", optional_argument, 0, OPT_DAEMONIZE},
	{"env", required_argument, 0, 'E'},
	{"follow-forks", no_argument, 0, OPT_FOLLOW},
	{"output-separately", no_argument, 0, OPT_SEPARATELY},
	{"help", no_argument, 0, 'h'},
	{"instruction-pointer", no_argument, 0, 'i'},
	{"interruptible", required_argument, 0, 'I'},
	{"kill-on-exit", no_argument, 0, OPT_KILL_ON_EXIT},
	{"stack-trace", optional_argument, 0, OPT_STACK_TRACE},
	{"stack-traces", optional_argument, 0, OPT_STACK_TRACE},
	{"stack-trace-frame-limit", required_argument, 0, OPT_FRAME_LIMIT},
	{"syscall-limit", required_argument, 0, OPT_SYSCALL_LIMIT},
	{"syscall-number", no_argument, 0, 'n'},
	{"arg-names", no_argument, 0, 'N'},
	{"output", required_argument, 0, 'o'},
	{"summary-syscall-overhead", required_argument, 0, 'O'},
	{"attach", required_argument, 0, 'p'},
	{"trace-path", required_argument, 0, 'P'},
	{"relative-timestamps", optional_argument, 0, OPT_RELATIVE},
	{"string-limit", required_argument, 0, 's'},
	{"summary-sort-by", required_argument, 0, 'S'},
	{"absolute-timestamps", optional_argument, 0, OPT_TIMESTAMPS},
	{"timestamps", optional_argument, 0, OPT_TIMESTAMPS},
	{"syscall-times", optional_argument, 0, OPT_SYSCALL_TIMES},
	{"user", required_argument, 0, 'u'},
	{"summary-columns", required_argument, 0, 'U'},
	{"no-abbrev", no_argument, 0, 'v'},
	{"version", no_argument, 0, 'V'},
	{"summary-wall-clock", no_argument, 0, 'w'},
	{"strings-in-hex", optional_argument, 0, OPT_STRINGS_IN_HEX},
	{"const-print-style", required_argument, 0, 'X'},
	{"pidns-translation", no_argument, 0, OPT_PIDNS},
	{"successful-only", no_argument, 0, 'z'},
	{"failed-only", no_argument, 0, 'Z'},
	{"failing-only", no_argument, 0, 'Z'},
	{"seccomp-bpf", no_argument, 0, OPT_SECCOMP_BPF},
	{"tips", optional_argument, 0, OPT_TIPS},
	{"argv0", required_argument, 0, OPT_ARGV0},
	{"always-show-pid", no_argument, 0, OPT_ALWAYS_SHOW_PID},
	{"color", required_argument, 0, OPT_COLOR},
	{"trace", required_argument, 0, OPT_QUALIFIER},
	{"trace-fds", required_argument, 0, OPT_QUALIFIER + 1},
	{"abbrev", required_argument, 0, OPT_QUALIFIER + 2},
	{"verbose", required_argument, 0, OPT_QUALIFIER + 3},
	{"raw", required_argument, 0, OPT_QUALIFIER + 4},
	{"signals", required_argument, 0, OPT_QUALIFIER + 5},
	{"status", required_argument, 0, OPT_QUALIFIER + 6},
	{"read", required_argument, 0, OPT_QUALIFIER + 7},
	{"write", required_argument, 0, OPT_QUALIFIER + 8},
	{"fault", required_argument, 0, OPT_QUALIFIER + 9},
	{"inject", required_argument, 0, OPT_QUALIFIER + 10},
	{"kvm", required_argument, 0, OPT_QUALIFIER + 11},
	{"namespace", optional_argument, 0, OPT_QUALIFIER + 12},
	{"quiet", optional_argument, 0, OPT_QUIET},
	{"silent", optional_argument, 0, OPT_QUIET},
	{"silence", optional_argument, 0, OPT_QUIET},
	{"decode-fds", optional_argument, 0, OPT_DECODE_FDS},
	{"decode-pids", required_argument, 0, OPT_QUALIFIER + 13},
	{"secontext", optional_argument, 0, OPT_SECONTEXT},
	{0, 0, 0, 0},
};

/*
 * The options that strace does not have. They cannot be abbreviated, so that every abbreviation
 * that strace accepts stays unambiguous.
 */
static const struct option own_options[] = {
	{"format", required_argument, 0, OPT_FORMAT},
	{"stack-trace-style", required_argument, 0, OPT_STACK_STYLE},
	{"blocked", optional_argument, 0, OPT_BLOCKED},
	{"duration", required_argument, 0, OPT_DURATION},
	{"stop-after", required_argument, 0, OPT_STOP_AFTER},
	{"summary-by", required_argument, 0, OPT_SUMMARY_BY},
	{"top", required_argument, 0, OPT_TOP},
	{"tree", no_argument, 0, OPT_TREE},
	{"weight", required_argument, 0, OPT_WEIGHT},
	{"verify-stacks", no_argument, 0, OPT_VERIFY_STACKS},
	{"debuginfod", no_argument, 0, OPT_DEBUGINFOD},
	{"wait-spin", required_argument, 0, OPT_WAIT_SPIN},
	{"list-syscalls", no_argument, 0, OPT_LIST_SYSCALLS},
	{"engine", required_argument, 0, OPT_ENGINE},
	{"buffer-size", required_argument, 0, OPT_BUFFER_SIZE},
	{"unwinder", required_argument, 0, OPT_UNWINDER},
	{"write-trace", required_argument, 0, OPT_WRITE_TRACE},
	{"read-trace", required_argument, 0, OPT_READ_TRACE},
	{"from", required_argument, 0, OPT_FROM},
	{"to", required_argument, 0, OPT_TO},
	{"sysroot", required_argument, 0, OPT_SYSROOT},
	{"timezone", required_argument, 0, OPT_TIMEZONE},
	{0, 0, 0, 0},
};

/* A number of bytes, with K, M or G behind it. Not 0. */
static bool parse_size(const char *text, size_t *size)
{
	static const char units[] = "KMG";
	unsigned long long n;
	const char *unit;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (*text < '0' || *text > '9' || errno || !n || (*end && (!unit || end[1])))
		return false;
	for (const char *u = units; unit && u <= unit; u++)
		if (__builtin_mul_overflow(n, 1024ull, &n))
			return false;
	*size = n;
	return n <= SIZE_MAX / 2;
}

/*
 * Ends the program because an option's value is invalid. The message names the option as it was
 * typed: by name if that is not NULL, otherwise by the letter c.
 */
static void attr_noreturn bad_argument(int c, const char *name, const char *value)
{
	if (name)
		die_usage("invalid --%s argument: '%s'", name, value);
	die_usage("invalid -%c argument: '%s'", c, value);
}

/* As bad_argument() for --format=, with the format that was probably meant. */
static void attr_noreturn bad_format(const char *value)
{
	struct suggestion s = {.word = value};

	for (const struct sink_format *f = sink_format_next(NULL); f; f = sink_format_next(f))
		suggestion_consider(&s, f->name);
	suggestion_hint(&s);
	die_usage("invalid --format argument: '%s'", value);
}

typedef int string_compare(const char *a, const char *b, size_t n);

/* Returns the index of value in names, or -1. A name may consist of synonyms, separated by '|'. */
static int choice(const char *value, const char *const *names, string_compare *compare)
{
	size_t len = strlen(value);

	for (int i = 0; names[i]; i++) {
		for (const char *s = names[i]; s; s = strchr(s, '|') ? strchr(s, '|') + 1 : NULL) {
			if (strcspn(s, "|") == len && !compare(s, value, len))
				return i;
		}
	}
	return -1;
}

/* The case of letters matters for EXACT_CHOICE only. */
#define CHOICE(value, ...)	 choice(value, (const char *const[]){__VA_ARGS__, NULL}, strncasecmp)
#define EXACT_CHOICE(value, ...) choice(value, (const char *const[]){__VA_ARGS__, NULL}, strncmp)

static long long number(int c, const char *name, const char *value, long long min, long long max)
{
	long long n;
	char *end;

	errno = 0;
	n = strtoll(value, &end, 10);
	if (end == value || *end || errno || n < min || n > max)
		bad_argument(c, name, value);
	return n;
}

static bool precision_find(const char *name, enum time_unit *unit)
{
	int i = CHOICE(name, "s", "ms", "us", "ns");

	if (i < 0)
		return false;
	*unit = (enum time_unit[]){UNIT_S, UNIT_MS, UNIT_US, UNIT_NS}[i];
	return true;
}

static const char *skip(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncasecmp(s, prefix, n) ? NULL : s + n;
}

/*
 * Parses [[format:]FORMAT][,[precision:]PRECISION], in any order. What is not given is not
 * changed.
 */
static bool parse_timestamps(struct options *o, const char *value)
{
	attr_cleanup(mem_free_ptr) char *copy = mem_strdup(value);
	char *save = NULL;

	if (o->text.absolute == TIME_NONE)
		o->text.absolute = TIME_OF_DAY;
	for (char *t = strtok_r(copy, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
		const char *format = skip(t, "format:"), *precision = skip(t, "precision:");
		int i = precision ? -1 : CHOICE(format ? format : t, "none", "time", "unix");

		if (i >= 0)
			o->text.absolute =
				(enum time_format[]){TIME_NONE, TIME_OF_DAY, TIME_UNIX}[i];
		else if (format ||
			 !precision_find(precision ? precision : t, &o->text.absolute_unit))
			return false;
	}
	return true;
}

/* [[id:]ID][,[format:]FORMAT] */
static bool parse_tips(struct options *o, const char *value)
{
	attr_cleanup(mem_free_ptr) char *copy = mem_strdup(value);
	char *save = NULL;

	o->tip = -1;
	o->tip_format = 1;
	for (char *t = strtok_r(copy, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
		const char *format = skip(t, "format:"), *id = skip(t, "id:");
		int i = id ? -1 : CHOICE(format ? format : t, "none", "compact", "full");

		if (i >= 0) {
			o->tip_format = i;
			continue;
		}
		if (format)
			return false;
		id = id ? id : t;
		o->tip = CHOICE(id, "random") == 0 ? -1 : number_lookup_fd(id);
		if (o->tip < 0 && CHOICE(id, "random") < 0)
			return false;
	}
	return true;
}

static void parse_pids(struct options *o, const char *list)
{
	attr_cleanup(mem_free_ptr) char *copy = mem_strdup(list);
	char *save = NULL;

	for (char *t = strtok_r(copy, ", \t\n", &save); t; t = strtok_r(NULL, ", \t\n", &save)) {
		int pid = number_lookup_fd(t);

		if (pid <= 0)
			die("Invalid process id: '%s'", t);
		if (pid == getpid())
			die("I'm sorry, I can't let you do that, Dave.");
		*vec_push(&o->pids) = pid;
	}
}

static void parse_daemonize(struct options *o, const char *name, const char *value)
{
	int i = value ? CHOICE(value, "grandchild", "pgroup|pgrp", "session") : 0;

	if (i < 0)
		bad_argument(0, name, value);
	o->daemonize = i + 1;
}

static void parse_overhead(struct options *o, int c, const char *name, const char *value)
{
	int64_t ns = duration_parse(value, 1000);

	if (ns < 0)
		bad_argument(c, name, value);
	o->summary.overhead_ns = ns;
}

/*
 * Takes one of strace's long options that has no short form, or whose short form means
 * something else.
 */
static void long_option(struct options *o, struct seen *seen, int c, const char *name, char *value)
{
	int i;

	switch (c) {
	case OPT_FOLLOW:
		seen->f_long = o->capture.follow = true;
		break;
	case OPT_SEPARATELY:
		seen->separately_long = o->text.separately = true;
		break;
	case OPT_DAEMONIZE:
		seen->d_long = true;
		parse_daemonize(o, name, value);
		break;
	case OPT_TIMESTAMPS:
		seen->t_long = true;
		if (!value)
			o->text.absolute = TIME_OF_DAY;
		else if (!parse_timestamps(o, value))
			bad_argument(c, name, value);
		break;
	case OPT_STRINGS_IN_HEX:
		seen->x_long = true;
		i = value ? CHOICE(value, "none", "non-ascii-chars", "non-ascii", "all") : 3;
		if (i < 0)
			bad_argument(c, name, value);
		o->text.hex_strings = (enum hex_strings[]){HEX_NEVER, HEX_NON_ASCII_CHARS,
							   HEX_NON_ASCII, HEX_ALL}[i];
		break;
	case OPT_DECODE_FDS:
		options_qualifier(o, seen, "decode-fds", value ? value : "path");
		break;
	case OPT_QUIET:
		options_qualifier(o, seen, "quiet", value ? value : "attach,personality");
		break;
	case OPT_ARGV0:
		seen->argv0 = value;
		break;
	case OPT_KILL_ON_EXIT:
		o->capture.kill_on_exit = true;
		break;
	case OPT_SECCOMP_BPF:
		seen->seccomp_bpf = true;
		break;
	case OPT_SYSCALL_LIMIT:
		o->syscall_limit = number(c, name, value, 1, LLONG_MAX);
		break;
	case OPT_FRAME_LIMIT:
		o->unwind.frame_limit = number(c, name, value, 1, (1 << 30) - 1);
		seen->frame_limit = true;
		break;
	case OPT_STACK_TRACE:
		i = value ? EXACT_CHOICE(value, "symbol", "source") : 0;
		if (i < 0)
			bad_argument(c, name, value);
		seen->k = i + 1;
		break;
	case OPT_COLOR:
		i = CHOICE(value, "never", "always", "auto");
		if (i < 0)
			bad_argument(c, name, value);
		o->text.color = i == 1;
		seen->color_auto = i == 2;
		break;
	case OPT_PIDNS:
		options_qualifier(o, seen, "decode-pids", "pidns");
		break;
	case OPT_ALWAYS_SHOW_PID:
		o->text.always_show_pid = true;
		break;
	case OPT_TIPS:
		seen->tips = true;
		if (!parse_tips(o, value ? value : ""))
			bad_argument(c, name, value);
		break;
	case OPT_SECONTEXT:
		options_qualifier(o, seen, "secontext", value);
		break;
	case OPT_RELATIVE:
		seen->r = o->text.relative = true;
		o->text.relative_unit = UNIT_US;
		if (value && !precision_find(value, &o->text.relative_unit))
			bad_argument(c, name, value);
		break;
	case OPT_SYSCALL_TIMES:
		seen->T = o->text.durations = true;
		o->text.durations_unit = UNIT_US;
		if (value && !precision_find(value, &o->text.durations_unit))
			bad_argument(c, name, value);
		break;
	}
}

/* Parses a time that must not be 0; a bare number is in seconds. -1: it is invalid. */
static int64_t parse_time(const char *value)
{
	int64_t ns = duration_parse(value, 1000000000);

	return ns > 0 ? ns : -1;
}

/* Parses [MIN][,MAX] of --duration. Returns false if it is invalid. */
static bool parse_duration(struct filter *f, const char *value)
{
	size_t len = strcspn(value, ",");
	attr_cleanup(mem_free_ptr) char *min = mem_strndup(value, len);
	const char *max = value[len] ? value + len + 1 : NULL;
	int64_t ns = 0;

	if (!*min && !(max && *max))
		return false;
	if (*min)
		ns = duration_parse(min, 1000000000);
	f->min_ns = ns;
	if (ns < 0 || !max || !*max)
		return ns >= 0;
	ns = parse_time(max);
	f->max_ns = ns;
	return ns > 0 && f->min_ns <= f->max_ns;
}

/* Takes one of the options that strace does not have. */
static void own_option(struct options *o, struct seen *seen, int c, const char *name, char *value)
{
	int64_t ns;
	int i = 0;

	switch (c) {
	case OPT_FORMAT:
		seen->format = true;
		o->format = sink_format_find(value);
		if (!o->format)
			bad_format(value);
		break;
	case OPT_STACK_STYLE:
		i = CHOICE(value, "block", "line");
		o->text.stack_line = i == 1;
		seen->stack_style = true;
		break;
	case OPT_BLOCKED:
		ns = value ? parse_time(value) : 1000000000;
		i = ns > 0 ? 0 : -1;
		o->blocked_ns = ns;
		break;
	case OPT_DURATION:
		i = parse_duration(&o->filter, value) ? 0 : -1;
		break;
	case OPT_STOP_AFTER:
		ns = parse_time(value);
		i = ns > 0 ? 0 : -1;
		o->stop_after_ns = ns;
		break;
	case OPT_SUMMARY_BY:
		i = CHOICE(value, "syscall", "stack", "thread", "process", "path");
		o->summary.by = i;
		break;
	case OPT_TOP:
		o->summary.top = number(c, name, value, 1, UINT32_MAX);
		break;
	case OPT_TREE:
		o->tree = true;
		break;
	case OPT_WEIGHT:
		i = CHOICE(value, "calls", "time", "errors", "bytes");
		o->weight = i;
		break;
	case OPT_VERIFY_STACKS:
		o->unwind.verify = true;
		break;
	case OPT_DEBUGINFOD:
		o->unwind.debuginfod = true;
		break;
	case OPT_WAIT_SPIN:
		i = CHOICE(value, "off", "on");
		o->capture.spin = i == 1 ? SPIN_DEFAULT : 0;
		break;
	case OPT_ENGINE:
		seen->engine = true;
		o->engine = engine_find(value);
		i = o->engine ? 0 : -1;
		break;
	case OPT_BUFFER_SIZE:
		i = parse_size(value, &o->capture.buffer_size) ? 0 : -1;
		break;
	case OPT_UNWINDER:
		/* In the order of enum unwinder_kind. */
		i = CHOICE(value, "auto", "rules", "libunwind");
		o->unwind.unwinder = i;
		seen->unwinder = true;
		break;
	case OPT_WRITE_TRACE:
		i = *value ? 0 : -1;
		o->write_trace = value;
		break;
	case OPT_READ_TRACE:
		i = *value && o->read_traces.n < MERGER_MAX ? 0 : -1;
		*vec_push(&o->read_traces) = value;
		break;
	case OPT_FROM:
		o->from = value;
		break;
	case OPT_TO:
		o->to = value;
		break;
	case OPT_SYSROOT:
		o->player.sysroot = value;
		break;
	case OPT_TIMEZONE:
		o->timezone = value;
		break;
	case OPT_LIST_SYSCALLS:
		help_syscalls();
		exit(0);
	}
	if (i < 0)
		bad_argument(c, name, value);
}

/* Takes argv[optind] if it is an option that strace does not have. Returns whether it was one. */
static bool own_option_next(struct options *o, struct seen *seen, int argc, char **argv)
{
	const char *arg = optind < argc ? skip(argv[optind], "--") : NULL;
	const struct option *opt = own_options;
	size_t len = arg ? strcspn(arg, "=") : 0;
	char *value;

	while (arg && opt->name && (strlen(opt->name) != len || memcmp(opt->name, arg, len)))
		opt++;
	if (!arg || !opt->name)
		return false;
	value = arg[len] ? argv[optind] + 2 + len + 1 : NULL;
	optind++;
	if (value && opt->has_arg == no_argument)
		die_usage("option '--%s' doesn't allow an argument", opt->name);
	if (!value && opt->has_arg == required_argument) {
		if (optind == argc)
			die_usage("option '--%s' requires an argument", opt->name);
		value = argv[optind++];
	}
	own_option(o, seen, opt->val, opt->name, value);
	return true;
}

static void short_option(struct options *o, struct seen *seen, int c, const char *name, char *value)
{
	int i;

	switch (c) {
	case 'a':
		/*
		 * A column beyond any line is a mistake, and lines padded to it would need much
		 * memory.
		 */
		o->text.column = number(c, name, value, 0, 1 << 20);
		break;
	case 'A':
		seen->A = o->text.append = true;
		break;
	case 'b':
		if (strcmp(value, "execve"))
			die("Syscall '%s' for -b isn't supported", value);
		o->detach_on_execve = true;
		break;
	case 'c':
	case 'C':
		if (o->summarize && o->summary_only != (c == 'c'))
			die_usage("-c/--summary-only and -C/--summary are mutually exclusive");
		o->summarize = true;
		o->summary_only = c == 'c';
		break;
	case 'd':
		o->debug = true;
		break;
	case 'D':
		seen->d_short++;
		break;
	case 'e':
		options_qualify(o, seen, value);
		break;
	case 'E':
		*vec_push(&seen->env) = value;
		break;
	case 'f':
		seen->f_short++;
		break;
	case 'F':
		seen->F_short++;
		break;
	case 'h':
		help_usage();
		exit(0);
	case 'i':
		seen->i = o->text.instruction_pointer = true;
		break;
	case 'I':
		i = CHOICE(value, "1|anywhere", "2|waiting", "3|never", "4|never_tstp", "always");
		if (i < 0)
			bad_argument(c, name, value);
		o->capture.interruptible = i == 4 ? 1 : i + 1;
		break;
	case 'k':
		seen->k++;
		break;
	case 'n':
		seen->n = o->text.syscall_numbers = true;
		break;
	case 'N':
		seen->N = o->text.arg_names = true;
		break;
	case 'o':
		o->text.path = value;
		break;
	case 'O':
		parse_overhead(o, c, name, value);
		break;
	case 'p':
		parse_pids(o, value);
		break;
	case 'P':
		*vec_push(&seen->paths) = value;
		break;
	case 'q':
		seen->q_short++;
		break;
	case 'r':
		long_option(o, seen, OPT_RELATIVE, name, NULL);
		break;
	case 's':
		o->decode.string_limit = number(c, name, value, 0, (1 << 30) - 1);
		break;
	case 'S':
		seen->S = true;
		i = summary_column_find(value);
		if (i < 0)
			die_usage("invalid sortby: '%s'", value);
		o->summary.sort_by = i;
		break;
	case 't':
		seen->t_short++;
		break;
	case 'T':
		long_option(o, seen, OPT_SYSCALL_TIMES, name, NULL);
		break;
	case 'u':
		seen->user = value;
		break;
	case 'U':
		seen->U = true;
		options_columns(o, value);
		break;
	case 'v':
		syscall_set_fill(&seen->abbrev, false);
		break;
	case 'V':
		seen->version = true;
		break;
	case 'w':
		seen->w = o->summary.wall_clock = true;
		break;
	case 'x':
		seen->x_short++;
		break;
	case 'X':
		i = EXACT_CHOICE(value, "raw", "abbrev", "verbose");
		if (i < 0)
			bad_argument(c, name, value);
		o->text.const_style =
			(enum const_style[]){CONST_RAW, CONST_ABBREV, CONST_VERBOSE}[i];
		break;
	case 'y':
		seen->y_short++;
		break;
	case 'Y':
		options_qualifier(o, seen, "decode-pids", "comm");
		break;
	case 'z':
		seen->z++;
		o->filter.statuses = 1 << STATUS_SUCCESSFUL;
		break;
	case 'Z':
		seen->Z++;
		o->filter.statuses = 1 << STATUS_FAILED;
		break;
	}
}

void options_parse(struct options *o, int argc, char **argv)
{
	struct seen seen = {.color_auto = true};
	int c, index;

	*o = (struct options){
		.text = {.column = 40, .relative_unit = UNIT_US, .durations_unit = UNIT_US},
		.engine = engine_find("auto"),
		.format = sink_format_next(NULL),
		.capture.spin = SPIN_DEFAULT,
		.unwind.frame_limit = 256,
		.decode.string_limit = 32,
		.tip = -1,
	};
	filter_init(&o->filter);
	summary_config_init(&o->summary);
	syscall_set_fill(&seen.abbrev, true);
	syscall_set_fill(&seen.verbose, true);

	/*
	 * getopt's messages begin with argv[0]. They shall begin with the same name as all
	 * others.
	 */
	if (argc > 0)
		argv[0] = (char *)msg_program();
	optind = 1;
	for (;;) {
		const char *name;

		if (own_option_next(o, &seen, argc, argv))
			continue;
		index = -1;
		c = getopt_long(argc, argv, short_options, long_options, &index);
		if (c == -1)
			break;
		if (c == '?') {
			/* getopt_long() printed what is wrong with it. */
			fprintf(stderr, "Try '%s -h' for more information.\n", msg_program());
			exit(1);
		}
		name = index < 0 ? NULL : long_options[index].name;
		if (c >= OPT_QUALIFIER)
			options_qualifier(o, &seen, name, optarg);
		else if (c >= OPT_FOLLOW)
			long_option(o, &seen, c, name, optarg);
		else
			short_option(o, &seen, c, name, optarg);
	}
	if (seen.version) {
		help_version();
		exit(0);
	}
	o->line = mem_zalloc((size_t)(optind + 1) * sizeof(*o->line));
	for (int i = 1; i < optind; i++)
		o->line[i - 1] = argv[i];
	options_check(o, &seen, argv + optind);
	vec_deinit(&seen.paths);
	vec_deinit(&seen.env);
}

void options_deinit(struct options *o)
{
	if (o->env != environ) {
		for (char **e = o->env; e && *e; e++)
			free(*e);
		free(o->env);
	}
	free(o->user);
	free(o->line);
	vec_deinit(&o->read_traces);
	vec_deinit(&o->traces);
	free(o->decode_rows);
	vec_deinit(&o->pids);
	vec_for_each (&o->injections, inj)
		injection_deinit(inj);
	vec_deinit(&o->injections);
	number_set_deinit(&o->dump_read);
	number_set_deinit(&o->dump_write);
	filter_deinit(&o->filter);
}
