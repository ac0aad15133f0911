/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the kernel's records about new executable mappings: PERF_RECORD_MMAP2 and PERF_RECORD_COMM
 * (perf_event_open(2)), from one buffer per CPU. A record contains the path of the mapped file as
 * the process sees it. The kernel records the mappings of all processes on the machine, because a
 * restriction to traced threads would need one descriptor per thread and CPU.
 */
#ifndef TRACER_CAPTURE_BPF_MMAPS_H
#define TRACER_CAPTURE_BPF_MMAPS_H

#include "defs.h"
#include "stack/files/map_table.h"

enum mmap_kind {
	MMAP_MAPPED, /* the process has the new mapping `mapping` */
	/* The process has a new address space. Its execve is about to succeed. */
	MMAP_EXEC,
	/*
	 * A buffer was full, so events of some processes are missing. This event is returned twice:
	 * at the start and at the end of the period in which the missing events happened.
	 */
	MMAP_LOST
};

struct mmap_event {
	uint64_t time; /* CLOCK_MONOTONIC, in nanoseconds */
	enum mmap_kind kind;
	/* set by mmaps_next() if events that happened later have already been returned */
	bool late;
	pid_t tgid;		/* the process's id in our pid namespace; 0 for MMAP_LOST */
	struct mapping mapping; /* for MMAP_MAPPED: the new mapping */
};

struct mmaps;

/*
 * Opens the buffers of all CPUs with numbers below `cpus`. Returns NULL with errno set if the
 * kernel refuses.
 */
struct mmaps *mmaps_open(unsigned cpus);
void mmaps_close(struct mmaps *m); /* m may be NULL */

/* Reads the events that happened before `now`, which must not be in the future. */
void mmaps_refill(struct mmaps *m, uint64_t now);
/*
 * Stores the next event in chronological order in *e. Returns false if no remaining event happened
 * before `until`. The mapping's name is valid until the next call of a function in this file.
 */
bool mmaps_next(struct mmaps *m, uint64_t until, struct mmap_event *e);

/*
 * Reads all events that have happened so far. Then calls f(ctx, e) for each event that mmaps_next()
 * has not returned yet and whose kind is MMAP_LOST or whose process is tgid.
 */
void mmaps_look_ahead(struct mmaps *m, pid_t tgid, void (*f)(void *ctx, const struct mmap_event *e),
		      void *ctx);
/* For tests: adds a perf record of n bytes, as if it had been read from a buffer. */
void mmaps_add(struct mmaps *m, const void *record, size_t n);

/*
 * Parses a perf record of n bytes, and stores its event in *e. Returns false if the record does not
 * contain an event.
 */
bool mmaps_parse(const void *record, size_t n, struct mmap_event *e);

#endif
