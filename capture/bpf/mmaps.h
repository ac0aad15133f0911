/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel tells of executable mappings, with the path of the file as the process sees it:
 * records of perf_event_open(2), PERF_RECORD_MMAP2 and PERF_RECORD_COMM, from a buffer of each CPU.
 * They are of all processes of the machine, since that takes one descriptor a CPU and not one a
 * thread and CPU; a process maps code seldom.
 */
#ifndef TRACER_CAPTURE_BPF_MMAPS_H
#define TRACER_CAPTURE_BPF_MMAPS_H

#include "defs.h"
#include "stack/files/map_table.h"

enum mmap_kind {
	MMAP_MAPPED, /* `mapping` is new */
	MMAP_FRESH,  /* the process has new memory, since execve is about to succeed */
	MMAP_LOST    /* the buffer was full: of some processes something is not told */
};

struct mmap_event {
	uint64_t time; /* CLOCK_MONOTONIC, in nanoseconds */
	enum mmap_kind kind;
	bool late;		/* by mmaps_next(): later events have been given out already */
	pid_t tgid;		/* in our pid namespace; of MMAP_LOST: 0 */
	struct mapping mapping; /* of MMAP_MAPPED */
};

struct mmaps;

/* Begins to listen on so many CPUs. Returns NULL with errno set if the kernel does not let us. */
struct mmaps *mmaps_open(unsigned cpus);
void mmaps_close(struct mmaps *m); /* NULL is fine */

/* Takes what was written before the time now, which was taken before the call. */
void mmaps_refill(struct mmaps *m, uint64_t now);
/*
 * The next event in the order of time, if it happened before `until`. Returns false if there is
 * none. The mapping's name is valid until the next call of any function.
 */
bool mmaps_next(struct mmaps *m, uint64_t until, struct mmap_event *e);

/* Reads an event out of the n bytes of a record of perf. Returns false if it tells nothing. */
bool mmaps_parse(const void *record, size_t n, struct mmap_event *e);

#endif
