/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handles syscall stops (entry and exit), and calls that end without an exit. */
#ifndef TRACER_SESSION_SYSCALLS_H
#define TRACER_SESSION_SYSCALLS_H

#include "defs.h"
#include "util/foreign.h"

struct session;
struct stack;
struct syscall_event;
struct tcb;

/*
 * on_syscall_enter() and on_syscall_exit() return the delay in nanoseconds after which the thread
 * must be resumed; 0 means immediately.
 */
uint64_t on_syscall_enter(struct session *s, struct tcb *tcb);
/* `tampered` describes how a recorded call was tampered with, as in struct stop. */
uint64_t on_syscall_exit(struct session *s, struct tcb *tcb, struct foreign tampered);
/*
 * Handles the entry of an unknown call: the thread was killed while it entered the call. The entry
 * is shown even if -e trace= does not select the call, as in strace 7.2.
 */
void on_unknown_enter(struct session *s, struct tcb *tcb);
/* Handles the return of the thread's current call if the result is unknown. */
void on_unknown_exit(struct session *s, struct tcb *tcb);
/*
 * Handles a thread that is about to end. Ends the thread's current call, which will not return.
 * Keeps the call's stack, which is shown after the thread's last line.
 */
void on_exiting(struct session *s, struct tcb *tcb);

/*
 * Ends the call of a thread that is gone. Returns the call's stack, or NULL if there is none. The
 * caller releases the result.
 */
struct stack *last_stack(struct session *s, struct tcb *tcb);
/*
 * Must be called when a thread leaves a call without a result. Shows the entry now if filters have
 * delayed it, provided that -e status= selects `detached` and --where matches.
 */
void enter_held(struct session *s, struct tcb *tcb);

#endif
