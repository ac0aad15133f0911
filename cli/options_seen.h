/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* State shared by the option parsers: which options were given, in which form. */
#ifndef TRACER_CLI_OPTIONS_SEEN_H
#define TRACER_CLI_OPTIONS_SEEN_H

#include "select/syscall_set.h"
#include "util/vec.h"

struct options;

#define SUMMARY_OPTIONS "(-c/--summary-only or -C/--summary)"

/* Options that cannot be used with some other options, see options_conflict(). */
enum {
	WITH_READ_TRACE = 1 << 0,
	WITH_DIFF = 1 << 1,
	WITH_SYMBOLIZE = 1 << 2,
	WITH_INFO = 1 << 3,
	WITH_LIVE = 1 << 4,
	WITH_TUI = 1 << 5,
	WITH_FILES = 1 << 6,
	WITH_EXECS = 1 << 7,
	WITH_LEARN = 1 << 8,
	WITH_CRITICAL_PATH = 1 << 9,
	WITH_SNAPSHOT = 1 << 10,
	WITH_FD_REPORT = 1 << 11,
	WITH_ASSERTIONS = 1 << 12, /* --fail-on or --stop-on */
	WITH_ALL_CALLS = 1 << 13,
};

struct seen {
	/* Number of times each short option was given, and whether each long option was given. */
	unsigned d_short, f_short, F_short, k, q_short, t_short, x_short, y_short, z, Z;
	enum { STRINGS_AUTO, STRINGS_ESCAPED, STRINGS_UTF8 } strings; /* the value of --strings */
	bool d_long, f_long, q_long, t_long, x_long, y_long, separately_long;
	bool w, U, S, i, n, N, r, T, A, a, s, X, Y;
	bool frame_limit, version, seccomp_bpf, tips, stack_style, json_stacks, unwinder, format,
		engine, color, weight, wait_spin, record_stacks;
	bool traces_nothing; /* -e trace= does not select any syscall */
	bool color_auto;
	const char *user, *argv0;
	struct syscall_set abbrev, verbose, raw;
	VEC(const char *) paths; /* the arguments of -P */
	VEC(const char *) env;	 /* the arguments of -E */
};

/* options_qualify.c: parses the argument of a single -e option. */
void options_qualify(struct options *o, struct seen *seen, const char *expr);
/* Parses the argument of -U, a list of columns. */
void options_columns(struct options *o, const char *list);

/*
 * Like options_qualify(), for the long option `name`. Returns false if no qualifier has this name.
 */
bool options_qualifier(struct options *o, struct seen *seen, const char *name, const char *value);

/*
 * options_own.c: handles argv[optind] if it is an option that strace does not have. Returns false
 * if it is not.
 */
bool options_own_next(struct options *o, struct seen *seen, int argc, char **argv);

struct suggestion;

/* Adds tracer's own options to the candidates for a suggestion about an unknown option. */
void options_own_suggest(struct suggestion *s);

/*
 * options_trace.c: opens the traces of --read-trace. Rejects options that cannot be used with
 * traces.
 */
void options_trace_check(struct options *o, struct seen *seen);

/*
 * options_conflicts.c: returns the first given option that cannot be used with the options in
 * `with` (WITH_ bits), or NULL if there is none. The result is a text for messages, for example
 * "-o/--output". WITH_ALL_CALLS stands for an evaluation that needs all calls.
 */
const char *options_conflict(const struct options *o, const struct seen *seen, unsigned with);
/*
 * Ends the program with a message if options_conflict() finds an option. `name` is the name of the
 * option that `with` stands for.
 */
void options_refuse(const struct options *o, const struct seen *seen, unsigned with,
		    const char *name);

/*
 * options_query.c: adds the expression of a --where option. An event must match all of these
 * expressions.
 */
void options_where(struct options *o, const char *text);
/* Adds the expression of a --fail-on or --stop-on option. */
void options_assert(struct options *o, const char *text, bool stops);
/* Handles the option --group-by, --sum or --hist. `name` is the name of the option. */
void options_group(struct options *o, const char *name, const char *value);
/*
 * Sets the columns for --group-by unless -U was given, and adds columns for --sum. Sets the sort
 * order for these options if there is no -S. Call this after -U was parsed.
 */
void options_group_columns(struct options *o, const struct seen *seen);
/*
 * If --critical-path was given, rejects options that cannot be combined with it, and derives the
 * settings for it. With --diff, determines whether an option hides calls that critical paths need.
 */
void options_critical_path(struct options *o, const struct seen *seen);
/* Check --files, --execs and --learn, and derive the settings for them. */
void options_files(struct options *o, const struct seen *seen);
void options_execs(struct options *o, const struct seen *seen);
void options_learn(struct options *o, const struct seen *seen);
/*
 * options_live.c: returns the interval of --live in nanoseconds. If `value` is NULL, returns the
 * default, one second. Returns -1 if `value` is invalid or too short.
 */
int64_t options_live_interval(const char *value);
/* If --live was given, rejects options that cannot be used with it, and derives its settings. */
void options_live(struct options *o, const struct seen *seen);
/* options_tui.c: checks which options can be used with --tui. */
void options_tui(struct options *o, const struct seen *seen);
/*
 * Applies the queries: requests the event data that they need. With --where, traces only the
 * syscalls that it can match.
 */
void options_query_apply(struct options *o, const struct seen *seen);

/*
 * options_check.c: rejects combinations of options that are not possible, and derives further
 * settings from the options. `args` is PROG [ARGS].
 */
void options_check(struct options *o, struct seen *seen, char **args);

/*
 * options_command.c: sets the arguments of the command from args, which is PROG [ARGS], and from
 * --argv0.
 */
void options_command(struct options *o, const struct seen *seen, char **args);
/* Sets the environment of the command: tracer's own environment, changed by -E. */
void options_environment(struct options *o, const struct seen *seen);
/* Sets the user that runs the command. `name` is the argument of -u: a user name, or UID:GID. */
void options_user(struct options *o, const char *name);

/*
 * options_effect.c: warns about options that have no effect with the other given options.
 * (options_check.c prints the warnings that strace also prints.)
 */
void options_effect(const struct options *o, const struct seen *seen);

#endif
