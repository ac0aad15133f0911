/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Translation of process ids between pid namespaces, see pid_namespaces(7). /proc shows the ids of
 * the namespace that it was mounted for, which need not be ours: in a container that has the
 * host's /proc, a process with the id 4 may be /proc/31102. Paths below /proc are made with its
 * numbers; everything else in this program uses the ids of our own namespace.
 */
#ifndef TRACER_CAPTURE_PROC_PROCFS_H
#define TRACER_CAPTURE_PROC_PROCFS_H

#include "capture/facts.h"

struct procfs;

/* Finds out which namespace the mounted /proc belongs to. Never NULL; procfs_close() frees it. */
struct procfs *procfs_open(void);
void procfs_close(struct procfs *p);

/*
 * The functions below cost one comparison if /proc shows our own namespace. With p NULL they assume
 * that.
 */

/* The number in /proc of the thread tid of our namespace; 0 if /proc does not show it. */
pid_t procfs_pid(const struct procfs *p, pid_t tid);
/* Our number of the thread that is pid in /proc; 0 if it is gone or not in our namespace. */
pid_t procfs_ours(const struct procfs *p, pid_t pid);
/* Our number of the process of the thread that is pid in /proc; 0 as for procfs_ours(). */
pid_t procfs_tgid(const struct procfs *p, pid_t pid);

/*
 * Our number of the thread, process, … (kind) that has the number pid in the namespace of the
 * thread that is tracee in /proc; 0 if it is unknown. Returns pid itself if that namespace is ours
 * or cannot be determined.
 */
pid_t procfs_translate(const struct procfs *p, pid_t tracee, enum pid_kind kind, pid_t pid);

#endif
