/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event for which a query is evaluated, and the result of the evaluation. */
#ifndef TRACER_QUERY_SUBJECT_H
#define TRACER_QUERY_SUBJECT_H

#include "event/event.h"

struct unwinder;
struct watched_call;

/* Whether an event matches. TRUTH_OPEN means that the result is not known until syscall exit. */
enum truth { TRUTH_NO, TRUTH_YES, TRUTH_OPEN };

struct query_subject {
	const struct event *base;
	const struct syscall_event *call;  /* NULL if the event is not a syscall */
	const struct signal_event *signal; /* NULL if the event is not a signal */
	bool ended;		   /* true if the call has returned, or its thread has ended */
	struct unwinder *unwinder; /* resolves the frames of stacks; may be NULL */
	/* the call before it is decoded, for the queries in query/shorthand.h; otherwise NULL */
	const struct watched_call *watched;
};

/* Returns the subject for a complete event. A syscall is complete at its exit. */
static inline struct query_subject query_subject_of(const struct event *e,
						    struct unwinder *unwinder)
{
	const bool is_call = e->kind <= EVENT_SNAPSHOT || e->request;

	return (struct query_subject){.base = e,
				      .call = is_call ? event_syscall(e) : NULL,
				      .signal = e->kind == EVENT_SIGNAL ? event_signal(e) : NULL,
				      .ended = true,
				      .unwinder = unwinder};
}

#endif
