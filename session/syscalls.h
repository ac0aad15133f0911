/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stops at the entries and exits of syscalls, and calls that end in another way.
 */
#ifndef TRACER_SESSION_SYSCALLS_H
#define TRACER_SESSION_SYSCALLS_H

#include "defs.h"
#include "util/foreign.h"

struct session;
struct stack;
struct syscall_event;
struct tcb;

/* Both return the nanoseconds by which the thread is to be resumed later; 0: at once. */
uint64_t on_syscall_enter(struct session *s, struct tcb *tcb);
/* tampered: struct stop's. */
uint64_t on_syscall_exit(struct session *s, struct tcb *tcb, struct foreign tampered);
/*
 * The thread was killed while it entered a call, and nobody knows which. It is shown whatever is
 * traced, as strace 7.2 does.
 */
void on_unknown_enter(struct session *s, struct tcb *tcb);
/* The call that the thread was in has returned, and nobody knows what. */
void on_unknown_exit(struct session *s, struct tcb *tcb);
/*
 * The thread is about to end: the call it is in will not return. That call ends here, and its
 * stack is kept for the thread's last line.
 */
void on_exiting(struct session *s, struct tcb *tcb);

/* Ends the call of a thread that is gone. The call's stack or NULL; the caller's to release. */
struct stack *last_stack(struct session *s, struct tcb *tcb);
/*
 * The beginning of a call that filters hold back is shown after all: its thread leaves it without
 * a result, which -e status=detached asks for. Does nothing if no call is held back.
 */
void enter_held(struct session *s, struct tcb *tcb);

#endif
