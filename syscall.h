/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Syscall stops to events: which row of the tables, which arguments, which
 * result. The engine alone knows of entry and exit; decoders do not.
 */
#ifndef TRACER_SYSCALL_H
#define TRACER_SYSCALL_H

#include <string.h>

#include "capture/capture.h"
#include "decode/core/config.h"
#include "event/event.h"
#include "linux/syscall_desc.h"

/* Whose event it is: the thread as it is known now, with its last syscall. The times are left
 * alone. */
static inline void event_identify(struct event *e, const struct tcb *tcb)
{
	e->tid = tcb->tid;
	e->tgid = tcb->tgid;
	memcpy(e->comm, tcb->comm, sizeof(e->comm));
	e->abi = tcb->abi;
	e->nr = tcb->regs.nr;
	e->ip = tcb->regs.ip;
}

/*
 * The event of the syscall tcb is entering, from tcb->regs: name, row and raw
 * arguments only, nothing read from the tracee but arguments that i386 passes in memory. Owned by
 * the tcb, one at a time.
 */
struct syscall_event *syscall_begin(struct tcb *tcb);
/* The same where which syscall it is could not be had: "???", without arguments. */
struct syscall_event *syscall_begin_unknown(struct tcb *tcb);
/* Builds the values known at entry, of the event in tcb->syscall. */
void syscall_decode_enter(struct tcb *tcb, const struct decode_config *config);
/* Takes the result from tcb->regs. */
void syscall_end(struct tcb *tcb);
/* Builds the values known at exit. syscall_end() comes first. */
void syscall_decode_exit(struct tcb *tcb, const struct decode_config *config);
/*
 * The value of a signal that tcb is stopped with, in arena: info is as ptrace(2) gives it,
 * of our own ABI.
 */
struct value *syscall_decode_siginfo(struct tcb *tcb, const struct decode_config *config,
				     struct arena *arena, const void *info);
/* Drops the event's values; the struct stays with the tcb for the next one. */
void syscall_finish(struct tcb *tcb);
/* Frees what the tcb holds. */
void syscall_forget(struct tcb *tcb);

/*
 * The number of the next argument of a row, from one register or two; reg, 0 for the first, is
 * the register that comes next.
 */
uint64_t syscall_arg(const struct syscall_event *ev, const struct arg_desc *a, unsigned *reg);
/* How many arguments the call has: six for a number no row has. */
unsigned syscall_arg_count(const struct syscall_event *ev);

#endif
