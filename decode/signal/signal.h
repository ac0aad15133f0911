/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals: sets, siginfo and handlers. See signal(7). */
#ifndef TRACER_DECODE_SIGNAL_SIGNAL_H
#define TRACER_DECODE_SIGNAL_SIGNAL_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* siginfo_t, sigaction(2). An argument of this type is a pointer to a siginfo_t. */
#define SIGINFO MEMFN(type_siginfo, SIGINFO_SIZE)
extern const struct type_ops type_siginfo;

/* A clock_t: ticks of 1/100 s, with the time in seconds as a comment. */
decode_fn decode_clock_t;

/* si_status and si_syscall in siginfo_t. */
decode_fn siginfo_status, siginfo_syscall;

/* restart_syscall(2): text that names the call being resumed. */
decode_fn decode_restarted;

/* A set that the kernel stores in the caller's buffer, which may be shorter than the set. */
#define SIGSET_SHORT(...) TYPE(type_sigset, .len = __VA_ARGS__, .flags = TYPE_F_SIZED)
/* The 32-bit signal set of i386's oldest signal syscalls, passed by address. */
#define OLD_SIGSET SIGSET(N(4))
/* The 32-bit signal set of i386's oldest signal syscalls, passed as a number in a register. */
decode_fn decode_old_sigset;

/*
 * The kernel's struct sigaction, and the struct of sigaction(2) on i386. An argument of these types
 * is a pointer to the struct.
 */
#define SIGACTION     STRUCTFN(type_sigaction, sigaction)
#define OLD_SIGACTION STRUCTFN(type_sigaction, old_sigaction)
extern const struct type_ops type_sigaction;
decode_fn decode_sighandler, decode_ret_sighandler;

/* rt_sigreturn(2), sigreturn(2): the restored signal mask, from the frame on the stack. */
decode_fn decode_rt_sigframe, decode_sigframe;

extern const struct type_ops type_sighandler;
#define SIGHANDLER TYPE(type_sighandler, .width = W_LONG)

extern const struct type_ops type_old_sigset;
#define OLD_SIGMASK TYPE(type_old_sigset, .width = W32)

extern const struct type_ops type_ret_sighandler;
#define RET_SIGHANDLER TYPE(type_ret_sighandler, .width = W_LONG)

#endif
