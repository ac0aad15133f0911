/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds up the time that a thread spends off the CPU during a call, and finds out who woke the
 * thread, from the context switches that the engine reports (event/sched.h).
 */
#ifndef TRACER_WAKE_SLEEPS_H
#define TRACER_WAKE_SLEEPS_H

#include "event/event.h"
#include "event/wakeup.h"
#include "wake/posts.h"

enum wake_context {
	CONTEXT_UNKNOWN,
	CONTEXT_THREAD,
	CONTEXT_KERNEL,
	CONTEXT_RING,
	CONTEXT_INTERRUPT
};

/*
 * The periods during a call in which the thread was off the CPU. {0} at the start of the call.
 * Times are in nanoseconds.
 */
struct sleeps {
	int64_t blocked, runnable; /* total time blocked, and total time waiting for a CPU */
	/*
	 * Duration of the longest period in which the thread was blocked; 0 if it was never
	 * blocked.
	 */
	int64_t longest;
	int64_t at; /* end of the longest period (CLOCK_MONOTONIC) */
	/*
	 * Who ended the longest period: a thread, an interrupt and so on; CONTEXT_UNKNOWN if this
	 * is not known.
	 */
	enum wake_context context;
	bool signal; /* true if a signal was pending at the wake-up */
	pid_t tid, tgid;
	char comm[16];
	const char *call; /* the waker's syscall, or NULL */
};

/*
 * Adds an event SCHED_SWITCH that ended at `end` (CLOCK_MONOTONIC). Returns true if the event
 * describes the longest period so far in which the thread was blocked. Ignores events with invalid
 * values.
 */
bool sleeps_add(struct sleeps *s, const struct event *e, int64_t end);

/* A call during which a thread was blocked. */
struct slept_call {
	enum wake_cause cause; /* the cause if a thread ended the wait */
	bool polls; /* true if the call waits for several descriptors, so that `cause` is a guess */
	bool interrupted; /* true if a signal ended the call */
	bool timed_out;	  /* true if the call ended at its timeout */
};

/*
 * Sets *w to the cause that ended the longest sleep. On entry, if `inferred` is true, *w contains
 * the cause that was inferred from the calls. Returns false if the thread was not blocked.
 */
bool sleeps_explain(const struct sleeps *s, const struct slept_call *call, struct posts *posts,
		    bool inferred, struct wakeup *w);

#endif
