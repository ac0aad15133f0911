/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the state of a thread from /proc, without stopping the thread: its name, its state, the
 * time since it last ran, and its current syscall. All ids belong to our pid namespace.
 */
#ifndef TRACER_CAPTURE_PROC_THREAD_STATE_H
#define TRACER_CAPTURE_PROC_THREAD_STATE_H

#include "capture/proc/proc.h"
#include "defs.h"

struct procfs;

struct thread_states;

/*
 * Creates an object for thread_state_read(). `procfs` is borrowed and may be NULL. Never returns
 * NULL. Free the result with thread_states_destroy().
 */
struct thread_states *thread_states_create(const struct procfs *procfs);
void thread_states_destroy(struct thread_states *g);

struct thread_state {
	char state; /* the state letter of proc_pid_stat(5); 0 if the state is unknown or the thread
		       is gone */
	char comm[PROC_COMM_SIZE]; /* the thread's name, as from proc_comm(); "" if unknown */
	/*
	 * The time since the thread last ran, in nanoseconds. -1 if the thread is running or
	 * waiting for a CPU, or if the time is unknown.
	 */
	int64_t asleep;
};

/*
 * Reads the state of a thread. `tgid` is the id of the thread's process, or 0 if unknown. It is
 * fastest to read all threads of a process in succession, because the directory of the process
 * stays open. The time when a thread last ran comes from the clock of the CPU on which it ran.
 * These clocks differ between CPUs. When the function needs the clock of a CPU for the first time,
 * it therefore runs on that CPU for a moment.
 */
struct thread_state thread_state_read(struct thread_states *g, pid_t tgid, pid_t tid);

/*
 * Returns the number of times that the kernel has put the thread on a CPU, or 0 if it is unknown
 * (Linux: Documentation/scheduler/sched-stats.rst). procfs may be NULL.
 */
uint64_t thread_arrivals(const struct procfs *procfs, pid_t tid);

#endif
