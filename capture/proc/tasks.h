/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads properties of threads and processes from /proc: their owner, tracer, state and children.
 * All ids, both in arguments and in results, belong to our pid namespace. procfs may be NULL if
 * /proc shows that namespace.
 */
#ifndef TRACER_CAPTURE_PROC_TASKS_H
#define TRACER_CAPTURE_PROC_TASKS_H

#include <sys/types.h>

#include "defs.h"
#include "util/vec.h"

struct procfs;

typedef VEC(pid_t) pid_vec;

/*
 * Appends the threads of a process to *out, see proc_pid_task(5). Returns false if they cannot be
 * listed, for example because the process is gone.
 */
bool proc_threads(const struct procfs *procfs, pid_t pid, pid_vec *out);
/* Appends the children of all threads of a process to *out, see proc_tid_children(5). */
void proc_children(const struct procfs *procfs, pid_t pid, pid_vec *out);
/*
 * Sets *owner to the user who owns the directory of the process in /proc. Returns false if the
 * process is gone.
 */
bool proc_owner(const struct procfs *procfs, pid_t pid, uid_t *owner);
/*
 * Returns the id of a process's tracer. Returns 0 if the process is not traced, or if its tracer
 * has no id in our namespace.
 */
pid_t proc_tracer(const struct procfs *procfs, pid_t pid);
/*
 * Returns field n (at least 3) of a thread's stat file, see proc_pid_stat(5). For field 3, the
 * state, returns its letter. Returns -1 if the field cannot be read.
 */
int proc_stat(const struct procfs *procfs, pid_t tid, int n);
/*
 * Returns the number of threads on the whole machine that are running or waiting for a CPU, see
 * proc_loadavg(5). Returns -1 if it is unknown.
 */
int proc_runnable(void);

/* Returns true if we are in a user namespace other than the first one, see user_namespaces(7). */
bool proc_in_user_namespace(void);
/*
 * Returns true if we have a capability (CAP_* of linux/capability.h) in our user namespace. Also
 * returns true if this cannot be determined.
 */
bool proc_has_capability(unsigned cap);
/*
 * Returns the value of the sysctl kernel.yama.ptrace_scope, or 0 if the security module Yama is not
 * used.
 */
int proc_ptrace_scope(void);
/*
 * Executes tracer's own program again with these arguments, like execv(3). Works even if the
 * program's file was replaced or deleted. Returns only on failure.
 */
void proc_exec_self(char **argv);
/* Stores a path with which other processes of this user can open one of our descriptors. */
void proc_fd_path(char *path, size_t size, int fd);
/* Returns true if the kernel interprets BPF programs instead of compiling them. */
bool proc_interprets_bpf(void);

#endif
