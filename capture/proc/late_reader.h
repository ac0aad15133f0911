/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads and writes memory of other processes that may be long in coming: pages of a userfaultfd(2),
 * or of a file that another process provides (FUSE, fuse(4)). process_vm_readv(2) waits for those
 * in the kernel, no signal but SIGKILL interrupts it, and if a traced thread provides them, it
 * waits for the tracer in turn. So a process of ours makes the call, and if that takes too long, it
 * is left to itself and killed. Where such a process may not do it (Yama's ptrace_scope of
 * ptrace(2)), a thread of the tracer does.
 */
#ifndef TRACER_CAPTURE_PROC_LATE_READER_H
#define TRACER_CAPTURE_PROC_LATE_READER_H

#include <sys/types.h>
#include <time.h>

#include "defs.h"
#include "util/allowance.h"

struct procfs;

/* How many calls may be left to themselves at a time; with more of them, everything is late. */
#define LATE_MAX   8
#define LATE_PAGES 16

struct late_helper {
	int sock;  /* -1: there is none */
	int pidfd; /* -1: the helper is a thread */
	pid_t tid;
};

/* A page that was late, which nobody waits for again for a while. */
struct late_page {
	pid_t tid;
	uint64_t page;
	struct timespec until; /* of CLOCK_MONOTONIC */
};

struct late_reader {
	const struct procfs *procfs;
	struct late_helper now, left[LATE_MAX];
	bool threads_only; /* a process was not permitted to read */
	struct allowance allowance;
	struct late_page pages[LATE_PAGES];
	unsigned next_page;
};

/*
 * Begin and end. Nothing is started before the first read. What is left to itself stays so.
 * procfs is borrowed, see capture/proc/procfs.h.
 */
void late_reader_init(struct late_reader *r, const struct procfs *procfs);
void late_reader_deinit(struct late_reader *r);

/*
 * Reads n bytes at addr in the process of thread tid, or as many as are readable in one piece from
 * there on. Returns how many were read, or -errno: -EFAULT if not even the first one is readable,
 * -ETIMEDOUT if it did not come in time. What is late may cost a second, and then a tenth of all
 * time: a call is given a tenth of a second at most, less as the account goes down, and nothing
 * beyond it.
 */
ssize_t late_reader_read(struct late_reader *r, pid_t tid, uint64_t addr, void *buf, size_t n);
/* Writes, in the same way. What is late may still be written. */
ssize_t late_reader_write(struct late_reader *r, pid_t tid, uint64_t addr, const void *buf,
			  size_t n);

#endif
