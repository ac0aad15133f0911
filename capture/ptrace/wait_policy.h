/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Learns which method of waiting for a stop is cheapest. The cost of a stop depends on the machine,
 * on its load and on the tracees' activity. Neither the number of CPUs nor the load average
 * predicts the cost. Therefore the method that has been cheapest so far is used. From time to time,
 * another method is tried. The trial ends as soon as that method turns out to cost more. Trials of
 * each method take about 1% of the time.
 *
 * This code only chooses the method, in O(1) per stop; tracee.c waits. Times and costs are in
 * nanoseconds. Times are values of CLOCK_MONOTONIC.
 */
#ifndef TRACER_CAPTURE_PTRACE_WAIT_POLICY_H
#define TRACER_CAPTURE_PTRACE_WAIT_POLICY_H

#include "defs.h"

/* The methods of waiting, in order of increasing CPU time. */
enum wait_method {
	WAIT_FOLLOW, /* sleep on the CPU of the tracee that causes the stops, see cpu_follow.h */
	WAIT_SLEEP,  /* sleep immediately, on any CPU */
	WAIT_POLL,   /* poll a few times, then sleep, see tracee_spin.h */
	WAIT_METHODS,
};

struct wait_policy {
	enum wait_method now, best;   /* `now` is the method in use; it differs from `best` during a
					 trial */
	bool only_sleep;	      /* true if only WAIT_SLEEP may be used */
	uint64_t cost[WAIT_METHODS];  /* recent average cost of a stop; 0 if unknown */
	uint64_t retry[WAIT_METHODS]; /* earliest time of the next trial of a method */
	/*
	 * pause before the next trial; the pause becomes longer each time the method loses a trial
	 */
	uint64_t pause[WAIT_METHODS];
	/* cost of the best method when it was last compared with the other methods */
	uint64_t settled;
	uint64_t began;	       /* time when the current method was chosen */
	uint64_t batch;	       /* time when the current batch of stops began */
	uint64_t updated;      /* time of the last wait_policy_update() */
	unsigned stops;	       /* number of stops since the current method was chosen */
	uint64_t follow_pause; /* pause before WAIT_FOLLOW is tried again after the tracer
				  starved */
	bool check_cpu;	       /* true if the followed tracee may have moved to another CPU */
	uint64_t loaded_until; /* only WAIT_SLEEP is used before this time */
	/* If a stop takes this many times as long as usual, `check_cpu` becomes true. */
	unsigned check_factor;
};

/* Initializes *w with WAIT_POLL. If only_sleep is true, WAIT_SLEEP is always used instead. */
void wait_policy_init(struct wait_policy *w, bool only_sleep);

/* The clock is read once every WAIT_CLOCK_EVERY stops. */
#define WAIT_CLOCK_EVERY 4

/*
 * Must be called when a tracee is resumed after a stop. Returns true if wait_policy_update() must
 * be called now.
 */
static inline bool wait_policy_count_stop(struct wait_policy *w)
{
	return ++w->stops % WAIT_CLOCK_EVERY == 0 && !w->only_sleep;
}

/*
 * Evaluates the time since the last call. Returns true if the caller must check `now` and
 * `check_cpu` again, because the method, the tracee or its CPU may have changed.
 */
bool wait_policy_update(struct wait_policy *w, uint64_t now);

/*
 * Must be called if `check_cpu` was set, but the followed tracee has not moved to another CPU. The
 * stops are slow for another reason. From now on, only a larger slowdown sets `check_cpu`.
 */
void wait_policy_same_cpu(struct wait_policy *w);
/*
 * Must be called if the watchdog ended following because too few stops arrived. If WAIT_FOLLOW is
 * in use, the next wait_policy_update() sets `check_cpu`.
 */
void wait_policy_follow_ended(struct wait_policy *w);

/*
 * The duration of the effect of wait_policy_loaded(), and the interval between measurements of the
 * load, in nanoseconds.
 */
#define WAIT_LOADED_NS	(500 * 1000000ull)
#define WAIT_MEASURE_NS (50 * 1000000ull)

/*
 * Must be called when more threads are ready to run than there are CPUs. Under load, a tracer that
 * polls uses up its share of CPU time, and a SCHED_IDLE tracer gets no CPU time. Therefore only
 * WAIT_SLEEP is used for WAIT_LOADED_NS. No other method is tried during this time, because costs
 * that are measured under load are misleading.
 */
void wait_policy_loaded(struct wait_policy *w, uint64_t now);

/* The reason why WAIT_FOLLOW is disabled. */
enum follow_refusal {
	FOLLOW_NOT_NOW, /* currently not possible: try again soon */
	/* the tracer got no CPU time: try again after a pause, which becomes longer each time */
	FOLLOW_STARVES,
	FOLLOW_FORBIDDEN, /* not permitted: never try again */
};

/* Disables WAIT_FOLLOW immediately. `why` determines when it will be tried again. */
void wait_policy_disable_follow(struct wait_policy *w, uint64_t now, enum follow_refusal why);

#endif
