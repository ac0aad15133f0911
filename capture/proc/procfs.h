/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Translation of process ids between pid namespaces, see pid_namespaces(7). /proc shows the ids of
 * the namespace that it was mounted for, which can differ from ours: in a container with the host's
 * /proc, a process with the id 4 may be /proc/31102. Only paths in /proc use those ids; everything
 * else in tracer uses the ids of our own namespace.
 */
#ifndef TRACER_CAPTURE_PROC_PROCFS_H
#define TRACER_CAPTURE_PROC_PROCFS_H

#include "capture/facts.h"

struct procfs;

/*
 * Finds out to which namespace the mounted /proc belongs. Never returns NULL; procfs_close() frees
 * the result.
 */
struct procfs *procfs_open(void);
void procfs_close(struct procfs *p);

/*
 * If /proc shows our own namespace, each function below costs only one comparison. A NULL p means
 * that /proc shows our own namespace.
 */

/*
 * Returns the id in /proc of the thread whose id in our namespace is tid; 0 if /proc does not show
 * the thread.
 */
pid_t procfs_pid(const struct procfs *p, pid_t tid);
/*
 * Returns the id in our namespace of the thread whose id in /proc is pid; 0 if the thread is gone
 * or has no id in our namespace.
 */
pid_t procfs_ours(const struct procfs *p, pid_t pid);
/* Does the same for the thread's process: returns its id in our namespace, or 0. */
pid_t procfs_tgid(const struct procfs *p, pid_t pid);

/*
 * Translates an id from the pid namespace of a thread, which has the id `tracee` in /proc, to our
 * namespace. pid is the id of a thread, process, group or session, depending on kind. Returns 0 if
 * there is no such id. Returns pid itself if that namespace is ours or cannot be determined.
 */
pid_t procfs_translate(const struct procfs *p, pid_t tracee, enum pid_kind kind, pid_t pid);

#endif
