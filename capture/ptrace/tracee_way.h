/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Learns from the clock which way of waiting for a stop is the cheapest. What a stop costs each
 * way depends on the machine, on its load and on what the tracees do; neither the number of CPUs
 * nor the load average predicts it. So the cheapest way known is used, and now and then another one
 * is tried and given up as soon as it turns out to cost more. Each kind of trial takes about one
 * per cent of the time.
 *
 * This file only keeps the books, in O(1) per stop; tracee.c waits. Times and costs are in
 * nanoseconds, times of CLOCK_MONOTONIC.
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_WAY_H
#define TRACER_CAPTURE_PTRACE_TRACEE_WAY_H

#include "defs.h"

/* The ways of waiting. The earlier one stands here, the less CPU time it takes. */
enum way {
	WAY_NEAR,  /* sleep on the CPU of the tracee that makes the stops, see tracee_near.h */
	WAY_SLEEP, /* sleep at once */
	WAY_ASK,   /* poll some times, then sleep, see tracee_spin.h */
	WAYS,
};

struct ways {
	enum way now, best;    /* they differ during a trial */
	bool only_sleep;       /* no other way is tried */
	uint64_t cost[WAYS];   /* recent average of a stop; 0: unknown */
	uint64_t retry[WAYS];  /* time from which on a way may be tried again */
	uint64_t pause[WAYS];  /* pause before that trial; longer each time the way loses */
	uint64_t settled;      /* cost of the best way when it was last compared with others */
	uint64_t began;	       /* time when the present way began */
	uint64_t batch;	       /* time when the present batch of stops began */
	uint64_t glance;       /* time of the last ways_glance() */
	unsigned stops;	       /* since the present way began */
	uint64_t near_penalty; /* pause of WAY_NEAR after the tracer starved */
	bool look;	       /* the tracee that is followed may have moved to another CPU */
	uint64_t loaded_until; /* time until which no way but WAY_SLEEP is tried */
	unsigned calm;	       /* only a stop that takes so many times its usual cost sets look */
};

/* Begins with WAY_ASK or, with only_sleep, with WAY_SLEEP for ever. */
void ways_init(struct ways *w, bool only_sleep);

/* The clock is read once in so many stops. */
#define WAYS_GLANCE 4

/* Counts a stop whose tracee is resumed. Returns true if ways_glance() is due. */
static inline bool ways_stop(struct ways *w)
{
	return ++w->stops % WAYS_GLANCE == 0 && !w->only_sleep;
}

/*
 * Takes the time of the stops since the last call into account. Returns true if the caller must
 * look at now and look again: another way, another tracee or another CPU may be due.
 */
bool ways_glance(struct ways *w, uint64_t now);

/* The followed tracee is still on the same CPU: its calls just take longer. */
void ways_in_place(struct ways *w);
/* The watchdog ended the following because stops were rare: look is set again soon. */
void ways_near_ended(struct ways *w);

/* How long ways_loaded() has an effect, and how often the load should be measured. */
#define WAYS_LOADED_NS	(500 * 1000000ull)
#define WAYS_MEASURE_NS (50 * 1000000ull)

/*
 * At the time now more threads want to run than there are CPUs. A tracer that polls then uses up
 * its share of CPU time, and one that is SCHED_IDLE gets none, so only WAY_SLEEP is right. What
 * stops cost at such a time says little about the ways: nothing else is tried for WAYS_LOADED_NS.
 */
void ways_loaded(struct ways *w, uint64_t now);

/* Why WAY_NEAR is given up. */
enum near_refusal {
	NEAR_NOT_YET, /* it was not possible just now: tried again soon */
	NEAR_STARVES, /* the tracer got no time: tried again after a pause that grows each time */
	NEAR_NEVER,   /* it is not permitted: never tried again */
};

/* Leaves WAY_NEAR at once, at the time now. */
void ways_not_near(struct ways *w, uint64_t now, enum near_refusal why);

#endif
