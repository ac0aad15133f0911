/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads memory of a thread that sleeps in a call, to complete the record of the call. The kernel
 * counts how often a thread is put on a CPU. The record contains this count as of the time when the
 * thread went to sleep. If the count is still the same after a read, the thread has not run in
 * between. Other threads of the process can still change the memory, as with ptrace.
 */
#ifndef TRACER_CAPTURE_BPF_SLEEPER_H
#define TRACER_CAPTURE_BPF_SLEEPER_H

#include <string.h>

#include "capture/memory.h"

struct procfs;

struct sleeper {
	const struct procfs *procfs; /* see capture/proc/procfs.h */
	pid_t tid;
	uint64_t arrivals; /* the count in the record; 0 if the thread did not sleep */
	uint64_t area;	   /* address of the thread-local variables; 0 if unknown */
	bool live;	   /* true if sleeper_read() may read memory */
	bool checked;	   /* true if the first read has checked that the thread sleeps */
};

static inline void sleeper_clear(struct sleeper *s, pid_t tid)
{
	*s = (struct sleeper){.procfs = s->procfs, .tid = tid};
}

/*
 * Sets the data about the thread from the contents of a CHUNK_SLEEP (records.h). `area` points to 8
 * bytes.
 */
static inline void sleeper_set(struct sleeper *s, uint64_t arrivals, const void *area)
{
	s->arrivals = arrivals;
	memcpy(&s->area, area, sizeof(s->area));
}

/* These functions implement memory_live_begin() and memory_live_end(). */
void sleeper_begin(struct sleeper *s);
bool sleeper_end(struct sleeper *s);
/*
 * Makes n reads. Reads only pages that are in RAM, so that no read blocks and the process does not
 * notice the reads. Sets `got` of each op to its number of bytes. Sets `got` to -ENODATA if any of
 * the bytes cannot be read, if the thread does not sleep, or if sleeper_begin() has not been
 * called.
 */
void sleeper_read(struct sleeper *s, struct memory_op *ops, size_t n);

#endif
