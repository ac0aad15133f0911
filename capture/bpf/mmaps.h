/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the kernel's records about new executable mappings, which contain the path of the file as
 * the process sees it. The records are of the types PERF_RECORD_MMAP2 and PERF_RECORD_COMM
 * (perf_event_open(2)), and come from one buffer per CPU. The records cover all processes of the
 * machine, because processes rarely map code, and recording only traced threads would take one
 * descriptor per thread and CPU.
 */
#ifndef TRACER_CAPTURE_BPF_MMAPS_H
#define TRACER_CAPTURE_BPF_MMAPS_H

#include "defs.h"
#include "stack/files/map_table.h"

enum mmap_kind {
	MMAP_MAPPED, /* the process has a new mapping, `mapping` */
	/* The process has a new address space, because its execve is about to succeed. */
	MMAP_EXEC,
	MMAP_LOST /* the buffer was full, so events of some processes are missing */
};

struct mmap_event {
	uint64_t time; /* CLOCK_MONOTONIC, in nanoseconds */
	enum mmap_kind kind;
	bool late;		/* set by mmaps_next(): a later event has already been returned */
	pid_t tgid;		/* in our pid namespace; 0 for MMAP_LOST */
	struct mapping mapping; /* for MMAP_MAPPED */
};

struct mmaps;

/* Opens the buffers of the CPUs below `cpus`. Returns NULL with errno if the kernel refuses. */
struct mmaps *mmaps_open(unsigned cpus);
void mmaps_close(struct mmaps *m); /* m may be NULL */

/*
 * Reads the events that were written before `now`. The caller must read the clock before the call.
 */
void mmaps_refill(struct mmaps *m, uint64_t now);
/*
 * Returns the next event in the order of time, if it happened before `until`. Returns false if
 * there is none. The mapping's name is valid until the next call of any function here.
 */
bool mmaps_next(struct mmaps *m, uint64_t until, struct mmap_event *e);

/* Parses a perf record of n bytes. Returns false if it does not contain an event. */
bool mmaps_parse(const void *record, size_t n, struct mmap_event *e);

#endif
