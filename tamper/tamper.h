/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tampering with syscalls as -e inject= and -e fault= ask: another number,
 * another result, a signal, other bytes in memory, a delay. The only code that
 * changes a tracee.
 */
#ifndef TRACER_TAMPER_H
#define TRACER_TAMPER_H

#include "tamper/inject.h"

struct tamper;
struct tcb;

struct tamper *tamper_create(const struct injection *injections, size_t n);
void tamper_destroy(struct tamper *t);
/* Forgets the counts of one thread. */
void tamper_forget(struct tamper *t, struct tcb *tcb);

/*
 * At the entry of tcb->syscall. Returns the nanoseconds by which the caller must delay the
 * resume, 0 for none.
 */
uint64_t tamper_enter(struct tamper *t, struct tcb *tcb);
/* Whether that changed memory, so that the arguments are to be decoded anew. */
bool tamper_poked(const struct tcb *tcb);
/*
 * At its exit, before the result is taken: may change tcb->regs. Sets
 * the event's tampered. Returns a delay likewise.
 */
uint64_t tamper_exit(struct tamper *t, struct tcb *tcb);

#endif
