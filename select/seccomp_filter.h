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
 * Computes which syscalls must stop so that the syscalls in `shown` can be traced. In addition to
 * `shown`, these are all forms of execve, the syscalls that can create an untraced thread and, if
 * `stacks` is set, the syscalls that can change executable memory. *stop_if_exec is set to the
 * syscalls that must stop only with certain arguments.
 */
void seccomp_filter_sets(const struct syscall_set *shown, bool stacks, struct syscall_set *stop,
			 struct syscall_set *stop_if_exec);

/*
 * Builds the program. For the syscalls in `stop`, in every ABI, and for all syscalls of unknown
 * architectures, it returns SECCOMP_RET_TRACE. For all others it returns SECCOMP_RET_ALLOW, with
 * two exceptions. A syscall that is only in `stop_if_exec`, which may be NULL, is traced if it
 * could make memory executable or replace executable memory: its third argument contains PROT_EXEC
 * or, for mmap, its fourth contains MAP_FIXED. clone is traced if its first argument contains
 * CLONE_UNTRACED. The caller frees out->filter. If the program exceeds the kernel's size limit,
 * returns false and makes *out empty.
 */
bool seccomp_filter_build(const struct syscall_set *stop, const struct syscall_set *stop_if_exec,
			  struct sock_fprog *out);

/* Returns true if the kernel supports seccomp filters and permits us to install one. */
bool seccomp_filter_available(void);

#endif
