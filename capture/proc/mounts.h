/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether memory of a process may be long in coming, because somebody else provides its pages: a
 * file system that is a process or another machine (fuse(4), nfs(5)), or who holds a
 * userfaultfd(2). Nothing here asks such a file system anything, which could wait just as long.
 */
#ifndef TRACER_CAPTURE_PROC_MOUNTS_H
#define TRACER_CAPTURE_PROC_MOUNTS_H

#include <sys/types.h>

#include "defs.h"

struct mounts;
struct procfs;

/* What is known of file systems. procfs is borrowed, see capture/proc/procfs.h. Never NULL. */
struct mounts *mounts_create(const struct procfs *procfs);
void mounts_destroy(struct mounts *m);

/*
 * Whether the pages of the file that is descriptor fd of a thread may be long in coming. Those of
 * file systems that are not known to need only the kernel may, and so does what cannot be found
 * out.
 */
bool mounts_fd_may_wait(struct mounts *m, pid_t tid, int fd);
/* Whether the file system with that device number, which the thread has mounted, is a process:
 * FUSE. */
bool mounts_device_is_process(struct mounts *m, pid_t tid, unsigned major, unsigned minor);
/* Whether any file that is mapped by the process of a thread is such a file. */
bool mounts_map_may_wait(struct mounts *m, pid_t tid);
/* As above, or part of its memory is registered with a userfaultfd. Takes much longer. */
bool mounts_memory_may_wait(struct mounts *m, pid_t tid);

#endif
