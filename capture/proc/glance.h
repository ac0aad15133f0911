/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What /proc tells about a thread that runs or sleeps as it likes: its state, for how long it has
 * not run, and the call that it is in. All ids are of our pid namespace.
 */
#ifndef TRACER_CAPTURE_PROC_GLANCE_H
#define TRACER_CAPTURE_PROC_GLANCE_H

#include "defs.h"

struct procfs;
struct syscall_regs;

struct glances;

/* Never NULL; glances_destroy() frees it. procfs is borrowed, and may be NULL. */
struct glances *glances_create(const struct procfs *procfs);
void glances_destroy(struct glances *g);

/*
 * The letter of the thread's state, see proc_pid_stat(5); 0: it is unknown, or the thread is gone.
 * *asleep is for how many nanoseconds it has not run; -1: it runs or waits for a CPU, or the kernel
 * does not tell. The kernel notes by the clock of each CPU when a thread last ran, and these clocks
 * differ. So the first thread of each CPU makes this thread run there for a moment.
 */
char glance_state(struct glances *g, pid_t tid, int64_t *asleep);

/*
 * Puts number, arguments, stack pointer and program counter of the call that a thread sleeps in
 * into *regs, see proc_pid_syscall(5); its other members are not set. Returns false if the thread
 * runs, is in no call, or may not be asked.
 */
bool glance_call(const struct glances *g, pid_t tid, struct syscall_regs *regs);

#endif
