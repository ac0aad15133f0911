/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What /proc tells about a thread that runs or sleeps as it likes: its name and state, for how long
 * it has not run, and the call that it is in. All ids are of our pid namespace.
 */
#ifndef TRACER_CAPTURE_PROC_GLANCE_H
#define TRACER_CAPTURE_PROC_GLANCE_H

#include "capture/proc/proc.h"
#include "defs.h"

struct procfs;
struct syscall_regs;

struct glances;

/* Never NULL; glances_destroy() frees it. procfs is borrowed, and may be NULL. */
struct glances *glances_create(const struct procfs *procfs);
void glances_destroy(struct glances *g);

struct glance {
	char state; /* its letter, see proc_pid_stat(5); 0: unknown, or the thread is gone */
	char comm[PROC_COMM_SIZE]; /* as of proc_comm(); "" if unknown */
	/* For how many ns it has not run; -1: it runs or waits for a CPU, or that is unknown. */
	int64_t asleep;
};

/*
 * Looks at a thread of the process tgid; 0: it is not known which one. The threads of a process are
 * best looked at in a row, since its folder of threads is kept open. The kernel notes by the clock
 * of each CPU when a thread last ran, and these clocks differ. So the first thread of each CPU
 * makes this thread run there for a moment.
 */
struct glance glance_at(struct glances *g, pid_t tgid, pid_t tid);

/*
 * Puts number, arguments, stack pointer and program counter of the call that a thread sleeps in
 * into *regs, see proc_pid_syscall(5); its other members are not set. Returns false if the thread
 * runs, is in no call, or may not be asked. p may be NULL.
 */
bool glance_call(const struct procfs *p, pid_t tid, struct syscall_regs *regs);

#endif
