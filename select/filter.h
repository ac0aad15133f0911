/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is shown. A syscall passes three gates, the cheapest first: its number
 * at entry, before anything is read or decoded; its arguments, of which only those
 * that rows have watched (enum watch) are looked at; its result.
 */
#ifndef TRACER_FILTER_H
#define TRACER_FILTER_H

#include "event/event.h"
#include "util/number_set.h"
#include "select/syscall_set.h"

struct tcb;
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
	struct syscall_set trace;    /* -e trace= */
	unsigned statuses;	     /* 1 << enum status */
	struct number_set signals;   /* -e signal= */
	struct number_set fds;	     /* -e trace-fds= */
	bool by_fd;		     /* -e trace-fds= was given */
	VEC(char *) paths;	     /* -P, each as given and as resolved */
	struct stack_pattern *stack; /* -e stack=, or NULL */
};

/* Everything is shown. */
void filter_init(struct filter *f);
void filter_deinit(struct filter *f);

/* What the options say; each ends the program with one message when it is no use. */
void filter_set_status(struct filter *f, const char *text);
void filter_set_signals(struct filter *f, const char *text);
void filter_set_fds(struct filter *f, const char *text);
void filter_set_stack(struct filter *f, const char *text); /* [!]/REGEX/ */
/* -P: adds path and, where it is another, what it resolves to: this is returned, or NULL. */
const char *filter_add_path(struct filter *f, const char *path);

/* 1. By number: whether anything at all is to be done for this syscall. */
static inline bool filter_wants(const struct filter *f, const struct abi *abi, uint64_t nr)
{
	return syscall_set_has(&f->trace, abi, nr);
}

/*
 * 2. At entry, before anything is decoded: -P and -e trace-fds=, from what the thread has in memory
 * and in its table of descriptors. Sets e->memory_seen.
 */
bool filter_enter(const struct filter *f, const struct tcb *tcb, struct syscall_event *e);
/* Whether the beginning must be held back until the exit has decided. */
bool filter_holds(const struct filter *f);
/* 3. At exit: -e status=, -z, -Z; then -e stack=. unwinder names the frames. */
bool filter_exit(const struct filter *f, struct unwinder *unwinder, const struct syscall_event *e);

/* The same for a call that its thread leaves as it is let go. */
static inline bool filter_detached(const struct filter *f)
{
	return f->statuses & 1 << STATUS_DETACHED;
}

/* Whether a stack must be captured for filtering alone. */
static inline bool filter_needs_stack(const struct filter *f)
{
	return f->stack;
}

bool filter_signal(const struct filter *f, int sig);

#endif
