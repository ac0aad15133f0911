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
struct cpu_follow;
struct procfs;
struct tcb;

struct guard {
	bool on;     /* a tracee may have such memory */
	bool blind;  /* pages cannot be checked, so another process does all reads */
	bool follow; /* processes are traced with all that share their memory */
	/*
	 * The last call was made by thread `mapper` and mapped a file whose reads do not wait, by
	 * descriptor `mapped`. 0 if the last call was another one.
	 */
	pid_t mapper;
	int mapped;
	struct mounts *mounts;
	struct cpu_follow *cpu_follow;
	struct late_reader reader;
};

/*
 * guard_init() and guard_deinit(). With a seccomp filter calls are not seen, so the guard is on at
 * once. The borrowed pointers must outlive it.
 */
void guard_init(struct guard *g, const struct capture_config *config, const struct procfs *procfs,
		struct cpu_follow *follow);
void guard_deinit(struct guard *g);

/*
 * To be called at the entry of a call, with its number and arguments in tcb->regs, while the guard
 * is not on.
 */
void guard_see_call(struct guard *g, const struct tcb *tcb);
/* To be called at a successful execve of thread tid, and when a process has been attached to. */
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
