/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the tracer from waiting for memory that may never come, private to tracee*.c. As long as no
 * tracee is seen to have such memory, that costs nothing: calls that can make some are watched.
 * From then on the pages that are to be read are looked at before (move_pages(2)), and those that
 * are not there are read by somebody else (capture/proc/late_reader.h).
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_GUARD_H
#define TRACER_CAPTURE_PTRACE_TRACEE_GUARD_H

#include "capture/proc/late_reader.h"

struct capture_config;
struct mounts;
struct near;
struct procfs;
struct tcb;

struct guard {
	bool on;     /* a tracee may have such memory */
	bool blind;  /* pages cannot be looked at: all is read by somebody else */
	bool follow; /* processes are traced with all that share their memory */
	/*
	 * The last call was that thread's, and mapped a file that waits for nobody, by that
	 * descriptor; 0: it was another call.
	 */
	pid_t mapper;
	int mapped;
	struct mounts *mounts;
	struct near *near;
	struct late_reader reader;
};

/*
 * Begin and end. With a seccomp filter calls are not seen, so the guard is on at once. What is
 * borrowed must outlive it.
 */
void guard_init(struct guard *g, const struct capture_config *config, const struct procfs *procfs,
		struct near *near);
void guard_deinit(struct guard *g);

/* At the entry of a call: its number and arguments are in tcb->regs. Needed while it is not on. */
void guard_see_call(struct guard *g, const struct tcb *tcb);
/* At a successful execve of thread tid; when a process has been attached to. */
void guard_see_execve(struct guard *g, pid_t tid);
void guard_see_attached(struct guard *g, pid_t tid);

/*
 * How many of the n bytes at addr are known to be there, so that reading them waits for nobody; the
 * count may include bytes that cannot be read at all.
 */
size_t guard_present(struct guard *g, pid_t tid, uint64_t addr, size_t n);
/* Read and write what is not there, as those of capture/proc/late_reader.h. */
ssize_t guard_read(struct guard *g, pid_t tid, uint64_t addr, void *buf, size_t n);
ssize_t guard_write(struct guard *g, pid_t tid, uint64_t addr, const void *buf, size_t n);

#endif
