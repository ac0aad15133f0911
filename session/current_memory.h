/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the current memory of a thread, which may be running. tcb->memory cannot be used for this,
 * because it shows the memory at the last stop, and its reads are recorded. late_reader_read()
 * limits the time for which a read can block.
 */
#ifndef TRACER_SESSION_CURRENT_MEMORY_H
#define TRACER_SESSION_CURRENT_MEMORY_H

#include "capture/memory.h"

struct late_reader;

struct current_memory {
	struct memory memory;
	struct late_reader *reader;
	pid_t tid;
};

/* Returns the memory of a thread. `reader` is borrowed. */
struct current_memory current_memory_of(struct late_reader *reader, pid_t tid);

#endif
