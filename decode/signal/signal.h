/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals (see signal(7)): sets, siginfo and handlers. */
#ifndef TRACER_DECODE_SIGNAL_SIGNAL_H
#define TRACER_DECODE_SIGNAL_SIGNAL_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* siginfo_t, see sigaction(2). An argument of this type is a pointer to a siginfo_t. */
#define SIGINFO MEMFN(type_siginfo, SIGINFO_SIZE)
extern const struct type_ops type_siginfo;

/* A clock_t: a number of ticks of 1/100 s. The time in seconds follows as a comment. */
decode_fn decode_clock_t;

/* The members si_status and si_syscall of siginfo_t. */
decode_fn siginfo_status, siginfo_syscall;

/* For restart_syscall(2): text that contains the name of the call that it resumes. */
decode_fn decode_restarted;

/* A set that the kernel stores in the caller's buffer. The buffer may be shorter than the set. */
#define SIGSET_SHORT(...) TYPE(type_sigset, .len = __VA_ARGS__, .flags = TYPE_F_SIZED)
/* The 32-bit signal set in i386's oldest signal syscalls, passed by address. */
#define OLD_SIGSET SIGSET(N(4))
/* The 32-bit signal set in i386's oldest signal syscalls, passed as a number in a register. */
decode_fn decode_old_sigset;

/*
 * The kernel's struct sigaction, and the struct of sigaction(2) on i386. An argument of such a type
 * is a pointer to the struct.
 */
#define SIGACTION     STRUCTFN(type_sigaction, sigaction)
#define OLD_SIGACTION STRUCTFN(type_sigaction, old_sigaction)
extern const struct type_ops type_sigaction;
decode_fn decode_sighandler, decode_ret_sighandler;

/*
 * For rt_sigreturn(2) and sigreturn(2): the signal mask that is restored from the frame on the
 * stack.
 */
decode_fn decode_rt_sigframe, decode_sigframe;

extern const struct type_ops type_sighandler;
#define SIGHANDLER TYPE(type_sighandler, .width = W_LONG)

extern const struct type_ops type_old_sigset;
#define OLD_SIGMASK TYPE(type_old_sigset, .width = W32)

extern const struct type_ops type_ret_sighandler;
#define RET_SIGHANDLER TYPE(type_ret_sighandler, .width = W_LONG)

#endif
