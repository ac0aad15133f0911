/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds and opens files that a tracee chooses. The functions do not block tracer, even if a process
 * provides the file system (FUSE) and this process is a tracee. In such file systems, data that the
 * kernel has cached is used directly. A helper thread (capture/proc/late_file.h) makes all other
 * lookups and reads. If tid is 0, paths are resolved in l->root. The caller closes the descriptors
 * that these functions return. On failure, the functions return -1 with errno set: ETIMEDOUT if the
 * file system took too long to answer.
 */
#ifndef TRACER_CAPTURE_PROC_LOOKUP_H
#define TRACER_CAPTURE_PROC_LOOKUP_H

#include "capture/proc/late_file.h"
#include "capture/proc/mounts.h"

struct lookup {
	const struct procfs *procfs;
	/* root directory for lookups with tid 0; NULL for tracer's own root; borrowed */
	const char *root;
	struct mounts *mounts;
	struct late_files late;
};

/* Initializes *l. `procfs` (see capture/proc/procfs.h) and `root` are borrowed and may be NULL. */
void lookup_init(struct lookup *l, const struct procfs *procfs, const char *root);
void lookup_deinit(struct lookup *l);

/*
 * Returns an O_PATH descriptor of the file at an absolute path. The path is resolved as the
 * thread's process sees it: symbolic links cannot lead out of its root. If `flags` contains
 * O_NOFOLLOW and the last component is a symbolic link, the link itself is opened.
 */
int lookup_find(struct lookup *l, pid_t tid, const char *path, int flags);

/*
 * Like lookup_find(), but also finds relative paths. A relative path starts in the directory to
 * which descriptor `dir` of the thread refers, or in the thread's working directory if `dir` is
 * AT_FDCWD. tid must not be 0.
 */
int lookup_find_at(struct lookup *l, pid_t tid, int dir, const char *path);

/*
 * Opens for reading the file that an O_PATH descriptor refers to, and closes that descriptor. The
 * result refers to the file or to a copy of it. Only regular files are opened, because opening a
 * device or a pipe has side effects. If fd is negative, returns -1 and leaves errno unchanged.
 */
int lookup_open(struct lookup *l, pid_t tid, int fd);

#endif
