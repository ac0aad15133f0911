/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps tracer from blocking when it reads tracee memory that may never become available, such
 * as pages of a userfaultfd or of a FUSE file. Private to tracee*.c. The guard watches for calls
 * that can create such memory. It costs almost nothing until a tracee makes such a call. After
 * that, each read first checks whether its pages are present (move_pages(2)). A helper process
 * reads missing pages (capture/proc/late_reader.h).
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_GUARD_H
#define TRACER_CAPTURE_PTRACE_TRACEE_GUARD_H

#include "capture/proc/late_reader.h"

struct capture_config;
struct mounts;
struct page_list;
struct cpu_follow;
struct procfs;
struct tcb;

struct guard {
	bool on;       /* true if a tracee may have memory to which accesses block */
	bool no_check; /* true if the guard cannot check pages, so that the helper process makes all
			  reads */
	bool follow;   /* true if all processes that tracees create are traced too */
	/*
	 * The thread `mapper` has just mapped the file of its descriptor `mapped`, and reads of
	 * that file were found not to block. mapper is 0 if the last call mapped no file, or a file
	 * whose reads may block.
	 */
	pid_t mapper;
	int mapped;
	struct mounts *mounts;
	struct cpu_follow *cpu_follow;
	struct late_reader reader;
};

/*
 * guard_init() initializes the guard, and guard_deinit() frees the guard's data. With a seccomp
 * filter and without stacks, calls such as mmap do not stop the tracee, so the guard is on from the
 * start. The pointers are borrowed and must outlive the guard.
 */
void guard_init(struct guard *g, const struct capture_config *config, const struct procfs *procfs,
		struct cpu_follow *follow);
void guard_deinit(struct guard *g);

/*
 * Must be called at the entry of each call until `on` is set. tcb->regs contains the number and the
 * arguments of the call.
 */
void guard_on_call(struct guard *g, const struct tcb *tcb);
/*
 * guard_on_execve() must be called after a successful execve of thread tid, and
 * guard_on_attach() after attaching to its process.
 */
void guard_on_execve(struct guard *g, pid_t tid);
void guard_on_attach(struct guard *g, pid_t tid);

/*
 * Returns the number of bytes at addr, at most n, to which accesses do not block. Some of these
 * bytes may be unreadable.
 */
size_t guard_present(struct guard *g, pid_t tid, uint64_t addr, size_t n);
/* Returns true if accesses to the pages do not block; see page_list_is_present(). */
bool guard_pages_present(struct guard *g, pid_t tid, struct page_list *pages);
/*
 * These functions read and write memory to which accesses may block. They have the contracts of
 * late_reader_read() and late_reader_write().
 */
ssize_t guard_read(struct guard *g, pid_t tid, uint64_t addr, void *buf, size_t n);
ssize_t guard_write(struct guard *g, pid_t tid, uint64_t addr, const void *buf, size_t n);

#endif
