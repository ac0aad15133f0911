/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Arithmetic on struct timespec. All times are normalised: 0 <= tv_nsec < 1e9. */
#ifndef TRACER_UTIL_CLOCK_H
#define TRACER_UTIL_CLOCK_H

#include <time.h>

#include "defs.h"

#define NSEC_PER_SEC 1000000000

static inline struct timespec timespec_add(struct timespec a, struct timespec b)
{
	struct timespec sum = {a.tv_sec + b.tv_sec, a.tv_nsec + b.tv_nsec};

	if (sum.tv_nsec >= 1000000000) {
		sum.tv_sec++;
		sum.tv_nsec -= 1000000000;
	}
	return sum;
}

static inline struct timespec timespec_sub(struct timespec a, struct timespec b)
{
	a.tv_sec -= b.tv_sec;
	a.tv_nsec -= b.tv_nsec;
	if (a.tv_nsec < 0) {
		a.tv_sec--;
		a.tv_nsec += NSEC_PER_SEC;
	}
	return a;
}

static inline bool timespec_before(struct timespec a, struct timespec b)
{
	return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

/*
 * Helps to find the earliest of several times. If t is earlier than *at, or if *any is false, sets
 * *at to t and *any to true. *any states whether *at contains a time.
 */
static inline void timespec_lower(struct timespec *at, bool *any, struct timespec t)
{
	if (!*any || timespec_before(t, *at))
		*at = t;
	*any = true;
}

/* Converts a time to nanoseconds. Returns 0 if the time is negative. */
static inline uint64_t timespec_ns(struct timespec t)
{
	return t.tv_sec < 0 ? 0 : (uint64_t)t.tv_sec * NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

/* Converts nanoseconds, which may be negative, to a struct timespec. */
static inline struct timespec timespec_of(int64_t ns)
{
	struct timespec t = {ns / NSEC_PER_SEC, ns % NSEC_PER_SEC};

	if (t.tv_nsec < 0) {
		t.tv_sec--;
		t.tv_nsec += NSEC_PER_SEC;
	}
	return t;
}

/* Returns the CLOCK_MONOTONIC time `ns` nanoseconds from now. */
static inline struct timespec clock_after(uint64_t ns)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ns += t.tv_nsec;
	t.tv_sec += ns / NSEC_PER_SEC;
	t.tv_nsec = ns % NSEC_PER_SEC;
	return t;
}

#endif
