/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads from /proc what a thread is doing, without stopping it: its name, its state, the time since
 * it last ran, and the syscall that it is in. All ids are those of our pid namespace.
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
	char state; /* the letter of proc_pid_stat(5); 0 if the state is unknown or the thread is
		       gone */
	char comm[PROC_COMM_SIZE]; /* as proc_comm() returns it; "" if unknown */
	/*
	 * The time since the thread last ran, in ns; -1 if it is running or waiting for a CPU, or
	 * if the time is unknown.
	 */
	int64_t asleep;
};

/*
 * Reads the state of a thread of the process tgid, or of an unknown process if tgid is 0. It is
 * fastest to read all threads of a process in succession, because the directory of its threads
 * stays open. The kernel takes the time when a thread last ran from the clock of the thread's CPU,
 * and the clocks of CPUs differ. Therefore this function moves to the thread's CPU for a moment to
 * read its clock, once per CPU.
 */
struct glance glance_at(struct glances *g, pid_t tgid, pid_t tid);

/*
 * Describes the call that a thread sleeps in, see proc_pid_syscall(5). Sets its number, arguments,
 * stack pointer and program counter in *regs; the other members are not set. Returns false if the
 * thread runs, is not in a call, or may not be inspected. p may be NULL.
 */
bool glance_call(const struct procfs *p, pid_t tid, struct syscall_regs *regs);

#endif
