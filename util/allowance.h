/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A time budget for waits that may never end. The budget starts at one second. It grows by a tenth
 * of the elapsed time, up to one second.
 */
#ifndef TRACER_UTIL_ALLOWANCE_H
#define TRACER_UTIL_ALLOWANCE_H

#include "util/clock.h"

#define ALLOWANCE_MAX ((int64_t)NSEC_PER_SEC)
/* The budget grows by 1 ns every ALLOWANCE_DIVISOR ns. */
#define ALLOWANCE_DIVISOR 10

struct allowance {
	int64_t ns; /* budget in nanoseconds at the time `counted`; negative if it was exceeded */
	struct timespec counted; /* time of CLOCK_MONOTONIC at which `ns` was computed */
};

static inline void allowance_init(struct allowance *a)
{
	*a = (struct allowance){ALLOWANCE_MAX, clock_after(0)};
}

/* Returns the remaining budget in nanoseconds. */
static inline int64_t allowance_left(struct allowance *a)
{
	struct timespec now = clock_after(0);

	a->ns += (int64_t)(timespec_ns(timespec_sub(now, a->counted)) / ALLOWANCE_DIVISOR);
	if (a->ns > ALLOWANCE_MAX)
		a->ns = ALLOWANCE_MAX;
	a->counted = now;
	return a->ns;
}

/* Subtracts the time that has passed since `begin`, a CLOCK_MONOTONIC time. */
static inline void allowance_spend(struct allowance *a, struct timespec begin)
{
	a->ns -= (int64_t)timespec_ns(timespec_sub(clock_after(0), begin));
}

#endif
