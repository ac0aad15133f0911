/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the event of a syscall from a thread's stops. Finds the row in the tables, and decodes the
 * arguments and the result. Decides what is decoded at the entry and what at the exit.
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

/* A thread's syscall: the event, and the data from the entry that decoding at the exit needs. */
struct thread_call {
	struct syscall_event event;
	struct decode_state state;
	bool args_known; /* the entry has decoded all arguments */
	bool running;	 /* it has begun but not ended */
};

/* Whether the syscall of an event has begun but not ended. ev is NULL before the first syscall. */
static inline bool syscall_is_running(const struct syscall_event *ev)
{
	return ev && container_of(ev, const struct thread_call, event)->running;
}

/*
 * Sets the common part of an event: the thread's ids and name, and the last syscall. Does not set
 * the times and the ABI.
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
 * Begins the event of the syscall that the thread is entering: sets its name, row and raw arguments
 * from tcb->regs. The only tracee memory read here is that of i386 arguments passed in memory. The
 * event is tcb->syscall, which is part of a struct thread_call. The tcb owns it and has one at a
 * time; the row lives as long as `rows`. syscall_begin_unknown() is for a thread whose registers
 * could not be read: the syscall is named "???" and has no arguments.
 */
struct syscall_event *syscall_begin(struct tcb *tcb, struct row_finder *rows);
struct syscall_event *syscall_begin_unknown(struct tcb *tcb);
/* Decodes the data known at the entry: the `in` values of the arguments of tcb->syscall. */
void syscall_decode_enter(struct tcb *tcb, const struct decode_config *config);
/*
 * Returns a VALUE_ARRAY of n descriptors of the thread, with the details of -y. The values are
 * allocated in the arena of tcb->syscall.
 */
struct value *syscall_describe_fds(struct tcb *tcb, const struct decode_config *config,
				   const int *fds, size_t n);
/*
 * For the arguments of tcb->syscall that only the exit can decode, shows the addresses instead, as
 * for an interrupted call. The caller restores the arguments before the exit is decoded.
 */
void syscall_assume_addresses(struct tcb *tcb, const struct decode_config *config);
/* Sets the result of tcb->syscall from tcb->regs. The syscall is then no longer running. */
void syscall_end(struct tcb *tcb);
/*
 * After syscall_end(): decodes the data known at the exit: `out` values, the result, and the notes
 * on the result.
 */
void syscall_decode_exit(struct tcb *tcb, const struct decode_config *config);
/*
 * Decodes the siginfo_t of the signal that has stopped the thread. Returns a value that is
 * allocated from arena. info has tracer's own ABI, as PTRACE_GETSIGINFO of ptrace(2) returns it.
 */
struct value *syscall_decode_siginfo(struct tcb *tcb, const struct decode_config *config,
				     struct arena *arena, const void *info);
/* Frees the values of tcb->syscall. Keeps the struct for the thread's next syscall. */
void syscall_finish(struct tcb *tcb);
/* Frees tcb->syscall after its thread has ended. */
void syscall_forget(struct tcb *tcb);

/*
 * Returns the number passed as the next argument of a row, from one register or two. *reg is the
 * index of the next register, 0 before the first argument, and is advanced.
 */
uint64_t syscall_arg(const struct syscall_event *ev, const struct arg_desc *a, unsigned *reg);
/* Returns the number of arguments of the syscall, or six if no row has its number. */
unsigned syscall_arg_count(const struct syscall_event *ev);

#endif
