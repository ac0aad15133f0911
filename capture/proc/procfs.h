/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Translates process ids between pid namespaces, see pid_namespaces(7). /proc shows the ids of the
 * namespace for which it was mounted, which can differ from our namespace. For example, in a
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
 * In all functions below, p may be NULL, which means that /proc shows our own namespace. If /proc
 * shows our own namespace, procfs_pid() and procfs_ours() return the id unchanged.
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
 * Returns the id in our namespace of the process to which a thread belongs. `pid` is the thread's
 * id in /proc. Returns 0 if the thread is gone or the process has no id in our namespace.
 */
pid_t procfs_tgid(const struct procfs *p, pid_t pid);

/*
 * Translates pid from the pid namespace of a thread to ours. `tracee` is the thread's id in /proc.
 * `kind` is the kind of object that pid identifies. Returns 0 if the object has no id in our
 * namespace. Returns `pid` unchanged if the thread's namespace is ours, is not nested in ours, or
 * cannot be determined.
 */
pid_t procfs_translate(const struct procfs *p, pid_t tracee, enum pid_kind kind, pid_t pid);

#endif
