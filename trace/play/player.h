/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The engine for --read-trace. It reports the events in a trace file. Nothing in the file can make
 * tracer access a file, process or memory address of this machine.
 */
#ifndef TRACER_TRACE_PLAY_PLAYER_H
#define TRACER_TRACE_PLAY_PLAYER_H

#include "capture/capture.h"

/* The capabilities of this engine: bits of enum capture_capability. */
#define PLAYER_CAPABILITIES                                                                        \
	(CAPTURE_TIMES | CAPTURE_CPU_TIMES | CAPTURE_EXACT_FACTS | CAPTURE_FDS | CAPTURE_PIDS |    \
	 CAPTURE_REQUESTS)
/* The capabilities for a trace that contains walked stacks. */
#define PLAYER_CAPABILITIES_STACKS (PLAYER_CAPABILITIES | CAPTURE_STACKS)
/* The capabilities for a trace that contains raw stacks. */
#define PLAYER_CAPABILITIES_RAW (PLAYER_CAPABILITIES_STACKS | CAPTURE_REGISTERS)

struct trace;
/*
 * The part of a trace to report, and the directory in which the trace's files are searched. {.to =
 * INT64_MAX} reports everything.
 */
struct player_config {
	int64_t from, to; /* report only stops between these times (CLOCK_REALTIME in
			     nanoseconds) */
	pid_t base;	  /* number that is added to all recorded thread ids; see merger.h */
	/*
	 * If nids is not 0, only threads and processes with these ids are reported. `base` has
	 * already been added to the ids. The array is borrowed.
	 */
	const pid_t *ids;
	size_t nids;	     /* number of ids, or 0 to report all threads */
	const char *sysroot; /* directory in which files are searched, or NULL; borrowed */
};

/*
 * Creates an engine that reads trace t. t is borrowed and must outlive the engine. At first, the
 * engine has the threads that were traced from the start of the recording. Never returns NULL.
 */
struct capture *player_create(struct trace *t, const struct player_config *config);
/*
 * Returns how many stop records had been read when the last stop was reported. Stops that are
 * reported without a record in the trace are not counted.
 */
uint64_t player_stops(const struct capture *c);

#endif
