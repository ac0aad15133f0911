/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the CPU time of threads from /proc/TID/schedstat. wait4(2) also returns a CPU time, but
 * that is the time of the whole process and of the children for which it has waited. The kernel has
 * to add up the times of all threads for it.
 */
#ifndef TRACER_CAPTURE_PROC_CPU_CLOCK_H
#define TRACER_CAPTURE_PROC_CPU_CLOCK_H

#include <sys/types.h>

#include "defs.h"

struct procfs;
struct cpu_clock;

/*
 * Returns NULL if the kernel does not count the CPU time of threads (CONFIG_SCHED_INFO) or /proc is
 * missing. `procfs` is borrowed and may be NULL, see capture/proc/procfs.h.
 */
struct cpu_clock *cpu_clock_create(const struct procfs *procfs);
/* c may be NULL. */
void cpu_clock_destroy(struct cpu_clock *c);
/*
 * Sets *us to the CPU time, in user mode and in the kernel, that a stopped thread has used in its
 * life, in microseconds. Returns false and leaves *us unchanged if the thread is gone.
 */
bool cpu_clock_read(struct cpu_clock *c, pid_t tid, uint64_t *us);

#endif
