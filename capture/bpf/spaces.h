/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The executable mappings of traced processes as they were when the record was written that is
 * being told. They begin as a copy of the parent's, or as /proc shows them of a process that was
 * running; from then on they follow what the kernel says has been mapped (capture/bpf/mmaps.h) and
 * what calls have unmapped or moved. Stacks are walked by them, through struct map_source.
 */
#ifndef TRACER_CAPTURE_BPF_SPACES_H
#define TRACER_CAPTURE_BPF_SPACES_H

#include "stack/files/map_source.h"

struct mapping;
struct threads;

struct spaces;

/* live, a source of what processes have mapped now, and threads are borrowed. Never NULL. */
struct spaces *spaces_create(struct map_source *live, const struct threads *threads);
void spaces_destroy(struct spaces *s); /* NULL is fine */
/* The same mappings for who walks stacks. */
struct map_source *spaces_source(struct spaces *s);

/* The process of a thread, or the thread itself if the thread is unknown. */
pid_t spaces_tgid(const struct spaces *s, pid_t tid);
/* The mapping at addr of a thread's process, or NULL. Borrowed until the next call. */
const struct mapping *spaces_find(struct spaces *s, pid_t tid, uint64_t addr);

/*
 * A process is traced from now on, of which tid is a thread: it has what /proc says. Changes before
 * the time `now` (CLOCK_MONOTONIC, nanoseconds), which was taken before the call, count no more.
 */
void spaces_attach(struct spaces *s, pid_t tid, pid_t tgid, uint64_t now);
/* A process has made another, which shares its memory or has a copy of it. */
void spaces_fork(struct spaces *s, pid_t parent, pid_t child, bool shares);
/* A process is traced from now on, which has nothing yet: it is about to call execve. */
void spaces_start(struct spaces *s, pid_t tgid);
/* A process, if it is a traced one, has got new and empty memory by execve. */
void spaces_fresh(struct spaces *s, pid_t tgid);
/* A process has ended. */
void spaces_end(struct spaces *s, pid_t tgid);
/* A process, if it is a traced one, has mapped m at that time. m is copied. */
void spaces_map(struct spaces *s, pid_t tgid, uint64_t time, const struct mapping *m);
/*
 * To be called after lost events: the known mappings may be wrong. They are read again from /proc
 * where that is still possible.
 */
void spaces_invalidate(struct spaces *s);
/* The same for one process, one of whose events came too late to be sorted in. */
void spaces_invalidate_process(struct spaces *s, pid_t tgid);
/*
 * How many address spaces had no executable mapping though a stack was looked up in them. They were
 * read from /proc then, if the process was still there.
 */
unsigned spaces_unknown(const struct spaces *s);

#endif
