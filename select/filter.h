/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Selects the events to show. A syscall must pass these checks, the cheapest first:
 * - The first check is made at the entry, before anything is read or decoded. It checks the syscall
 *   number.
 * - The second check is also made before decoding. It checks the arguments that are marked in the
 *   syscall's row (enum watch).
 * - The check of --where is made after decoding, and again at the exit if it needs the result.
 * - The third check is made at the exit. It checks the status, the duration and the stack.
 */
#ifndef TRACER_SELECT_FILTER_H
#define TRACER_SELECT_FILTER_H

#include "event/event.h"
#include "util/number_set.h"
#include "select/syscall_set.h"

struct facts;
struct memory;
struct query;
struct query_bounds;
struct unwinder;

/* The members of type struct query * are NULL if their option was not given. */
struct filter {
	struct syscall_set trace;  /* -e trace= */
	struct number_set signals; /* -e signal= */
	bool detached;		/* true if -e status= includes calls from which tracer detaches */
	struct query *fds;	/* -e trace-fds= */
	struct query *paths;	/* -P */
	struct query *status;	/* -e status=, -z and -Z */
	struct query *duration; /* --duration */
	struct query *stack;	/* -e stack= */
	struct query *where;	/* --where */
	VEC(char *) sources;	/* --events=: names of sources, or "all" */
};

/* Initializes a filter that shows everything. filter_deinit() frees its members. */
void filter_init(struct filter *f);
void filter_deinit(struct filter *f);

/*
 * Set a part of the filter from the text of an option. If the text is invalid, the program exits
 * with a message.
 */
void filter_set_status(struct filter *f, const char *text);
void filter_set_signals(struct filter *f, const char *text);
void filter_set_fds(struct filter *f, const char *text);
/* Sets the minimum and the maximum duration of calls. */
void filter_set_duration(struct filter *f, uint64_t min_ns, uint64_t max_ns);
void filter_set_stack(struct filter *f, const char *text); /* `text` has the form [!]/REGEX/ */
/*
 * Adds a path of -P. If it resolves to a different path, also adds that path and returns it;
 * otherwise returns NULL. The caller frees the returned string.
 */
char *filter_add_path(struct filter *f, const char *path);
/*
 * Adds a pattern of -P, which must match the whole path. The wildcards *, ? and [SET] do not match
 * a slash; ** matches any text. If the pattern is invalid, the program exits with a message.
 */
void filter_add_path_pattern(struct filter *f, const char *pattern);

/*
 * Returns true if calls are filtered by the paths in their arguments: -P, with or without
 * wildcards.
 */
static inline bool filter_by_path(const struct filter *f)
{
	return f->paths;
}

/* First check: returns true if a syscall with this number may be shown. */
static inline bool filter_wants(const struct filter *f, const struct abi *abi, uint64_t nr)
{
	return syscall_set_has(&f->trace, abi, nr);
}

/*
 * Second check, at the entry before decoding: returns true if the arguments match -P or -e
 * trace-fds=. If both options were given, one match is sufficient. Reads the memory of the thread
 * e->base.tid, and queries `facts` about the thread's descriptors. Sets *memory_seen to true if
 * this function reads memory that arguments point to. Only filter_enter() may call this function.
 */
bool filter_enter_args(const struct filter *f, struct memory *memory, struct facts *facts,
		       const struct syscall_event *e, bool *memory_seen);
static inline bool filter_enter(const struct filter *f, struct memory *memory, struct facts *facts,
				const struct syscall_event *e, bool *memory_seen)
{
	return (!f->paths && !f->fds) || filter_enter_args(f, memory, facts, e, memory_seen);
}
/*
 * The check of --where, which must have been given: returns true if a call matches. Must be called
 * at the entry, after decoding, and again at the exit, with `ended` set. If the result depends on
 * data that is not known before the exit, sets *open to true and returns true. Otherwise, sets
 * *open to false.
 */
bool filter_where(const struct filter *f, struct unwinder *unwinder, const struct syscall_event *e,
		  bool ended, bool *open);
/* Returns true if an event other than a syscall matches --where, or if --where was not given. */
bool filter_event(const struct filter *f, struct unwinder *unwinder, const struct event *e);
/*
 * Sets *b to bounds of the results and durations of all calls that can pass --where, -e status=,
 * -z, -Z and --duration.
 */
void filter_bounds(const struct filter *f, struct query_bounds *b);
/*
 * Returns true if the entry of a syscall must not be shown until its exit has passed the third
 * check.
 */
bool filter_holds(const struct filter *f);
/*
 * Third check, at the exit: returns true if the call passes -e status=, -z and -Z, --duration and
 * -e stack=. `unwinder` provides the names of frames.
 */
bool filter_exit(const struct filter *f, struct unwinder *unwinder, const struct syscall_event *e);

/*
 * Third check for a syscall during which tracer detaches from the thread: returns true if it may be
 * shown.
 */
static inline bool filter_detached(const struct filter *f)
{
	return f->detached;
}

/* Returns true if calls are filtered by duration, so that events must contain their duration. */
static inline bool filter_needs_duration(const struct filter *f)
{
	return f->duration;
}

/* Returns true if filters need stacks, even if stacks are not shown. */
static inline bool filter_needs_stack(const struct filter *f)
{
	return f->stack;
}

/* Returns true if events from a source are shown: --events=. */
bool filter_source(const struct filter *f, const char *source);

/* Returns true if the delivery of a signal is shown: -e signal=. */
bool filter_signal(const struct filter *f, int sig);

#endif
