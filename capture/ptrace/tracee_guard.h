/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prevents tracer from blocking on a tracee's memory that may never become available, such as pages
 * of a userfaultfd or of a FUSE file. Private to tracee*.c. The guard watches calls that can create
 * such memory. Until one is seen, it costs nothing. From then on, each read first checks whether
 * its pages are present (move_pages(2)); missing pages are read by a helper process
 * (capture/proc/late_reader.h).
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
	bool on;       /* a tracee may have memory whose accesses block */
	bool no_check; /* pages cannot be checked, so the helper process makes all reads */
	bool follow;   /* all processes that a tracee creates are traced, too */
	/*
	 * The thread `mapper` has just mapped the file of its descriptor `mapped`, whose reads do
	 * not block. mapper is 0 if the last call was not of this kind.
	 */
	pid_t mapper;
	int mapped;
	struct mounts *mounts;
	struct cpu_follow *cpu_follow;
	struct late_reader reader;
};

/*
 * Create and free the guard's data. With a seccomp filter, the guard cannot see all calls, so it is
 * on from the start. The borrowed pointers must outlive the guard.
 */
void guard_init(struct guard *g, const struct capture_config *config, const struct procfs *procfs,
		struct cpu_follow *follow);
void guard_deinit(struct guard *g);

/*
 * Must be called at the entry of each call while the guard is off. tcb->regs contain the call's
 * number and arguments.
 */
void guard_see_call(struct guard *g, const struct tcb *tcb);
/* Must be called after a successful execve of thread tid, and after attaching to a process. */
void guard_see_execve(struct guard *g, pid_t tid);
void guard_see_attached(struct guard *g, pid_t tid);

/*
 * Returns the number of bytes at addr, at most n, that can be read without blocking. The count may
 * include bytes that cannot be read at all.
 */
size_t guard_present(struct guard *g, pid_t tid, uint64_t addr, size_t n);
/* Read and write memory that is not present, like late_reader_read() and late_reader_write(). */
ssize_t guard_read(struct guard *g, pid_t tid, uint64_t addr, void *buf, size_t n);
ssize_t guard_write(struct guard *g, pid_t tid, uint64_t addr, const void *buf, size_t n);

#endif
