/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whose pids /proc shows. It was mounted for one pid namespace, which need not be ours: in a
 * container that has the host's /proc, the process that we call 4 is 31102 there. See
 * pid_namespaces(7). Paths below /proc are made with its numbers, whatever else with ours.
 */
#ifndef TRACER_CAPTURE_PROCFS_H
#define TRACER_CAPTURE_PROCFS_H

#include "capture/facts.h"

struct procfs;

/* Looks at the /proc that is there now. */
struct procfs *procfs_open(void);
void procfs_close(struct procfs *p);

/*
 * The number in /proc of the thread that we call tid; 0: it is not there. One test where both
 * namespaces are the same. Of p NULL they are taken to be.
 */
pid_t procfs_pid(const struct procfs *p, pid_t tid);
/* What we call the thread that /proc has as pid; 0: it is not in our namespace, or gone. */
pid_t procfs_ours(const struct procfs *p, pid_t pid);
/* What we call the process of that thread; 0: as above. */
pid_t procfs_tgid(const struct procfs *p, pid_t pid);

/*
 * What we call what the thread that /proc has as tracee calls pid; 0: not known. pid itself where
 * its namespace is ours, or cannot be told.
 */
pid_t procfs_translate(const struct procfs *p, pid_t tracee, enum pid_kind kind, pid_t pid);

#endif
