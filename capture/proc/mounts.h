/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Determines whether accesses to a process's memory or to a file may block because another process
 * or machine provides the data. Such data comes from network file systems (nfs(5)), from file
 * systems that a process provides (fuse(4)), or through userfaultfd(2). The functions do not access
 * such a file system themselves, because such an access could block, too.
 */
#ifndef TRACER_CAPTURE_PROC_MOUNTS_H
#define TRACER_CAPTURE_PROC_MOUNTS_H

#include <sys/types.h>

#include "defs.h"

struct mounts;
struct procfs;

/* Creates a cache of mounts. procfs is borrowed, see capture/proc/procfs.h. Never returns NULL. */
struct mounts *mounts_create(const struct procfs *procfs);
void mounts_destroy(struct mounts *m);

/*
 * Returns true if accesses to pages of a file may block, or if this is unknown. The file is
 * descriptor fd of thread tid. Returns false for a regular file in a file system that depends only
 * on the kernel, for a file internal to the kernel, and if the thread has no such descriptor.
 */
bool mounts_fd_may_wait(struct mounts *m, pid_t tid, int fd);
/*
 * Data about a file that the kernel can return without access to the file system. `mount` is 0 if
 * unknown.
 */
struct file_stat {
	mode_t mode;
	uid_t uid;
	uint64_t ino, mount;
	dev_t dev, rdev;
};
/*
 * Stores data about the file of our descriptor fd in *st. fd may be an O_PATH descriptor. Returns
 * false with errno set on failure.
 */
bool mounts_stat(int fd, struct file_stat *st);
/*
 * Returns true if opening or reading a file may block forever, because a process may provide the
 * file's file system (FUSE) or a file system below an overlay. `tid` is a thread of the process
 * that has named or opened the file, or 0 for tracer.
 */
bool mounts_by_process(struct mounts *m, pid_t tid, const struct file_stat *st);
/*
 * Returns true if a process may provide any of the file systems that the process of thread tid
 * sees. If tid is 0, checks the file systems that tracer sees.
 */
bool mounts_have_process(struct mounts *m, pid_t tid);
/*
 * Returns true if the process of thread tid has mapped a file to which accesses may block, or if
 * this is unknown.
 */
bool mounts_map_may_wait(struct mounts *m, pid_t tid);
/*
 * Like mounts_map_may_wait(), but also returns true if memory of the process is registered with a
 * userfaultfd. Takes much longer.
 */
bool mounts_memory_may_wait(struct mounts *m, pid_t tid);

#endif
