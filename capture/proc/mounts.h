/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Determines whether accesses to memory of a process or to a file may block because another process
 * or machine provides the data: a network file system or one that a process provides (nfs(5),
 * fuse(4)), or the holder of a userfaultfd(2). Nothing here accesses such a file system, because
 * that could block just as long.
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
 * Returns whether accesses to pages of the file with descriptor fd of thread tid may block. Returns
 * false only if the file system is known to depend on nothing but the kernel, and true if that is
 * unknown.
 */
bool mounts_fd_may_wait(struct mounts *m, pid_t tid, int fd);
/*
 * Data about a file that the kernel can return without asking the file system. `mount` is 0 if
 * unknown.
 */
struct file_stat {
	mode_t mode;
	uid_t uid;
	uint64_t ino, mount;
	dev_t dev, rdev;
};
/*
 * Gets the data of the file of our descriptor fd, which may be an O_PATH descriptor. Returns false,
 * with errno, on failure.
 */
bool mounts_stat(int fd, struct file_stat *st);
/*
 * Returns whether a file may be in a file system that a process provides (FUSE), or in one above
 * such a file system (overlay), so that opening or reading it may block forever. The process of
 * thread tid has named or opened the file; tid 0 stands for the tracer.
 */
bool mounts_by_process(struct mounts *m, pid_t tid, const struct file_stat *st);
/*
 * Returns whether the process of thread tid, or the tracer if tid is 0, sees any file system for
 * which mounts_by_process() is true.
 */
bool mounts_have_process(struct mounts *m, pid_t tid);
/* Returns whether the process of thread tid has mapped any file to which accesses may block. */
bool mounts_map_may_wait(struct mounts *m, pid_t tid);
/*
 * Does the same, but also returns true if memory of the process is registered with a userfaultfd.
 * Takes much longer.
 */
bool mounts_memory_may_wait(struct mounts *m, pid_t tid);

#endif
