/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What requests of ptrace(2) take, where a type does not say it. */
#ifndef TRACER_DECODE_PROCESS_PTRACE_H
#define TRACER_DECODE_PROCESS_PTRACE_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* An offset in struct user, <sys/user.h>, in bytes, by the name of the member that is there. */
decode_fn decode_user_offset;
/*
 * The struct iovec of PTRACE_GETREGSET: where the registers are, and how many bytes of them. At the
 * entry it is shown only if it cannot be read, and iov_len is saved, which the kernel overwrites.
 */
decode_fn decode_regset_filled_entry, decode_regset_filled_exit;
/* The struct iovec of PTRACE_SETREGSET; at the exit with the iov_len that the kernel stored. */
decode_fn decode_regset_entry, decode_regset_exit;
/* What PTRACE_SECCOMP_GET_METADATA and PTRACE_GET_SYSCALL_INFO store; the number of a syscall. */
decode_fn decode_seccomp_metadata_entry, decode_seccomp_metadata_exit;
decode_fn decode_syscall_info, decode_info_nr;

/* The operation, by the names that the machine of the tracee has for it. */
decode_fn decode_ptrace_op;
#define PTRACE_OP FN32(decode_ptrace_op)

#define INFO_UNION 25 /* 1 + the offset in struct ptrace_syscall_info of what hangs on op */

#define USER_REGS   BY_ABI(STRUCT(user_regs_64), STRUCT(user_regs_32))
#define USER_FPREGS BY_ABI(STRUCT(user_fpregs_64), STRUCT(user_fpregs_32))

/* What the functions above read of the tracee's memory (decode/core/plan_types.h). */
extern const struct hatch_reads ptrace_reads[];

#endif
