/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The engine that reports what a trace file has recorded: --read-trace. Whatever is in the file,
 * its bytes lead to no file, process or address of ours.
 */
#ifndef TRACER_CAPTURE_TRACE_PLAYER_H
#define TRACER_CAPTURE_TRACE_PLAYER_H

#include "capture/capture.h"

/* What this engine can do: bits of enum capture_capability. */
#define PLAYER_CAPABILITIES CAPTURE_TIMES
/* The same of a trace in which stacks were recorded. */
#define PLAYER_CAPABILITIES_STACKS (CAPTURE_TIMES | CAPTURE_STACKS)

struct trace;
/*
 * The engine that reports what t has recorded; t is borrowed and must outlive it. All threads that
 * were traced from the start are there at once. Never NULL.
 */
struct capture *player_create(struct trace *t);

#endif
