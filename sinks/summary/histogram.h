/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of latencies, for percentiles. */
#ifndef TRACER_SINKS_SUMMARY_HISTOGRAM_H
#define TRACER_SINKS_SUMMARY_HISTOGRAM_H

#include "defs.h"

/*
 * Each octave has 2^HISTOGRAM_SUB_BITS buckets, so percentiles are accurate within 3%. The last
 * octave contains everything from 73 minutes on.
 */
#define HISTOGRAM_SUB_BITS 4
#define HISTOGRAM_OCTAVES  42
#define HISTOGRAM_BUCKETS  ((HISTOGRAM_OCTAVES - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS)

/* {0} is an empty histogram. */
struct histogram {
	uint32_t buckets[HISTOGRAM_BUCKETS];
};

/* Counts a latency. */
void histogram_count(struct histogram *h, uint64_t ns);
/* Adds the counts of another histogram. */
void histogram_add(struct histogram *h, const struct histogram *other);
/*
 * Returns the latency in nanoseconds that `percent` of all calls do not exceed; UINT64_MAX if there
 * are none or h is NULL. calls is the number of calls counted.
 */
uint64_t histogram_percentile(const struct histogram *h, uint64_t calls, unsigned percent);

#endif
