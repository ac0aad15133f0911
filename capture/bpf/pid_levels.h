/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ids of threads in their pid namespaces, see pid_namespaces(7). Ids are recorded when a thread
 * is created, so they are known even after the thread has ended.
 */
#ifndef TRACER_CAPTURE_BPF_PID_LEVELS_H
#define TRACER_CAPTURE_BPF_PID_LEVELS_H

#include "util/table.h"
#include "util/vec.h"

struct fork_record;

struct known_pid {
	uint64_t ns;   /* address of the namespace's struct in the kernel */
	uint32_t nr;   /* the thread's id in that namespace */
	uint32_t ours; /* the thread's id in our pid namespace */
};

/* The known ids of threads; initially {0}. */
struct pid_levels {
	struct table by_id; /* maps the pair (ns, nr) to an index in `known`, plus 1 */
	VEC(struct known_pid) known;
};

void pid_levels_deinit(struct pid_levels *p);
/* Adds a new thread. Returns the thread's pid namespace, or 0 if that is unknown. */
uint64_t pid_levels_add(struct pid_levels *p, const struct fork_record *r);
/*
 * Translates the id nr of a thread from the pid namespace ns to our pid namespace. If several
 * threads have had the id nr, uses the last one. Returns 0 if the thread is unknown.
 */
pid_t pid_levels_find(const struct pid_levels *p, uint64_t ns, int64_t nr);

#endif
