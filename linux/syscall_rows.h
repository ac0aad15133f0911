/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ROW_NAME is the index of a syscall's row in syscall_descs (linux/syscall_desc.h). ROW_ipc_NAME is
 * the index of the row for a call made through ipc(2). The kernel's syscall numbers differ between
 * ABIs; see linux/arch/abi.h.
 */
#ifndef TRACER_LINUX_SYSCALL_ROWS_H
#define TRACER_LINUX_SYSCALL_ROWS_H

#define SYSCALL(n, ...)	    ROW_##n,
#define SYSCALLV(n, ...)    ROW_##n,
#define SUBCALL(p, n, ...)  ROW_##p##_##n,
#define SUBCALLV(p, n, ...) ROW_##p##_##n,
enum {
#include "linux/syscalls_all.h"
	ROW_COUNT
};
#undef SYSCALL
#undef SYSCALLV
#undef SUBCALL
#undef SUBCALLV

#endif
