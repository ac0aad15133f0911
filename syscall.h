/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Creates the event of a syscall from a thread's stops. Finds the syscall's row in the tables, and
 * decodes the arguments and the result. Decides which arguments to decode at entry and which at
 * exit.
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

/* A thread's syscall: the event, and the data from the entry that is needed at the exit. */
struct thread_call {
	struct syscall_event event;
	struct decode_state state;
	bool args_known; /* true if all arguments were decoded at entry */
	bool running;	 /* true if the syscall has started but not ended */
};

/*
 * Returns true if the syscall of an event has started but not ended. ev may be NULL (no syscall
 * yet).
 */
static inline bool syscall_is_running(const struct syscall_event *ev)
{
	return ev && container_of(ev, const struct thread_call, event)->running;
}

/*
 * Sets the members of *e that identify the thread: its ids, its name, and the syscall number and
 * instruction pointer in its registers.
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
 * Returns the name of a syscall number: "openat", "openat#64" (abi_is_foreign()) or
 * "syscall_0xbeef". `row` is the result of abi_row() for this number, or -1 if abi is NULL. The
 * result may be allocated in the arena.
 */
const char *syscall_name(struct arena *arena, const struct abi *abi, uint64_t nr, int row);
/*
 * Starts the event of the syscall that the thread is entering: sets its name, row and raw arguments
 * from tcb->regs. Reads no tracee memory, except for i386 arguments that are passed in memory. The
 * event is stored as tcb->syscall, inside a struct thread_call that the tcb owns. The event's row
 * is valid as long as `rows` exists. If the registers of the thread could not be read, call
 * syscall_begin_unknown() instead: the syscall then has the name "???" and no arguments.
 */
struct syscall_event *syscall_begin(struct tcb *tcb, struct row_finder *rows);
struct syscall_event *syscall_begin_unknown(struct tcb *tcb);
/*
 * Does the same as syscall_begin() for an io_uring request that corresponds to the syscall in
 * `row`. args are the request's arguments, in the order of that syscall. tcb->regs are the
 * registers of the call that submitted the request.
 */
struct syscall_event *syscall_begin_request(struct tcb *tcb, struct row_finder *rows, unsigned row,
					    const uint64_t args[SYSCALL_ARGS_MAX]);
/* Decodes everything that is known at entry: the members `in` of tcb->syscall's arguments. */
void syscall_decode_enter(struct tcb *tcb, const struct decode_config *config);
/*
 * Returns a VALUE_ARRAY of n descriptors of the thread, with the details of -y. The values are
 * allocated in the arena of tcb->syscall.
 */
struct value *syscall_describe_fds(struct tcb *tcb, const struct decode_config *config,
				   const int *fds, size_t n);
/*
 * For a report about a call that is still running: shows the address in place of each argument of
 * tcb->syscall that can be decoded only at exit. The caller must restore the arguments before the
 * exit is decoded.
 */
void syscall_assume_addresses(struct tcb *tcb, const struct decode_config *config);
/* Sets the result of tcb->syscall from tcb->regs. */
void syscall_end(struct tcb *tcb);
/*
 * Decodes everything that is known at exit: the members `out` of arguments, the result, and the
 * notes on the result. Must be called after syscall_end().
 */
void syscall_decode_exit(struct tcb *tcb, const struct decode_config *config);
/*
 * Decodes the siginfo_t of the signal that stopped the thread. info has the layout of tracer's own
 * ABI, as PTRACE_GETSIGINFO of ptrace(2) returns it. The result is allocated from arena.
 */
struct value *syscall_decode_siginfo(struct tcb *tcb, const struct decode_config *config,
				     struct arena *arena, const void *info);
/*
 * Marks tcb->syscall as not running and frees its values, but keeps the struct for the thread's
 * next syscall.
 */
void syscall_finish(struct tcb *tcb);
/* Frees tcb->syscall after its thread has ended. */
void syscall_forget(struct tcb *tcb);

/*
 * Returns the value of the argument a, which is in one or two registers. Must be called for the
 * arguments of a row in order. On entry, *reg is the index of the next argument register, 0 for the
 * first argument. On return, *reg is the index after the argument.
 */
uint64_t syscall_arg(const struct syscall_event *ev, const struct arg_desc *a, unsigned *reg);
/*
 * Returns the number of registers in which the syscall has arguments, or SYSCALL_ARGS_MAX if its
 * number is not in the tables.
 */
unsigned syscall_arg_count(const struct syscall_event *ev);

#endif
