/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --seccomp-bpf: a filter that stops tracees only at the syscalls of a set and
 * lets all others run at full speed. doc/seccomp.md says what it changes for
 * the tracee.
 */
#ifndef TRACER_SELECT_SECCOMP_FILTER_H
#define TRACER_SELECT_SECCOMP_FILTER_H

#include <linux/filter.h>

#include "select/syscall_set.h"

/*
 * Computes which syscalls must stop so that those of shown can be traced: these themselves, every
 * form of execve, those that can make a thread that is not traced and, with stacks, those that can
 * change executable memory. *stop_if_exec gets the syscalls for which that depends on their
 * arguments.
 */
void seccomp_filter_sets(const struct syscall_set *shown, bool stacks, struct syscall_set *stop,
			 struct syscall_set *stop_if_exec);

/*
 * Makes the program: SECCOMP_RET_TRACE for the syscalls of stop in every ABI and for those of
 * unknown architectures, SECCOMP_RET_ALLOW for all others. Syscalls that are only in stop_if_exec
 * (NULL: none) are traced if they could make memory executable or replace executable memory:
 * the third argument has PROT_EXEC or, for mmap, the fourth has MAP_FIXED; clone is if its first
 * has CLONE_UNTRACED. The caller frees
 * out->filter. Returns false, with *out empty, if the program is longer than the kernel accepts.
 */
bool seccomp_filter_build(const struct syscall_set *stop, const struct syscall_set *stop_if_exec,
			  struct sock_fprog *out);

/* Whether the kernel has seccomp filters and lets us use them. */
bool seccomp_filter_available(void);

#endif
