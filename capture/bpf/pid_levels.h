/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ids of threads in their pid namespaces: see pid_namespaces(7). They are recorded at the birth
 * of threads, so they are known even after a thread has ended.
 */
#ifndef TRACER_CAPTURE_BPF_PID_LEVELS_H
#define TRACER_CAPTURE_BPF_PID_LEVELS_H

#include "util/table.h"
#include "util/vec.h"

struct fork_record;

struct known_pid {
	uint64_t ns; /* the namespace's address in the kernel */
	uint32_t nr; /* the id there, */
	uint32_t ours;
};

/* {0} is empty. */
struct pid_levels {
	struct table by_id; /* values are indexes of known, plus one */
	VEC(struct known_pid) known;
};

void pid_levels_deinit(struct pid_levels *p);
/* Adds a new thread. Returns the namespace in which it lives; 0 if unknown. */
uint64_t pid_levels_add(struct pid_levels *p, const struct fork_record *r);
/* Returns our id of the thread that has, or last had, that id in ns; 0 if unknown. */
pid_t pid_levels_find(const struct pid_levels *p, uint64_t ns, int64_t nr);

#endif
