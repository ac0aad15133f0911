/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the event of a syscall from a thread's stops: finds the row of the tables, and has the
 * arguments and the result decoded. Which of them is done at the entry and which at the exit is
 * decided here.
 */
#ifndef TRACER_SYSCALL_H
#define TRACER_SYSCALL_H

#include <string.h>

#include "capture/capture.h"
#include "decode/core/config.h"
#include "decode/core/state.h"
#include "event/event.h"
#include "linux/syscall_desc.h"

struct row_finder;

/* A call of a thread: its event, and the data that decoding its exit needs from its entry. */
struct thread_call {
	struct syscall_event event;
	struct decode_state state;
	bool args_known; /* all arguments were decoded at the entry */
	bool running;	 /* it has begun and not yet ended */
};

/* Whether the call of an event has begun and not yet ended. ev is NULL before the first call. */
static inline bool syscall_is_running(const struct syscall_event *ev)
{
	return ev && container_of(ev, const struct thread_call, event)->running;
}

/*
 * Fills in the head of an event: the thread's ids and name, and its last syscall, as they are known
 * now. The times and the ABI are not set.
 */
static inline void event_identify(struct event *e, const struct tcb *tcb)
{
	e->tid = tcb->tid;
	e->tgid = tcb->tgid;
	memcpy(e->comm, tcb->comm, sizeof(e->comm));
	e->nr = tcb->regs.nr;
	e->ip = tcb->regs.ip;
}

/*
 * Begins the event of the syscall that the thread is entering, from tcb->regs: its name, row and
 * raw arguments. Of the tracee's memory only arguments that i386 passes there are read. The event
 * is tcb->syscall, the event of a struct thread_call. The tcb owns it and has one at a time; its
 * row lives as long as rows. The second function is for a thread whose registers could not be read:
 * the call is named "???" and has no arguments.
 */
struct syscall_event *syscall_begin(struct tcb *tcb, struct row_finder *rows);
struct syscall_event *syscall_begin_unknown(struct tcb *tcb);
/* Decodes what is known at the entry: the `in` values of the arguments of tcb->syscall. */
void syscall_decode_enter(struct tcb *tcb, const struct decode_config *config);
/*
 * Sets the arguments of tcb->syscall that only the exit would decode to their addresses, as for a
 * call that was interrupted. The caller restores the arguments, which the exit decodes.
 */
void syscall_assume_addresses(struct tcb *tcb, const struct decode_config *config);
/* Takes the result of tcb->syscall from tcb->regs; it is no longer running. */
void syscall_end(struct tcb *tcb);
/* After syscall_end(): decodes what is known at the exit: `out` values, the result, its notes. */
void syscall_decode_exit(struct tcb *tcb, const struct decode_config *config);
/*
 * The value, in arena, of the siginfo_t of a signal that the thread has stopped with. info is as
 * PTRACE_GETSIGINFO of ptrace(2) gives it, in tracer's own ABI.
 */
struct value *syscall_decode_siginfo(struct tcb *tcb, const struct decode_config *config,
				     struct arena *arena, const void *info);
/* Frees the values of tcb->syscall; the struct is kept for the thread's next syscall. */
void syscall_finish(struct tcb *tcb);
/* Frees tcb->syscall, when the thread is gone. */
void syscall_forget(struct tcb *tcb);

/*
 * The number that the next argument of a row has, from one register or two. *reg is the index of
 * the register that comes next, 0 before the first argument; it is moved on.
 */
uint64_t syscall_arg(const struct syscall_event *ev, const struct arg_desc *a, unsigned *reg);
/* The number of arguments of the call: six if no row has its number. */
unsigned syscall_arg_count(const struct syscall_event *ev);

#endif
