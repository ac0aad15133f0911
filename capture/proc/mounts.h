/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether memory of a process, or a file, may be long in coming, because somebody else provides it:
 * a file system that is a process or another machine (fuse(4), nfs(5)), or who holds a
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
/* What is known of a file without asking its file system. mount: 0 if the kernel does not tell. */
struct file_look {
	mode_t mode;
	uid_t uid;
	uint64_t ino, mount;
	dev_t dev, rdev;
};
/*
 * Looks at the file of a descriptor of ours, for which O_PATH suffices. Returns false, with errno,
 * if that fails.
 */
bool mounts_look(int fd, struct file_look *look);
/*
 * Whether the file system of a file that the process of a thread has named or opened may be a
 * process, FUSE, or FUSE may lie below it (overlay), so that to open or to read the file may wait
 * for ever. tid 0 stands for the tracer.
 */
bool mounts_by_process(struct mounts *m, pid_t tid, const struct file_look *look);
/* Whether the process of a thread, or the tracer if tid is 0, sees any such file system. */
bool mounts_have_process(struct mounts *m, pid_t tid);
/* Whether any file that is mapped by the process of a thread is such a file. */
bool mounts_map_may_wait(struct mounts *m, pid_t tid);
/* As above, or part of its memory is registered with a userfaultfd. Takes much longer. */
bool mounts_memory_may_wait(struct mounts *m, pid_t tid);

#endif
