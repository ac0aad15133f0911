/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Statistics about durations, in nanoseconds. Also included by BPF programs. */
#ifndef TRACER_UTIL_TIME_SUM_H
#define TRACER_UTIL_TIME_SUM_H

#include "defs.h"

struct time_sum {
	uint64_t total, min, max;
};

/* Adds `more` to *sum. `first` must be true if *sum does not contain any durations yet. */
static inline void time_sum_add(struct time_sum *sum, struct time_sum more, bool first)
{
	sum->total += more.total;
	sum->min = first || more.min < sum->min ? more.min : sum->min;
	sum->max = more.max > sum->max ? more.max : sum->max;
}

#endif
