/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Control groups of version 2, see cgroups(7). The path of a group is the path of its directory. */
#ifndef TRACER_CAPTURE_PROC_CGROUP_H
#define TRACER_CAPTURE_PROC_CGROUP_H

#include "capture/proc/tasks.h"

/*
 * Finds the group whose directory has this path, which is absolute or relative to the mount point
 * of control groups. Returns the absolute path, which the caller frees, or NULL with errno.
 */
char *cgroup_find(const char *name);
/*
 * Returns the path of the group that contains a process. The caller frees it. Returns NULL with
 * errno on failure.
 */
char *cgroup_of(const struct procfs *procfs, pid_t pid);
/* Appends the processes of a group and of all groups below it. */
void cgroup_processes(const char *path, pid_vec *out);

#endif
