/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --seccomp-bpf: a filter that stops tracees only at the syscalls of a set, so that all other
 * syscalls run at full speed. doc/seccomp.md describes its effects on tracees.
 */
#ifndef TRACER_SELECT_SECCOMP_FILTER_H
#define TRACER_SELECT_SECCOMP_FILTER_H

#include <linux/filter.h>

#include "select/syscall_set.h"

/*
 * Computes at which syscalls tracees must stop, so that the syscalls in `shown` can be traced.
 * Tracees must also stop at all forms of execve, and at syscalls that can create an untraced
 * thread. If `stacks` is set, they must also stop at syscalls that can add or replace executable
 * memory, and at syscalls that can create memory to which accesses may block
 * (capture/ptrace/tracee_guard.h). *stop_if_args is set to the syscalls at which tracees must stop
 * only if certain arguments are passed.
 */
void seccomp_filter_sets(const struct syscall_set *shown, bool stacks, struct syscall_set *stop,
			 struct syscall_set *stop_if_args);

/*
 * Builds the program. It returns SECCOMP_RET_TRACE for the syscalls in `stop` and for all syscalls
 * of unknown architectures, and SECCOMP_RET_ALLOW for all others. The exceptions are the syscalls
 * in `stop_if_args` (which may be NULL). Most of them are also traced if their third argument
 * contains PROT_EXEC. mmap is also traced if its fourth argument contains MAP_FIXED or lacks
 * MAP_ANONYMOUS. clone is traced only if its first argument contains CLONE_UNTRACED, and ioctl only
 * if its second argument is USERFAULTFD_NEW. The caller frees out->filter. If the program exceeds
 * the kernel's size limit, returns false and makes *out empty.
 */
bool seccomp_filter_build(const struct syscall_set *stop, const struct syscall_set *stop_if_args,
			  struct sock_fprog *out);

/* Returns true if the kernel supports seccomp filters and permits us to install one. */
bool seccomp_filter_available(void);

#endif
