/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads from /proc what a thread that is not stopped does: its name and state, how long it has not
 * run, and the call that it is in. All ids are those of our pid namespace.
 */
#ifndef TRACER_CAPTURE_PROC_GLANCE_H
#define TRACER_CAPTURE_PROC_GLANCE_H

#include "capture/proc/proc.h"
#include "defs.h"

struct procfs;
struct syscall_regs;

struct glances;

/* Never returns NULL; glances_destroy() frees the result. procfs is borrowed and may be NULL. */
struct glances *glances_create(const struct procfs *procfs);
void glances_destroy(struct glances *g);

struct glance {
	char state; /* its letter, see proc_pid_stat(5); 0 if it is unknown or the thread is gone */
	char comm[PROC_COMM_SIZE]; /* as proc_comm() returns it; "" if unknown */
	/*
	 * How long the thread has not run, in ns; -1 if it runs or waits for a CPU, or if unknown.
	 */
	int64_t asleep;
};

/*
 * Reads the state of a thread of the process tgid, or of an unknown process if tgid is 0. It is
 * fastest to read all threads of a process one after the other, because the directory of its
 * threads stays open. The kernel records when a thread last ran by the clock of its CPU, and these
 * clocks differ. For the first thread of each CPU, this function therefore runs on that CPU for a
 * moment to read its clock.
 */
struct glance glance_at(struct glances *g, pid_t tgid, pid_t tid);

/*
 * Puts the number, arguments, stack pointer and program counter of the call that a thread sleeps in
 * into *regs, see proc_pid_syscall(5); the other members are not set. Returns false if the thread
 * runs, is not in a call, or may not be inspected. p may be NULL.
 */
bool glance_call(const struct procfs *p, pid_t tid, struct syscall_regs *regs);

#endif
