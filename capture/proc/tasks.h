/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What /proc tells about threads and processes: their owner, tracer, state and children. All ids,
 * given and returned, are of our pid namespace. procfs may be NULL, which means that /proc shows
 * that namespace.
 */
#ifndef TRACER_CAPTURE_PROC_TASKS_H
#define TRACER_CAPTURE_PROC_TASKS_H

#include <sys/types.h>

#include "defs.h"
#include "util/vec.h"

struct procfs;

typedef VEC(pid_t) pid_vec;

/*
 * Appends the threads of a process, see proc_pid_task(5). Returns false if they cannot be listed,
 * for example because the process is gone.
 */
bool proc_threads(const struct procfs *procfs, pid_t pid, pid_vec *out);
/* Appends the children of all threads of a process, see proc_tid_children(5). */
void proc_children(const struct procfs *procfs, pid_t pid, pid_vec *out);
/* *owner is the user that /proc shows as the owner of the process. Returns false if it is gone. */
bool proc_owner(const struct procfs *procfs, pid_t pid, uid_t *owner);
/* The tracer of a process; 0 if it has none or the tracer has no id in our namespace. */
pid_t proc_tracer(const struct procfs *procfs, pid_t pid);
/*
 * Field n, 3 or more, of a thread's stat file, see proc_pid_stat(5). Field 3, the state, is
 * returned as its letter. Returns -1 if the field cannot be read.
 */
int proc_stat(const struct procfs *procfs, pid_t tid, int n);
/* The threads of the whole machine that run or wait for a CPU, proc_loadavg(5); -1: unknown. */
int proc_runnable(void);

/* Whether we are in a user namespace that is not the first one, see user_namespaces(7). */
bool proc_in_user_namespace(void);
/*
 * Whether we have a capability (CAP_* of linux/capability.h) in our user namespace. True if
 * unknown.
 */
bool proc_has_capability(unsigned cap);
/* The sysctl kernel.yama.ptrace_scope; 0 without the security module Yama. */
int proc_ptrace_scope(void);
/* Whether the kernel says that it interprets BPF programs and does not compile them. */
bool proc_interprets_bpf(void);

#endif
