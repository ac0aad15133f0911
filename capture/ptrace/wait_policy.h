/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Learns which method of waiting for a stop is the cheapest. The cost of a stop depends on the
 * machine, on its load and on what the tracees do; neither the number of CPUs nor the load average
 * predicts it. So the best method so far is used. Now and then another method is tried, and
 * abandoned as soon as it turns out to cost more. Trials of each method take about 1% of the time.
 *
 * This file only does the bookkeeping, in O(1) per stop; tracee.c does the waiting. Times and costs
 * are in nanoseconds; times are those of CLOCK_MONOTONIC.
 */
#ifndef TRACER_CAPTURE_PTRACE_WAIT_POLICY_H
#define TRACER_CAPTURE_PTRACE_WAIT_POLICY_H

#include "defs.h"

/* The methods of waiting, starting with the one that uses the least CPU time. */
enum wait_method {
	WAIT_FOLLOW, /* sleep on the CPU of the tracee that causes the stops, see cpu_follow.h */
	WAIT_SLEEP,  /* sleep at once */
	WAIT_POLL,   /* poll a few times, then sleep, see tracee_spin.h */
	WAIT_METHODS,
};

struct wait_policy {
	enum wait_method now, best;   /* `now` is in use; it differs from `best` during a trial */
	bool only_sleep;	      /* never try another method */
	uint64_t cost[WAIT_METHODS];  /* recent average cost of a stop; 0 if unknown */
	uint64_t retry[WAIT_METHODS]; /* earliest time of the next trial of a method */
	uint64_t
		pause[WAIT_METHODS]; /* pause before that trial; grows each time the method loses */
	uint64_t settled;      /* cost of the best method when it was last compared with others */
	uint64_t began;	       /* time when the current method began */
	uint64_t batch;	       /* time when the current batch of stops began */
	uint64_t updated;      /* time of the last wait_policy_update() */
	unsigned stops;	       /* number of stops since the current method began */
	uint64_t follow_pause; /* pause of WAIT_FOLLOW after the tracer starved */
	bool check_cpu;	       /* the tracee that is followed may have moved to another CPU */
	uint64_t loaded_until; /* time until which only WAIT_SLEEP is used */
	/* `check_cpu` is set if a stop takes this many times its usual cost. */
	unsigned check_factor;
};

/* Initializes w with WAIT_POLL. With only_sleep, only WAIT_SLEEP is ever used. */
void wait_policy_init(struct wait_policy *w, bool only_sleep);

/* The clock is read once every WAIT_CLOCK_EVERY stops. */
#define WAIT_CLOCK_EVERY 4

/* Counts a stop whose tracee is resumed. Returns true if wait_policy_update() is due. */
static inline bool wait_policy_count_stop(struct wait_policy *w)
{
	return ++w->stops % WAIT_CLOCK_EVERY == 0 && !w->only_sleep;
}

/*
 * Evaluates the time since the last call. Returns true if the caller must check `now` and
 * `check_cpu` again, because the method, tracee or CPU may have to change.
 */
bool wait_policy_update(struct wait_policy *w, uint64_t now);

/*
 * Must be called if the followed tracee is still on the same CPU. Then its calls just take longer.
 */
void wait_policy_same_cpu(struct wait_policy *w);
/*
 * Must be called after the watchdog made the tracer stop following because too few stops arrived.
 * `check_cpu` is then set sooner.
 */
void wait_policy_follow_ended(struct wait_policy *w);

/*
 * Duration of the effect of wait_policy_loaded(), and interval between measurements of the load, in
 * nanoseconds.
 */
#define WAIT_LOADED_NS	(500 * 1000000ull)
#define WAIT_MEASURE_NS (50 * 1000000ull)

/*
 * Must be called when more threads want to run than there are CPUs. A tracer that polls then uses
 * up its share of CPU time, and a SCHED_IDLE tracer gets none, so WAIT_SLEEP is used. Costs that
 * are measured under load say little about the methods, so no other method is tried for
 * WAIT_LOADED_NS.
 */
void wait_policy_loaded(struct wait_policy *w, uint64_t now);

/* The reason for disabling WAIT_FOLLOW. */
enum follow_refusal {
	FOLLOW_NOT_NOW,	  /* not possible just now: retry soon */
	FOLLOW_STARVES,	  /* the tracer got no time: retry after a pause that grows each time */
	FOLLOW_FORBIDDEN, /* not permitted: never retry */
};

/* Disables WAIT_FOLLOW immediately. `why` determines when it is tried again. */
void wait_policy_disable_follow(struct wait_policy *w, uint64_t now, enum follow_refusal why);

#endif
