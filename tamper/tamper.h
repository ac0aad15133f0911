/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tampering with syscalls as -e inject= and -e fault= ask: another number,
 * another result, a signal, other bytes in memory, a delay. Besides tamper/untraced.h
 * the only code that changes a tracee.
 */
#ifndef TRACER_TAMPER_TAMPER_H
#define TRACER_TAMPER_TAMPER_H

#include "tamper/inject.h"

struct tamper;
struct tcb;

/*
 * injections, n of them, are borrowed; of those that name a syscall the last one applies. Never
 * NULL; tamper_destroy() frees it, after all threads were forgotten.
 */
struct tamper *tamper_create(const struct injection *injections, size_t n);
void tamper_destroy(struct tamper *t);
/* Frees what is kept for a thread. */
void tamper_forget(struct tamper *t, struct tcb *tcb);

/*
 * Tampers with tcb->syscall at its entry. Returns the nanoseconds by which the caller must delay
 * the resume; 0: no delay.
 */
uint64_t tamper_enter(struct tamper *t, struct tcb *tcb);
/* Whether tamper_enter() changed memory, so that the arguments must be decoded again. */
bool tamper_poked(const struct tcb *tcb);
/*
 * Tampers with tcb->syscall at its exit, before the result is decoded; may change tcb->regs. Sets
 * tampered of the event. Returns a delay as tamper_enter() does.
 */
uint64_t tamper_exit(struct tamper *t, struct tcb *tcb);

#endif
