/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which way to wait for a stop pays, as learned from the clock: what a stop
 * costs each way depends on the machine, on what else it does and on what the
 * tracees do, and no count of CPUs and no load average tells it. The cheapest
 * way is used; now and then another is tried, and given up as soon as it is
 * seen to cost more, so that trials take about a hundredth of the time each.
 *
 * Only bookkeeping, O(1) per stop: tracee.c waits. Times are in nanoseconds.
 */
#ifndef TRACER_TRACEE_WAY_H
#define TRACER_TRACEE_WAY_H

#include "defs.h"

/* The earlier a way stands here, the less CPU time it takes. */
enum way {
	WAY_NEAR,  /* on the CPU of the tracee that makes the stops */
	WAY_SLEEP, /* at once */
	WAY_ASK,   /* after some questions */
	WAYS,
};

struct ways {
	enum way now, best; /* they differ during a trial */
	bool only_sleep;
	uint64_t cost[WAYS];	/* of a stop, lately; 0: not known */
	uint64_t retry[WAYS];	/* when it may be tried */
	uint64_t pause[WAYS];	/* the last wait for that: longer each time it loses */
	uint64_t settled;	/* cost of the best when it was last compared with others */
	uint64_t began;		/* this way */
	uint64_t batch, glance; /* began */
	unsigned stops;		/* since the way began */
	uint64_t near_penalty;
	bool look;     /* the one that is near may have moved to another CPU */
	unsigned calm; /* a stop that takes less than so many times the usual is no sign of it */
};

void ways_init(struct ways *w, bool only_sleep);

/* How many stops there may be until the clock is to be read. */
#define WAYS_GLANCE 4

/* A tracee goes on after a stop. true: it is time for ways_glance(). */
static inline bool ways_stop(struct ways *w)
{
	return ++w->stops % WAYS_GLANCE == 0 && !w->only_sleep;
}

/* true: the way may have changed, or the tracee to be near, or its place. */
bool ways_glance(struct ways *w, uint64_t now);

/* What a look has shown: it is where it was, and its calls just take longer. */
void ways_in_place(struct ways *w);
/* We are not near it any more, for want of stops: looks again soon. */
void ways_near_ended(struct ways *w);

/* Why being near is given up; at once, and not tried again for some time. */
enum near_refusal {
	NEAR_NOT_YET, /* tried again soon */
	NEAR_STARVES, /* the tracer got no time: not before long, each time longer */
	NEAR_NEVER,
};

void ways_not_near(struct ways *w, uint64_t now, enum near_refusal why);

#endif
