/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The engine that reports what a trace file has recorded: --read-trace. Whatever is in the file,
 * its bytes lead to no file, process or address of ours.
 */
#ifndef TRACER_TRACE_PLAY_PLAYER_H
#define TRACER_TRACE_PLAY_PLAYER_H

#include "capture/capture.h"

/* What this engine can do: bits of enum capture_capability. */
#define PLAYER_CAPABILITIES                                                                        \
	(CAPTURE_TIMES | CAPTURE_CPU_TIMES | CAPTURE_EXACT_FACTS | CAPTURE_FDS | CAPTURE_PIDS)
/* The same of a trace in which stacks were recorded. */
#define PLAYER_CAPABILITIES_STACKS (PLAYER_CAPABILITIES | CAPTURE_STACKS)
/* The same where they were recorded to be walked. */
#define PLAYER_CAPABILITIES_RAW (PLAYER_CAPABILITIES_STACKS | CAPTURE_REGISTERS)

struct trace;
/* What of a trace is reported, and where its files are; {.to = INT64_MAX} is all of it. */
struct player_config {
	int64_t from, to;    /* CLOCK_REALTIME in ns: only stops from the first to the second */
	pid_t base;	     /* is added to all ids of threads that are recorded; see merger.h */
	const pid_t *ids;    /* only threads with these ids, as they are reported, and those of */
	size_t nids;	     /* processes with them; 0: all. Borrowed */
	const char *sysroot; /* the folder that files are looked for in, or NULL; borrowed */
};

/*
 * The engine that reports what t has recorded; t is borrowed and must outlive it. All threads that
 * were traced from the start are there at once. Never NULL.
 */
struct capture *player_create(struct trace *t, const struct player_config *config);
/*
 * How many records of stops were read of the trace, to that of the stop that was reported last. It
 * stays as it is while stops are reported that the trace does not have.
 */
uint64_t player_stops(const struct capture *c);

#endif
