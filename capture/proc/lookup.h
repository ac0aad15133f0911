/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finding and opening files that a tracee chooses, so that tracer does not wait for a process that
 * is their file system (FUSE) and may be a tracee itself. What the kernel knows without asking is
 * taken as it is; other names in file systems of a process, and what their files have, are asked
 * for as in capture/proc/late_file.h. tid 0 stands for the tracer. Descriptors are the caller's;
 * -1 comes with errno, ETIMEDOUT if it took too long.
 */
#ifndef TRACER_CAPTURE_PROC_LOOKUP_H
#define TRACER_CAPTURE_PROC_LOOKUP_H

#include "capture/proc/late_file.h"
#include "capture/proc/mounts.h"

struct lookup {
	const struct procfs *procfs;
	const char *root; /* the root for tid 0, or NULL for our own; borrowed */
	struct mounts *mounts;
	struct late_files late;
};

/* procfs is borrowed, see capture/proc/procfs.h; so is root. */
void lookup_init(struct lookup *l, const struct procfs *procfs, const char *root);
void lookup_deinit(struct lookup *l);

/*
 * A descriptor of O_PATH of the file at an absolute path as the process of a thread sees it:
 * symbolic links cannot lead out of its root. With O_NOFOLLOW in flags a symbolic link that is the
 * last part of the path is opened itself.
 */
int lookup_find(struct lookup *l, pid_t tid, const char *path, int flags);

/*
 * A descriptor for reading of the file of an O_PATH descriptor, which is closed, or of a copy of
 * it. Files that are not regular are not opened, because opening a device or a pipe has effects.
 */
int lookup_open(struct lookup *l, pid_t tid, int fd);

#endif
