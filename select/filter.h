/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decides what is shown. A syscall passes three gates, the cheapest first: by its number at the
 * entry, before anything is read or decoded; by those of its arguments that its row marks
 * (enum watch); and by its result.
 */
#ifndef TRACER_SELECT_FILTER_H
#define TRACER_SELECT_FILTER_H

#include "event/event.h"
#include "util/number_set.h"
#include "select/syscall_set.h"

struct facts;
struct memory;
struct query;
struct unwinder;

enum status { /* -e status=, as numbers of a number_set */
	      STATUS_SUCCESSFUL,
	      STATUS_FAILED,
	      STATUS_UNFINISHED,
	      STATUS_UNAVAILABLE,
	      STATUS_DETACHED,
	      STATUS_COUNT
};

struct filter {
	struct syscall_set trace;		  /* -e trace= */
	unsigned statuses;			  /* 1 << enum status */
	struct number_set signals;		  /* -e signal= */
	struct number_set fds;			  /* -e trace-fds= */
	bool by_fd;				  /* -e trace-fds= was given */
	VEC(char *) paths;			  /* -P, each as given and as resolved */
	VEC(struct path_pattern *) path_patterns; /* -P with wildcards */
	uint64_t min_ns, max_ns;     /* --duration: the shortest and the longest call */
	struct stack_pattern *stack; /* -e stack=, or NULL */
	struct query *where;	     /* --where, or NULL; owned */
	VEC(char *) sources;	     /* --events=: names of sources, or "all" */
};

/* Begins with a filter that shows everything; filter_deinit() frees it. */
void filter_init(struct filter *f);
void filter_deinit(struct filter *f);

/* Set what the options of these names say; invalid text ends the program with a message. */
void filter_set_status(struct filter *f, const char *text);
void filter_set_signals(struct filter *f, const char *text);
void filter_set_fds(struct filter *f, const char *text);
void filter_set_stack(struct filter *f, const char *text); /* [!]/REGEX/ */
/*
 * -P: adds a path. If it resolves to a different one, adds that too and returns it, owned by f;
 * otherwise returns NULL.
 */
const char *filter_add_path(struct filter *f, const char *path);
/*
 * -P with wildcards: adds a pattern that whole paths must match. *, ? and [SET] match no slash, **
 * matches anything. A pattern that cannot be right ends the program with a message.
 */
void filter_add_path_pattern(struct filter *f, const char *pattern);

/* Whether calls are filtered by the paths that they name: -P, with wildcards or without. */
static inline bool filter_by_path(const struct filter *f)
{
	return f->paths.n || f->path_patterns.n;
}

/* First gate: whether a syscall with this number may be shown. */
static inline bool filter_wants(const struct filter *f, const struct abi *abi, uint64_t nr)
{
	return syscall_set_has(&f->trace, abi, nr);
}

/*
 * Second gate, at the entry before decoding: whether the arguments match -P and -e trace-fds=.
 * Reads the memory of the thread e->base.tid and asks what its descriptors are. *memory_seen is set
 * to true if memory is read that the arguments point to, and otherwise left as it is. The first
 * function is for the second alone.
 */
bool filter_enter_args(const struct filter *f, struct memory *memory, struct facts *facts,
		       const struct syscall_event *e, bool *memory_seen);
static inline bool filter_enter(const struct filter *f, struct memory *memory, struct facts *facts,
				const struct syscall_event *e, bool *memory_seen)
{
	return (!filter_by_path(f) && !f->by_fd) ||
	       filter_enter_args(f, memory, facts, e, memory_seen);
}
/*
 * The gate of --where: whether a call matches, at its entry once it is decoded, and at its exit.
 * Returns false if it does not; *open is set if only the exit will tell.
 */
bool filter_where(const struct filter *f, struct unwinder *unwinder, const struct syscall_event *e,
		  bool ended, bool *open);
/* Whether --where lets an event be shown that is not a call. */
bool filter_event(const struct filter *f, struct unwinder *unwinder, const struct event *e);
/* Whether the entry of a syscall must not be shown before its exit has passed the third gate. */
bool filter_holds(const struct filter *f);
/*
 * Third gate, at the exit: -e status=, -z and -Z, --duration, then -e stack=. unwinder names the
 * frames.
 */
bool filter_exit(const struct filter *f, struct unwinder *unwinder, const struct syscall_event *e);

/* Third gate for a syscall during which its thread is detached. */
static inline bool filter_detached(const struct filter *f)
{
	return f->statuses & 1 << STATUS_DETACHED;
}

/* Whether calls are filtered by their duration, so that events need it. */
static inline bool filter_needs_duration(const struct filter *f)
{
	return f->min_ns || f->max_ns != UINT64_MAX;
}

/* Whether a stack must be captured for filtering alone. */
static inline bool filter_needs_stack(const struct filter *f)
{
	return f->stack;
}

/* Whether events of that source are shown: --events=. */
bool filter_source(const struct filter *f, const char *source);

/* Whether the delivery of a signal is shown: -e signal=. */
bool filter_signal(const struct filter *f, int sig);

#endif
