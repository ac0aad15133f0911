/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads memory of a thread that sleeps in a call, to complete the record of the call. The kernel
 * counts how often a thread is put on a CPU. The record contains this number at the time at which
 * the thread went to sleep. If the current number is the same after the read, the thread has not
 * run in between. Other threads of the process can still change the memory, as with ptrace.
 */
#ifndef TRACER_CAPTURE_BPF_SLEEPER_H
#define TRACER_CAPTURE_BPF_SLEEPER_H

#include <string.h>

#include "capture/memory.h"

struct procfs;

struct sleeper {
	const struct procfs *procfs; /* see capture/proc/procfs.h */
	pid_t tid;
	uint64_t arrivals; /* the number in the record; 0 if the thread did not sleep */
	uint64_t area;	   /* address of the thread-local variables; 0 if unknown */
	bool live;	   /* sleeper_read() may read memory */
	bool checked;	   /* the thread was asleep at the first read */
};

static inline void sleeper_clear(struct sleeper *s, pid_t tid)
{
	*s = (struct sleeper){.procfs = s->procfs, .tid = tid};
}

/* arrivals and area (8 bytes) are the contents of a CHUNK_SLEEP. */
static inline void sleeper_set(struct sleeper *s, uint64_t arrivals, const void *area)
{
	s->arrivals = arrivals;
	memcpy(&s->area, area, sizeof(s->area));
}

/* Implement memory_live_begin() and memory_live_end(). */
void sleeper_begin(struct sleeper *s);
bool sleeper_end(struct sleeper *s);
/*
 * Makes the reads. Reads only pages that are in RAM, so that the process does not notice the reads
 * and they do not wait. Sets `got` of each op to the number of bytes, or to -ENODATA if the first
 * byte cannot be read, or if the thread does not sleep or sleeper_begin() has not been called.
 */
void sleeper_read(struct sleeper *s, struct memory_op *ops, size_t n);

#endif
