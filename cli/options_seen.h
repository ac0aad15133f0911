/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the options' files share while the command line is read: what was said how. */
#ifndef TRACER_CLI_OPTIONS_SEEN_H
#define TRACER_CLI_OPTIONS_SEEN_H

#include "select/syscall_set.h"
#include "util/vec.h"

struct options;

struct seen {
	/* How often each short option was given, and whether its long form was. */
	unsigned d_short, f_short, F_short, k, q_short, t_short, x_short, y_short, z, Z;
	bool d_long, f_long, q_long, t_long, x_long, y_long, separately_long;
	bool w, U, S, i, n, N, r, T, A, a, s, X, Y;
	bool frame_limit, version, seccomp_bpf, tips, stack_style, json_stacks, unwinder, format,
		engine, color, weight, wait_spin, record_stacks;
	bool traces_nothing; /* -e trace= selects no syscall */
	bool color_auto;
	const char *user, *argv0;
	struct syscall_set abbrev, verbose, raw;
	VEC(const char *) paths; /* -P */
	VEC(const char *) env;	 /* -E */
};

/* options_qualify.c: one -e expression. */
void options_qualify(struct options *o, struct seen *seen, const char *expr);
/* One list of -U; -S's criterion. */
void options_columns(struct options *o, const char *list);

/* The same for the long options named after a qualifier: which one, and its value. */
bool options_qualifier(struct options *o, struct seen *seen, const char *name, const char *value);

/*
 * options_own.c: takes argv[optind] if it is an option that strace does not have. Returns whether
 * it was one.
 */
bool options_own_next(struct options *o, struct seen *seen, int argc, char **argv);

/* Considers the names of these options as what an unknown one was meant to be. */
struct suggestion;
void options_own_suggest(struct suggestion *s);

/* options_trace.c: opens the trace of --read-trace, and refuses what cannot be done with traces. */
void options_trace_check(struct options *o, struct seen *seen);

/* options_query.c: one --where; several are joined by "and". */
void options_where(struct options *o, const char *text);
/* One --fail-on or --stop-on. */
void options_assert(struct options *o, const char *text, bool stops);
/* --group-by, --sum or --hist, which is called name. */
void options_group(struct options *o, const char *name, const char *value);
/* Adds the columns of --sum, after -U is known, and the order of rows without -S. */
void options_group_columns(struct options *o, const struct seen *seen);
/* What queries need of events, and what they say about calls. */
void options_query_apply(struct options *o, const struct seen *seen);

/* options_check.c: what goes together, and what follows from what. args: PROG [ARGS]. */
void options_check(struct options *o, struct seen *seen, char **args);

/*
 * options_effect.c: prints a line for each option that has no effect beside the others, where one
 * of them is none of strace's; strace's own are told of in options_check.c, as it tells of them.
 */
void options_effect(const struct options *o, const struct seen *seen);

#endif
