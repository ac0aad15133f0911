/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The executable mappings of traced processes at the time of the current record. A process starts
 * with a copy of its parent's mappings or, if it was already running, with the mappings in /proc.
 * Kernel events about new mappings (capture/bpf/mmaps.h) and calls that unmap or move mappings
 * update this state. The unwinder reads the mappings through struct map_source.
 */
#ifndef TRACER_CAPTURE_BPF_SPACES_H
#define TRACER_CAPTURE_BPF_SPACES_H

#include "stack/files/map_source.h"

struct mapping;
struct mmaps;
struct threads;

struct spaces;

/*
 * Creates the state without processes. `live` reads the current mappings of processes. `mmaps`
 * contains the events that are passed to spaces_map() and spaces_exec(). Borrows all arguments.
 * Never returns NULL.
 */
struct spaces *spaces_create(struct map_source *live, struct mmaps *mmaps,
			     const struct threads *threads);
void spaces_destroy(struct spaces *s); /* s may be NULL */
/* Returns an interface through which unwinders read the mappings in *s. */
struct map_source *spaces_source(struct spaces *s);

/* Returns the id of the thread's process, or tid itself if the thread is unknown. */
pid_t spaces_tgid(const struct spaces *s, pid_t tid);
/*
 * Returns the mapping at addr in the process of a thread, or NULL if there is none. The result is
 * valid until the next call of a function in this file.
 */
const struct mapping *spaces_find(struct spaces *s, pid_t tid, uint64_t addr);

/*
 * Adds the process tgid. Reads its mappings from the directory of its thread tid in /proc. `now` is
 * a time (CLOCK_MONOTONIC in nanoseconds) that was read before the call. Mapping events from before
 * that time will be ignored, because /proc already shows their effect.
 */
void spaces_attach(struct spaces *s, pid_t tid, pid_t tgid, uint64_t now);
/*
 * Sets the time of the current record (CLOCK_MONOTONIC in nanoseconds). All events from before that
 * time must have been applied.
 */
void spaces_advance(struct spaces *s, uint64_t now);
/* Adds a child process, which either shares its parent's memory or has a copy of it. */
void spaces_fork(struct spaces *s, pid_t parent, pid_t child, bool shares);
/* Adds a process without mappings, because the process is about to call execve. */
void spaces_start(struct spaces *s, pid_t tgid);
/*
 * Removes all mappings of a process after an execve. Ignores processes that are not traced. If
 * `late` is set (see struct mmap_event), the mappings are read again from /proc.
 */
void spaces_exec(struct spaces *s, pid_t tgid, bool late);
/* Removes a process that has ended. */
void spaces_end(struct spaces *s, pid_t tgid);
/*
 * Adds a copy of m, a mapping that a process made at `time`. Ignores processes that are not traced.
 * `late` is as in spaces_exec().
 */
void spaces_map(struct spaces *s, pid_t tgid, uint64_t time, const struct mapping *m, bool late);
/*
 * Must be called after events were lost. The known mappings may be wrong. They are replaced by
 * those mappings in /proc that the process certainly had at the time of the current record.
 */
void spaces_invalidate(struct spaces *s);
/*
 * Returns true if the thread's process may have mappings that are not known, because records or
 * events were lost.
 */
bool spaces_incomplete(struct spaces *s, pid_t tid);
/*
 * Returns the number of address spaces for which no executable mapping was known when a stack was
 * walked. The mappings of these address spaces were then read from /proc, unless the process was
 * gone.
 */
unsigned spaces_unknown(const struct spaces *s);

#endif
