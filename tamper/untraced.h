/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads that are made with CLONE_UNTRACED of clone(2) do not become tracees: with it a tracee
 * could send its work out of sight. So where new threads are to be followed, the flag is taken off
 * while the kernel looks at it, and put back before the program can see that. The flags of
 * clone3(2) lie in memory that another thread may change in between: against that nothing helps
 * here.
 */
#ifndef TRACER_TAMPER_UNTRACED_H
#define TRACER_TAMPER_UNTRACED_H

struct tcb;

/*
 * tcb is stopped at the entry of tcb->syscall, a call of clone(2) or clone3(2) that has been shown:
 * takes the flag off, and remembers that in tcb->untraced. The engine needs CAPTURE_TAMPER.
 */
void untraced_enter(struct tcb *tcb);
/* The call has made the thread child, which may be running: it is to forget the change as well. */
void untraced_fork(struct tcb *tcb, struct tcb *child);
/* The first stop of a thread with tcb->untraced, or the exit of the call: puts back what was there.
 */
void untraced_begin(struct tcb *child);
void untraced_exit(struct tcb *tcb);

#endif
