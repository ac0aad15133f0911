/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The engine of --read-trace, which reports the events in a trace file. The contents of the file
 * cannot make tracer access a file, process or address of this machine.
 */
#ifndef TRACER_TRACE_PLAY_PLAYER_H
#define TRACER_TRACE_PLAY_PLAYER_H

#include "capture/capture.h"

/* The capabilities of this engine, as bits of enum capture_capability. */
#define PLAYER_CAPABILITIES                                                                        \
	(CAPTURE_TIMES | CAPTURE_CPU_TIMES | CAPTURE_EXACT_FACTS | CAPTURE_FDS | CAPTURE_PIDS)
/* The capabilities for a trace with recorded stacks. */
#define PLAYER_CAPABILITIES_STACKS (PLAYER_CAPABILITIES | CAPTURE_STACKS)
/* The capabilities for a trace with raw stacks. */
#define PLAYER_CAPABILITIES_RAW (PLAYER_CAPABILITIES_STACKS | CAPTURE_REGISTERS)

struct trace;
/*
 * The part of a trace to report, and the folder for the files that the trace refers to. {.to =
 * INT64_MAX} reports everything.
 */
struct player_config {
	int64_t from, to; /* report only stops between these times (CLOCK_REALTIME in ns) */
	pid_t base;	  /* added to all recorded thread ids; see merger.h */
	/*
	 * If there are ids, only threads and processes with these ids are reported. `base` has
	 * already been added to them. The array is borrowed.
	 */
	const pid_t *ids;
	size_t nids;	     /* number of ids, or 0 to report all threads */
	const char *sysroot; /* folder in which files are searched, or NULL; borrowed */
};

/*
 * Creates the engine for trace t, which is borrowed and must outlive the engine. The new engine
 * already has the threads that were traced from the start of the recording. Never returns NULL.
 */
struct capture *player_create(struct trace *t, const struct player_config *config);
/*
 * Returns the number of stop records that were read up to the last reported stop. Stops that are
 * reported without a record in the trace do not count.
 */
uint64_t player_stops(const struct capture *c);

#endif
