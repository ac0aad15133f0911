/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Arguments of ptrace(2) requests that no type can describe. */
#ifndef TRACER_DECODE_PROCESS_PTRACE_H
#define TRACER_DECODE_PROCESS_PTRACE_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * A byte offset in struct user (<sys/user.h>). On x86, it is shown as the name of the member that
 * contains it, on other machines as a number.
 */
decode_fn decode_user_offset;
/*
 * The struct iovec of PTRACE_GETREGSET, which contains the address and the size of the registers.
 * If the struct cannot be read at entry, its address is shown then. Otherwise, its iov_len is saved
 * at entry, because the kernel overwrites it, and the struct is shown at exit.
 */
decode_fn decode_regset_filled_entry, decode_regset_filled_exit;
/* The struct iovec of PTRACE_SETREGSET. The iov_len that the kernel stores is added at exit. */
decode_fn decode_regset_entry, decode_regset_exit;
/*
 * The data that PTRACE_SECCOMP_GET_METADATA and PTRACE_GET_SYSCALL_INFO store, and a syscall
 * number.
 */
decode_fn decode_seccomp_metadata_entry, decode_seccomp_metadata_exit;
decode_fn decode_syscall_info, decode_info_nr;

/* The ptrace request. Its name depends on the tracee's architecture. */
decode_fn decode_ptrace_op;
#define PTRACE_OP FN32(decode_ptrace_op)

/*
 * 1 + byte offset of the union in struct ptrace_syscall_info. The member op selects the contents.
 */
#define INFO_UNION 25

#define USER_REGS   BY_ABI(STRUCT(user_regs_64), STRUCT(user_regs_32))
#define USER_FPREGS BY_ABI(STRUCT(user_fpregs_64), STRUCT(user_fpregs_32))

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads ptrace_reads[];

#endif
