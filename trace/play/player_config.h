/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_TRACE_PLAY_PLAYER_CONFIG_H
#define TRACER_TRACE_PLAY_PLAYER_CONFIG_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Selects the part of a trace to report, and the directory in which the trace's files are searched.
 * With {.to = INT64_MAX}, the whole trace is reported.
 */
struct player_config {
	int64_t from, to; /* report only stops between these times (CLOCK_REALTIME in
			     nanoseconds) */
	/*
	 * If true, start to report at the beginning of the part that contains `from`
	 * (trace-format.md), not at `from`, so that calls that began before `from` are reported,
	 * too.
	 */
	bool early;
	pid_t base; /* number that is added to all recorded thread ids; see merger.h */
	/*
	 * If nids is not 0, only threads and processes with these ids are reported. `base` has
	 * already been added to the ids. The array is borrowed.
	 */
	const pid_t *ids;
	size_t nids;	     /* number of ids, or 0 to report all threads */
	const char *sysroot; /* directory in which files are searched, or NULL; borrowed */
};

#endif
