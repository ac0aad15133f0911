/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A trace that is still being recorded, and a process that copies it to a reader as it grows. */
#ifndef TRACER_TUI_FEEDER_H
#define TRACER_TUI_FEEDER_H

#include <sys/types.h>

#include "defs.h"

struct live {
	pid_t recorder; /* the process that records; 0 if it has ended */
	int trace;	/* the trace file, for reading */
	int alive;	/* becomes readable when the recorder ends */
	char path[64];	/* name of `trace` for other processes of this user */
};

/*
 * Starts a process that writes the trace to a pipe. At the end of the trace, the process waits for
 * more data until the recorder has ended. Blocks that are not needed to show events at or after
 * `from` (CLOCK_REALTIME in nanoseconds) are omitted. Returns the id of the process and sets *fd to
 * the other end of the pipe. On failure, returns -1 and does not set *fd.
 */
pid_t feeder_start(const struct live *live, int64_t from, int *fd);
void feeder_stop(pid_t feeder);

#endif
