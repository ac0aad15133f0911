/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Control groups of version 2: see cgroups(7). Paths of groups are those of their directories. */
#ifndef TRACER_CAPTURE_PROC_CGROUP_H
#define TRACER_CAPTURE_PROC_CGROUP_H

#include "capture/proc/tasks.h"

/*
 * The group that name means: a path of its directory, or one below the place where groups are
 * mounted. Returns it, which the caller frees, or NULL with errno set.
 */
char *cgroup_find(const char *name);
/* The group that a process is in, as cgroup_find() returns it. */
char *cgroup_of(const struct procfs *procfs, pid_t pid);
/* Appends the processes of a group and of those below it. */
void cgroup_processes(const char *path, pid_vec *out);

#endif
