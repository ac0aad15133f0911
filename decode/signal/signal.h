/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals: numbers, sets, siginfo. */
#ifndef TRACER_DECODE_SIGNAL_H
#define TRACER_DECODE_SIGNAL_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* siginfo_t, as an argument a pointer to it. */
#define SIGINFO MEMFN(type_siginfo, SIGINFO_SIZE)
extern const struct type_ops type_siginfo;

/* Clock ticks, with the seconds they stand for. */
decode_fn decode_clock_t;

/* Fields of siginfo_t. */
decode_fn siginfo_status, siginfo_syscall;

decode_fn decode_restarted;

/* What sigtimedwait(2) fills in; that it is not asked to is known at the entry. */
decode_fn decode_taken_siginfo;

/* A set that the kernel fills in as far as the caller has room for it. */
#define SIGSET_SHORT(...) TYPE(type_sigset, .len = __VA_ARGS__, .flags = TYPE_F_SIZED)
/* The set of 32 signals of i386's first signal syscalls, by address. */
#define OLD_SIGSET SIGSET(N(4))
/* The same, in a register. */
decode_fn decode_old_sigset;

/* struct sigaction, as an argument a pointer to it. */
#define SIGACTION     STRUCTFN(type_sigaction, sigaction)
#define OLD_SIGACTION STRUCTFN(type_sigaction, old_sigaction)
extern const struct type_ops type_sigaction;
decode_fn decode_sighandler, decode_ret_sighandler;

/* The mask that returning from a signal handler restores. */
decode_fn decode_rt_sigframe, decode_sigframe;

extern const struct hatch_reads signal_reads[];

extern const struct type_ops type_sighandler;
#define SIGHANDLER TYPE(type_sighandler, .width = W_LONG)

extern const struct type_ops type_old_sigset;
#define OLD_SIGMASK TYPE(type_old_sigset, .width = W32)

extern const struct type_ops type_ret_sighandler;
#define RET_SIGHANDLER TYPE(type_ret_sighandler, .width = W_LONG)

#endif
