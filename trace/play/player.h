/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The engine of --read-trace: reports the events in a trace file. Whatever the file contains, it
 * cannot make tracer access a file, process or address of this machine.
 */
#ifndef TRACER_TRACE_PLAY_PLAYER_H
#define TRACER_TRACE_PLAY_PLAYER_H

#include "capture/capture.h"

/* The capabilities of this engine: bits of enum capture_capability. */
#define PLAYER_CAPABILITIES                                                                        \
	(CAPTURE_TIMES | CAPTURE_CPU_TIMES | CAPTURE_EXACT_FACTS | CAPTURE_FDS | CAPTURE_PIDS)
/* The same for a trace with recorded stacks. */
#define PLAYER_CAPABILITIES_STACKS (PLAYER_CAPABILITIES | CAPTURE_STACKS)
/* The same for a trace with raw stacks. */
#define PLAYER_CAPABILITIES_RAW (PLAYER_CAPABILITIES_STACKS | CAPTURE_REGISTERS)

struct trace;
/*
 * Which part of a trace is reported, and where its files are. {.to = INT64_MAX} reports everything.
 */
struct player_config {
	int64_t from, to;    /* CLOCK_REALTIME in ns: only stops in this interval */
	pid_t base;	     /* added to all recorded thread ids; see merger.h */
	const pid_t *ids;    /* only threads with these ids, as reported, and those of */
	size_t nids;	     /* processes with them; 0: all. Borrowed */
	const char *sysroot; /* folder to search for files, or NULL; borrowed */
};

/*
 * Creates the engine for trace t, which is borrowed and must outlive it. All threads that were
 * traced from the start exist at once. Never NULL.
 */
struct capture *player_create(struct trace *t, const struct player_config *config);
/*
 * Returns how many stop records were read up to the last reported stop. It does not change while
 * stops are reported that are not in the trace.
 */
uint64_t player_stops(const struct capture *c);

#endif
