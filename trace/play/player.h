/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The engine for --read-trace. It reports the events in a trace file. The contents of the file
 * cannot make tracer access files, processes or memory addresses of this machine.
 */
#ifndef TRACER_TRACE_PLAY_PLAYER_H
#define TRACER_TRACE_PLAY_PLAYER_H

#include "capture/capture.h"
#include "trace/play/player_config.h"

/* The capabilities of this engine: bits of enum capture_capability. */
#define PLAYER_CAPABILITIES                                                                        \
	(CAPTURE_TIMES | CAPTURE_CPU_TIMES | CAPTURE_EXACT_FACTS | CAPTURE_FDS | CAPTURE_PIDS |    \
	 CAPTURE_REQUESTS | CAPTURE_SCHED)
/* The capabilities for a trace that contains walked stacks. */
#define PLAYER_CAPABILITIES_STACKS (PLAYER_CAPABILITIES | CAPTURE_STACKS)
/* The capabilities for a trace that contains raw stacks. */
#define PLAYER_CAPABILITIES_RAW (PLAYER_CAPABILITIES_STACKS | CAPTURE_REGISTERS)

struct trace;

/*
 * Creates an engine that reads trace t. t is borrowed and must outlive the engine. At first, the
 * engine has the threads that were traced from the start of the recording. Never returns NULL.
 */
struct capture *player_create(struct trace *t, const struct player_config *config);
/*
 * Returns the number of stop records that had been read when the last stop was reported. Stops that
 * are reported without a record do not count.
 */
uint64_t player_stops(const struct capture *c);

#endif
