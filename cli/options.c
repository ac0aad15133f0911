/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/options_seen.h"
#include "cli/options_value.h"
#include "query/group.h"
#include "query/query.h"
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
	OPT_QUALIFIER, /* OPT_QUALIFIER + i identifies the long option of qualifier i */
};

static const char short_options[] = "+a:Ab:cCdDe:E:fFhiI:knNo:O:p:P:qrs:S:tTu:U:vVwxX:yYzZ";

/*
 * strace's long options, in strace's order. getopt_long() lists the matches of an ambiguous
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

static bool precision_find(const char *name, enum time_unit *unit)
{
	int i = CHOICE(name, "s", "ms", "us", "ns");

	if (i < 0)
		return false;
	*unit = (enum time_unit[]){UNIT_S, UNIT_MS, UNIT_US, UNIT_NS}[i];
	return true;
}

/*
 * Parses [[format:]FORMAT][,[precision:]PRECISION]; the two parts can be in either order. The
 * setting for an omitted part does not change, except that TIME_NONE becomes TIME_OF_DAY. Returns
 * false if the value is invalid.
 */
static bool parse_timestamps(struct options *o, const char *value)
{
	attr_cleanup(mem_free_ptr) char *copy = mem_strdup(value);
	char *save = NULL;

	if (o->text.absolute == TIME_NONE)
		o->text.absolute = TIME_OF_DAY;
	for (char *t = strtok_r(copy, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
		const char *format = option_skip(t, "format:"),
			   *precision = option_skip(t, "precision:");
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

/* Parses [[id:]ID][,[format:]FORMAT]. Returns false if the value is invalid. */
static bool parse_tips(struct options *o, const char *value)
{
	attr_cleanup(mem_free_ptr) char *copy = mem_strdup(value);
	char *save = NULL;

	o->tip = -1;
	o->tip_format = 1;
	for (char *t = strtok_r(copy, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
		const char *format = option_skip(t, "format:"), *id = option_skip(t, "id:");
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
		*vec_push(&o->pids) = pid;
	}
}

static void parse_daemonize(struct options *o, const char *name, const char *value)
{
	int i = value ? CHOICE(value, "grandchild", "pgroup|pgrp", "session") : 0;

	if (i < 0)
		option_bad(0, name, value);
	o->daemonize = i + 1;
}

static void parse_overhead(struct options *o, int c, const char *name, const char *value)
{
	int64_t ns = duration_parse(value, 1000);

	if (ns < 0)
		option_bad(c, name, value);
	o->summary.overhead_ns = ns;
}

/*
 * Handles strace's long options that have no short form, or a short form with a different meaning.
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
			option_bad(c, name, value);
		break;
	case OPT_STRINGS_IN_HEX:
		seen->x_long = true;
		i = value ? CHOICE(value, "none", "non-ascii-chars", "non-ascii", "all") : 3;
		if (i < 0)
			option_bad(c, name, value);
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
		o->syscall_limit = option_number(c, name, value, 1, LLONG_MAX);
		break;
	case OPT_FRAME_LIMIT:
		o->unwind.frame_limit = option_number(c, name, value, 1, (1 << 30) - 1);
		seen->frame_limit = true;
		break;
	case OPT_STACK_TRACE:
		i = value ? EXACT_CHOICE(value, "symbol", "source") : 0;
		if (i < 0)
			option_bad(c, name, value);
		seen->k = i + 1;
		break;
	case OPT_COLOR:
		i = CHOICE(value, "never", "always", "auto");
		if (i < 0)
			option_bad(c, name, value);
		o->text.color = i == 1;
		seen->color_auto = i == 2;
		seen->color = true;
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
			option_bad(c, name, value);
		break;
	case OPT_SECONTEXT:
		options_qualifier(o, seen, "secontext", value);
		break;
	case OPT_RELATIVE:
		seen->r = o->text.relative = true;
		o->text.relative_unit = UNIT_US;
		if (value && !precision_find(value, &o->text.relative_unit))
			option_bad(c, name, value);
		break;
	case OPT_SYSCALL_TIMES:
		seen->T = o->text.durations = true;
		o->text.durations_unit = UNIT_US;
		if (value && !precision_find(value, &o->text.durations_unit))
			option_bad(c, name, value);
		break;
	}
}

static void short_option(struct options *o, struct seen *seen, int c, const char *name, char *value)
{
	int i;

	switch (c) {
	case 'a':
		/*
		 * A very large column is a mistake. Padding lines to it would need a lot of memory.
		 */
		o->text.column = option_number(c, name, value, 0, 1 << 20);
		seen->a = true;
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
		help_page();
		exit(0);
	case 'i':
		seen->i = o->text.instruction_pointer = true;
		break;
	case 'I':
		i = CHOICE(value, "1|anywhere", "2|waiting", "3|never", "4|never_tstp", "always");
		if (i < 0)
			option_bad(c, name, value);
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
		o->decode.string_limit = option_number(c, name, value, 0, (1 << 30) - 1);
		seen->s = true;
		break;
	case 'S':
		seen->S = true;
		i = summary_column_find(value);
		if (i < 0) {
			option_hint_columns(true);
			die_usage("invalid sortby: '%s'", value);
		}
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
			option_bad(c, name, value);
		o->text.const_style =
			(enum const_style[]){CONST_RAW, CONST_ABBREV, CONST_VERBOSE}[i];
		seen->X = true;
		break;
	case 'y':
		seen->y_short++;
		break;
	case 'Y':
		seen->Y = true;
		options_qualifier(o, seen, "decode-pids", "comm");
		break;
	case 'z':
		seen->z++;
		filter_set_status(&o->filter, "successful");
		break;
	case 'Z':
		seen->Z++;
		filter_set_status(&o->filter, "failed");
		break;
	}
}

/*
 * Ends the program because getopt_long() rejected an option. `arg` is the command-line argument if
 * it was a long option.
 */
static void attr_noreturn option_unknown(const char *arg)
{
	attr_cleanup(mem_free_ptr) char *name = NULL;
	struct suggestion s = {0};

	if (arg && !strncmp(arg, "--", 2)) {
		name = mem_strndup(arg + 2, strcspn(arg + 2, "="));
		s.word = name;
		for (const struct option *opt = long_options; opt->name; opt++)
			suggestion_consider(&s, opt->name);
		options_own_suggest(&s);
	}
	if (s.name)
		msg("did you mean '--%s'?", s.name);
	fprintf(stderr, "Try '%s -h' for more information.\n", msg_program());
	exit(1);
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
	 * Messages from getopt_long() begin with argv[0]. Make them begin with the same name as all
	 * other messages.
	 */
	if (argc > 0)
		argv[0] = (char *)msg_program();
	optind = 1;
	for (;;) {
		const char *name;

		if (options_own_next(o, &seen, argc, argv))
			continue;
		index = -1;
		c = getopt_long(argc, argv, short_options, long_options, &index);
		if (c == -1)
			break;
		if (c == '?')
			option_unknown(argv[optind - 1]);
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
	group_free(o->group);
	group_free(o->sum);
	group_free(o->hist);
	vec_for_each (&o->assertions, a) {
		query_free(a->query);
		free(a->name);
	}
	vec_deinit(&o->assertions);
	vec_deinit(&o->traces);
	vec_deinit(&o->words);
	free(o->decode_rows);
	vec_deinit(&o->pids);
	vec_for_each (&o->groups, path)
		free(*path);
	vec_deinit(&o->groups);
	vec_deinit(&o->cgroups);
	vec_deinit(&o->containers);
	vec_for_each (&o->injections, inj)
		injection_deinit(inj);
	vec_deinit(&o->injections);
	number_set_deinit(&o->dump_read);
	number_set_deinit(&o->dump_write);
	filter_deinit(&o->filter);
}
