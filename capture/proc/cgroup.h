/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Control groups version 2, see cgroups(7). The path of a group is the path of its directory. */
#ifndef TRACER_CAPTURE_PROC_CGROUP_H
#define TRACER_CAPTURE_PROC_CGROUP_H

#include "capture/proc/tasks.h"

/*
 * Finds the group whose directory is `name`: an absolute path, or a path relative to the mount
 * point of control groups, which may also begin with a slash. Returns its absolute path, which the
 * caller frees, or NULL with errno set.
 */
char *cgroup_find(const char *name);
/*
 * Returns the path of the group that contains a process. The caller frees the result. Returns NULL
 * with errno set on failure.
 */
char *cgroup_of(const struct procfs *procfs, pid_t pid);
/*
 * Appends to *out the processes of a group and of all groups below it. Skips groups that cannot be
 * read.
 */
void cgroup_processes(const char *path, pid_vec *out);

#endif
