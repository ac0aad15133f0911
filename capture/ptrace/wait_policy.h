/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Learns which method of waiting for a stop is the cheapest. The cost of a stop depends on the
 * machine, on its load and on what the tracees do; neither the number of CPUs nor the load average
 * predicts it. So the cheapest method known is used, and now and then another one is tried and
 * given up as soon as it turns out to cost more. Trials of each method take about one per cent of
 * the time.
 *
 * This file only does the bookkeeping, in O(1) per stop; tracee.c waits. Times and costs are in
 * nanoseconds, times of CLOCK_MONOTONIC.
 */
#ifndef TRACER_CAPTURE_PTRACE_WAIT_POLICY_H
#define TRACER_CAPTURE_PTRACE_WAIT_POLICY_H

#include "defs.h"

/* The methods of waiting, the one with the least CPU time first. */
enum wait_method {
	WAIT_FOLLOW, /* sleep on the CPU of the tracee that makes the stops, see cpu_follow.h */
	WAIT_SLEEP,  /* sleep at once */
	WAIT_POLL,   /* poll a few times, then sleep, see tracee_spin.h */
	WAIT_METHODS,
};

struct wait_policy {
	enum wait_method now, best;   /* they differ during a trial */
	bool only_sleep;	      /* no other method is tried */
	uint64_t cost[WAIT_METHODS];  /* recent average cost of a stop; 0: unknown */
	uint64_t retry[WAIT_METHODS]; /* earliest time of the next trial of a method */
	uint64_t
		pause[WAIT_METHODS]; /* pause before that trial; grows each time the method loses */
	uint64_t settled;      /* cost of the best method when it was last compared with others */
	uint64_t began;	       /* time when the current method began */
	uint64_t batch;	       /* time when the current batch of stops began */
	uint64_t glance;       /* time of the last wait_policy_update() */
	unsigned stops;	       /* since the current method began */
	uint64_t follow_pause; /* pause of WAIT_FOLLOW after the tracer starved */
	bool look;	       /* the tracee that is followed may have moved to another CPU */
	uint64_t loaded_until; /* time until which only WAIT_SLEEP is used */
	unsigned calm;	       /* factor of the usual cost that a stop must exceed to set `look` */
};

/* Begins with WAIT_POLL. With only_sleep, WAIT_SLEEP is used and nothing else is ever tried. */
void wait_policy_init(struct wait_policy *w, bool only_sleep);

/* The clock is read at every fourth stop. */
#define WAIT_CLOCK_EVERY 4

/* Counts a stop whose tracee is resumed. Returns true if wait_policy_update() is due. */
static inline bool wait_policy_count_stop(struct wait_policy *w)
{
	return ++w->stops % WAIT_CLOCK_EVERY == 0 && !w->only_sleep;
}

/*
 * Accounts for the time since the last call. Returns true if the caller must check `now` and `look`
 * again, because another method, tracee or CPU may be due.
 */
bool wait_policy_update(struct wait_policy *w, uint64_t now);

/* To be called if the followed tracee is still on the same CPU and its calls just take longer. */
void wait_policy_same_cpu(struct wait_policy *w);
/* To be called when the watchdog ended following for lack of stops: `look` is set again soon. */
void wait_policy_follow_ended(struct wait_policy *w);

/* How long wait_policy_loaded() has an effect, and how often to measure the load. */
#define WAIT_LOADED_NS	(500 * 1000000ull)
#define WAIT_MEASURE_NS (50 * 1000000ull)

/*
 * To be called when more threads want to run than there are CPUs, at the time now. A tracer that
 * polls then uses up its share of CPU time, and one that is SCHED_IDLE gets none, so WAIT_SLEEP is
 * right. The cost of a stop at such a time says little about the methods, so no other one is tried
 * for WAIT_LOADED_NS.
 */
void wait_policy_loaded(struct wait_policy *w, uint64_t now);

/* Why WAIT_FOLLOW is disabled. */
enum follow_refusal {
	FOLLOW_NOT_NOW,	  /* not possible just now: retry soon */
	FOLLOW_STARVES,	  /* the tracer got no time: retry after a pause that grows each time */
	FOLLOW_FORBIDDEN, /* not permitted: never retry */
};

/* Disables WAIT_FOLLOW at once, at the time now. why decides when it is tried again. */
void wait_policy_disable_follow(struct wait_policy *w, uint64_t now, enum follow_refusal why);

#endif
