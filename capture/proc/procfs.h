/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Translation of process ids between pid namespaces, see pid_namespaces(7). /proc shows the ids of
 * the namespace for which it was mounted, which can differ from our namespace. For example, in a
 * container with the host's /proc, the process with id 4 may be /proc/31102. Only paths in /proc
 * use the ids of that namespace. Everything else in tracer uses the ids of our own namespace.
 */
#ifndef TRACER_CAPTURE_PROC_PROCFS_H
#define TRACER_CAPTURE_PROC_PROCFS_H

#include "capture/facts.h"

struct procfs;

/*
 * Finds out to which pid namespace the mounted /proc belongs. Never returns NULL. Free the result
 * with procfs_close().
 */
struct procfs *procfs_open(void);
void procfs_close(struct procfs *p);

/*
 * If p is NULL, /proc shows our own namespace. In our own namespace, each of the functions below
 * costs only one comparison.
 */

/*
 * Returns the id in /proc of the thread that has the id tid in our namespace. Returns 0 if /proc
 * does not show the thread.
 */
pid_t procfs_pid(const struct procfs *p, pid_t tid);
/*
 * Returns the id in our namespace of the thread that has the id pid in /proc. Returns 0 if the
 * thread is gone or has no id in our namespace.
 */
pid_t procfs_ours(const struct procfs *p, pid_t pid);
/*
 * Returns the id in our namespace of the process to which thread pid (its id in /proc) belongs, or
 * 0.
 */
pid_t procfs_tgid(const struct procfs *p, pid_t pid);

/*
 * Translates pid from the pid namespace of a thread to ours. `tracee` is the thread's id in /proc.
 * `kind` is the kind of object that pid identifies. Returns 0 if there is no such id. Returns pid
 * unchanged if that namespace is ours or cannot be determined.
 */
pid_t procfs_translate(const struct procfs *p, pid_t tracee, enum pid_kind kind, pid_t pid);

#endif
