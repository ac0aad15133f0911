/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the statistics about calls that the BPF programs have counted (map_values.h). */
#ifndef TRACER_CAPTURE_BPF_COUNTS_H
#define TRACER_CAPTURE_BPF_COUNTS_H

#include "capture/bpf/loaded.h"
#include "capture/bpf/thread_counts.h"
#include "capture/capture.h"

struct counts {
	const struct loaded *loaded;
	int cpus;
	struct call_count *of; /* buffer for the values of one count on all CPUs */
	unsigned next; /* if setup.count_by is 0: index of the next count in the table of calls */
	struct count_key key;
	bool has_key;		      /* true if `key` is the last key that was read */
	struct keyed_count keyed;     /* the value of `key` */
	struct thread_counts threads; /* used if calls are counted by thread, without histograms */
};

/* Converts bits of enum wanted_counts to bits of enum count_by. */
unsigned counts_by(unsigned wanted);

/*
 * Prepares *c for reading the counts of the BPF programs in `loaded`. `loaded` is borrowed. If
 * `repeated` is set, counts by thread are read more than once.
 */
void counts_init(struct counts *c, const struct loaded *loaded, bool repeated);
void counts_deinit(struct counts *c);
/*
 * Stores the next count in *sum. Returns false if there are no more. Calls with the same properties
 * may be divided among several counts, which the caller must add up. Unless counts are read
 * repeatedly, the programs must have been detached.
 */
bool counts_next(struct counts *c, struct capture_counts *sum);

#endif
