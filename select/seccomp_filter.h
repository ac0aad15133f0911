/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --seccomp-bpf: a filter that stops tracees only at the syscalls of a set and
 * lets all others run at full speed. doc/seccomp.md says what it changes for
 * the tracee.
 */
#ifndef TRACER_SECCOMP_FILTER_H
#define TRACER_SECCOMP_FILTER_H

#include <linux/filter.h>

#include "select/syscall_set.h"

/*
 * What must stop so that the syscalls of shown are seen whole: those, every way
 * of execve, and with stacks what can change executable memory.
 */
void seccomp_filter_sets(const struct syscall_set *shown, bool stacks, struct syscall_set *stop,
			 struct syscall_set *stop_if_exec);

/*
 * The program for the syscalls of stop, in every ABI: SECCOMP_RET_TRACE, else
 * SECCOMP_RET_ALLOW; another architecture's are traced. Of those in stop_if_exec
 * (NULL: none) that are not in stop, only calls stop that could make memory
 * executable or replace what is: third argument with PROT_EXEC, or for mmap
 * fourth with MAP_FIXED. out->filter is the caller's to free(). False: more
 * instructions than the kernel takes; out is empty then.
 */
bool seccomp_filter_build(const struct syscall_set *stop, const struct syscall_set *stop_if_exec,
			  struct sock_fprog *out);

/* The kernel has seccomp filters and lets us use them. */
bool seccomp_filter_available(void);

#endif
