/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/histogram.h"

static unsigned bucket_of(uint64_t ns)
{
	unsigned octave;

	if (ns < 1 << HISTOGRAM_SUB_BITS)
		return ns;
	octave = 63 - __builtin_clzll(ns);
	if (octave >= HISTOGRAM_OCTAVES)
		return HISTOGRAM_BUCKETS - 1;
	return ((octave - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS) +
	       (ns >> (octave - HISTOGRAM_SUB_BITS) & ((1 << HISTOGRAM_SUB_BITS) - 1));
}

/* Returns the midpoint of a bucket. */
static uint64_t bucket_value(unsigned bucket)
{
	unsigned shift;
	uint64_t low;

	if (bucket < 1 << HISTOGRAM_SUB_BITS)
		return bucket;
	shift = (bucket >> HISTOGRAM_SUB_BITS) - 1;
	low = (uint64_t)((bucket & ((1 << HISTOGRAM_SUB_BITS) - 1)) | 1 << HISTOGRAM_SUB_BITS)
	      << shift;
	return low + ((uint64_t)1 << shift) / 2;
}

void histogram_count(struct histogram *h, uint64_t ns)
{
	h->buckets[bucket_of(ns)]++;
}

void histogram_add(struct histogram *h, const struct histogram *other)
{
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		h->buckets[i] += other->buckets[i];
}

uint64_t histogram_percentile(const struct histogram *h, uint64_t calls, unsigned percent)
{
	uint64_t wanted = (calls * percent + 99) / 100, seen = 0;

	for (unsigned i = 0; h && i < HISTOGRAM_BUCKETS; i++) {
		seen += h->buckets[i];
		if (seen >= wanted && seen)
			return bucket_value(i);
	}
	return UINT64_MAX;
}
