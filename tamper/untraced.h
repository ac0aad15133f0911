/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel does not attach the tracer to a thread created with CLONE_UNTRACED (clone(2)), so a
 * tracee could use the flag to hide its work from -f. With -f the flag is cleared at the entry of
 * the call and restored before the program can observe the change. The flags of clone3(2) are in
 * memory; a thread that rewrites them between the stop and the kernel's read can still hide.
 */
#ifndef TRACER_TAMPER_UNTRACED_H
#define TRACER_TAMPER_UNTRACED_H

struct tcb;

/*
 * tcb is stopped at the entry of tcb->syscall, which is clone(2) or clone3(2). Clears the flag and
 * sets tcb->untraced to where it was. Must run after the arguments were decoded and before the
 * thread is resumed. The engine needs CAPTURE_TAMPER.
 */
void untraced_enter(struct tcb *tcb);
/* The call created the thread child, which inherits the changed flags. */
void untraced_fork(struct tcb *tcb, struct tcb *child);
/* Restore the flags: at the first stop of a child, and at the exit of the call. */
void untraced_begin(struct tcb *child);
void untraced_exit(struct tcb *tcb);

#endif
