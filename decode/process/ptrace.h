/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ptrace(2) */
#ifndef TRACER_DECODE_PTRACE_H
#define TRACER_DECODE_PTRACE_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* An offset in struct user, by the member that is there. */
decode_fn decode_user_offset;
/* A struct iovec, which says where registers are, and how much of them. */
decode_fn decode_regset;
decode_fn decode_regset_len; /* a hook: how much it was asked for */
decode_fn decode_regset_set, decode_seccomp_metadata, decode_syscall_info, decode_info_nr;

#define INFO_UNION 25 /* 1 + the offset in struct ptrace_syscall_info of what hangs on op */

#define USER_REGS   BY_ABI(STRUCT(user_regs_64), STRUCT(user_regs_32))
#define USER_FPREGS BY_ABI(STRUCT(user_fpregs_64), STRUCT(user_fpregs_32))

/* What the hatches above read of memory. */
extern const struct hatch_reads ptrace_reads[];

#endif
