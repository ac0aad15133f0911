/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the ids of threads are in the pid namespaces that they are in: see pid_namespaces(7). The
 * kernel has told of it when they were born, so it is known of those that are gone as well.
 */
#ifndef TRACER_CAPTURE_BPF_PID_LEVELS_H
#define TRACER_CAPTURE_BPF_PID_LEVELS_H

#include "util/table.h"
#include "util/vec.h"

struct fork_record;

struct known_pid {
	uint64_t ns; /* where the kernel has the namespace */
	uint32_t nr; /* the id there, */
	uint32_t ours;
};

/* {0} is empty. */
struct pid_levels {
	struct table by_id; /* values are indexes of known, plus one */
	VEC(struct known_pid) known;
};

void pid_levels_deinit(struct pid_levels *p);
/* A thread was born. Returns the namespace that it lives in; 0: that is not known. */
uint64_t pid_levels_add(struct pid_levels *p, const struct fork_record *r);
/* The id in our namespace of who has, or had last, that id in ns; 0: it is not known. */
pid_t pid_levels_find(const struct pid_levels *p, uint64_t ns, int64_t nr);

#endif
