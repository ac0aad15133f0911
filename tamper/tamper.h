/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tampers with syscalls for -e inject= and -e fault=: replaces the syscall number, the result or
 * bytes in memory, sends a signal, or delays the call. Apart from tamper/untraced.h and
 * tamper/vdso.h, this is the only code that changes a tracee.
 */
#ifndef TRACER_TAMPER_TAMPER_H
#define TRACER_TAMPER_TAMPER_H

#include "tamper/inject.h"

struct tamper;
struct tcb;

/*
 * Creates the state for n injections, which are borrowed. If several injections match a syscall,
 * the last of them applies. Never returns NULL. tamper_destroy() frees the state. Before that,
 * tamper_forget() must be called for all threads.
 */
struct tamper *tamper_create(const struct injection *injections, size_t n);
void tamper_destroy(struct tamper *t);
/* Frees the state of a thread. */
void tamper_forget(struct tamper *t, struct tcb *tcb);

/*
 * Tampers with tcb->syscall at its entry. Returns the time in nanoseconds by which the caller must
 * delay the resume, or 0.
 */
uint64_t tamper_enter(struct tamper *t, struct tcb *tcb);
/*
 * Returns true if tamper_enter() has changed memory, so that the arguments must be decoded again.
 * Must be called only after tamper_enter().
 */
bool tamper_poked(const struct tcb *tcb);
/*
 * Tampers with tcb->syscall at its exit, before the result is decoded. May change tcb->regs. Sets
 * tcb->syscall->tampered. Returns a delay like tamper_enter().
 */
uint64_t tamper_exit(struct tamper *t, struct tcb *tcb);

#endif
