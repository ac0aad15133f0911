/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What /proc tells of threads and processes as tasks: whose they are, who traces them, what they
 * have started. All pids, asked and answered, are those of our pid namespace; procfs NULL: /proc
 * is of it.
 */
#ifndef TRACER_CAPTURE_TASKS_H
#define TRACER_CAPTURE_TASKS_H

#include <sys/types.h>

#include "defs.h"
#include "util/vec.h"

struct procfs;

typedef VEC(pid_t) pid_vec;

/*
 * Appends the threads of a process that are in our pid namespace, see proc_pid_task(5). false:
 * they cannot be listed, as when it is gone.
 */
bool proc_threads(const struct procfs *procfs, pid_t pid, pid_vec *out);
/* Appends the children of all threads of a process, see proc_tid_children(5). */
void proc_children(const struct procfs *procfs, pid_t pid, pid_vec *out);
/* Whose process it is; false: it is gone. */
bool proc_owner(const struct procfs *procfs, pid_t pid, uid_t *owner);
/* Who traces it; 0: nobody that we could name. */
pid_t proc_tracer(const struct procfs *procfs, pid_t pid);
/*
 * Field number n of the stat file of a thread, see proc_pid_stat(5), from 3 on; 3, the state, as
 * its letter. -1: there is none.
 */
int proc_stat(const struct procfs *procfs, pid_t tid, int n);

#endif
