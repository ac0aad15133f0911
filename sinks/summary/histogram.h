/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Latency histograms, for percentiles. */
#ifndef TRACER_SINKS_SUMMARY_HISTOGRAM_H
#define TRACER_SINKS_SUMMARY_HISTOGRAM_H

#include "defs.h"

/*
 * Each octave has 2^HISTOGRAM_SUB_BITS buckets, so percentiles are accurate to within 3%. The last
 * bucket includes all latencies above 73 minutes.
 */
#define HISTOGRAM_SUB_BITS 4
#define HISTOGRAM_OCTAVES  42
#define HISTOGRAM_BUCKETS  ((HISTOGRAM_OCTAVES - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS)

/* The histogram; initially {0}. */
struct histogram {
	uint32_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_count(struct histogram *h, uint64_t ns);
void histogram_add(struct histogram *h, const struct histogram *other);
/*
 * Returns a percentile in nanoseconds: the latency that `percent` percent of the calls do not
 * exceed. `calls` is the number of counted calls. Returns UINT64_MAX if `calls` is 0 or `h` is
 * NULL.
 */
uint64_t histogram_percentile(const struct histogram *h, uint64_t calls, unsigned percent);

#endif
