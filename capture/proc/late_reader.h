/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads and writes memory of other processes if an access may block: pages of a userfaultfd(2), or
 * of a file that another process provides (FUSE, fuse(4)). For such pages, process_vm_readv(2)
 * waits in the kernel, and only SIGKILL interrupts this wait. If a traced thread provides the
 * pages, that thread may be waiting for tracer at the same time. Therefore a helper process makes
 * the call. If the call takes too long, the helper is killed, and tracer continues without the
 * result. If a helper process is not permitted to read the memory (Yama's ptrace_scope, ptrace(2)),
 * the helper is a thread of tracer.
 */
#ifndef TRACER_CAPTURE_PROC_LATE_READER_H
#define TRACER_CAPTURE_PROC_LATE_READER_H

#include <sys/types.h>
#include <time.h>

#include "defs.h"
#include "util/allowance.h"

struct procfs;

/*
 * The maximum number of abandoned helpers at a time. If this number is reached, all requests fail
 * immediately with -ETIMEDOUT.
 */
#define LATE_MAX   8
#define LATE_PAGES 16

struct late_helper {
	int sock;  /* tracer's end of the socket; -1 if there is no helper */
	int pidfd; /* pidfd of the helper process; -1 if the helper is a thread */
	pid_t tid;
};

/*
 * A page whose last access timed out. Before the time `until`, further accesses fail immediately.
 */
struct late_page {
	pid_t tid;
	uint64_t page;
	struct timespec until; /* CLOCK_MONOTONIC time from which the page may be read again */
};

struct late_reader {
	const struct procfs *procfs;
	struct late_helper now, abandoned[LATE_MAX];
	bool threads_only; /* true if a helper process may not read the memory, so that helpers are
			      threads */
	struct allowance allowance;
	struct late_page pages[LATE_PAGES];
	unsigned next_page;
};

/*
 * late_reader_init() starts no helper; the first request does. late_reader_deinit() does not end
 * abandoned helpers. `procfs` is borrowed and may be NULL, see capture/proc/procfs.h.
 */
void late_reader_init(struct late_reader *r, const struct procfs *procfs);
void late_reader_deinit(struct late_reader *r);

/*
 * Reads n bytes at addr in the memory of thread tid. Reads fewer bytes if some of the range cannot
 * be read. Returns the number of bytes read, or -errno: -EFAULT if the first byte cannot be read,
 * -ETIMEDOUT if the read took too long or no helper can be started. Waits at most 100 ms for every
 * 32 KiB, not counting the start of a helper and time during which the helper waits for a CPU. All
 * waits together share a time budget (util/allowance.h).
 */
ssize_t late_reader_read(struct late_reader *r, pid_t tid, uint64_t addr, void *buf, size_t n);
/*
 * Like late_reader_read(), but writes n bytes from buf to the memory. A write that has timed out
 * may still happen later.
 */
ssize_t late_reader_write(struct late_reader *r, pid_t tid, uint64_t addr, const void *buf,
			  size_t n);

#endif
