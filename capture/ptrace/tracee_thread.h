/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread of the ptrace engine, private to tracee*.c. */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_THREAD_H
#define TRACER_CAPTURE_PTRACE_TRACEE_THREAD_H

#include "capture/capture.h"
#include "capture/memory.h"

struct guard;
struct run_list;
struct tracees;

/* Flags of struct tcb that only this engine uses. */
enum tracee_flag {
	TCB_STOPPED = TCB_ENGINE << 0,	  /* the thread is in a ptrace stop, so its registers and
					     memory may be read */
	TCB_GROUP_STOP = TCB_ENGINE << 1, /* the thread is in a group-stop and listens for
					     SIGCONT */
	TCB_SECCOMP = TCB_ENGINE << 2,	  /* the thread runs with our seccomp filter */
	TCB_NEW = TCB_ENGINE << 3,	  /* the thread's first stop has not been reported yet */
	TCB_DEAD = TCB_ENGINE << 4,	  /* the thread was removed from the set of tracees */
	TCB_PEEK = TCB_ENGINE << 5, /* process_vm_readv() is refused, so PTRACE_PEEKDATA is used */
	TCB_QUEUED = TCB_ENGINE << 6, /* a stop of the thread was fetched and has not been reported
					 yet */
	/*
	 * The thread stopped before its parent's fork event arrived, so its stop has not been
	 * reported yet.
	 */
	TCB_ORPHAN = TCB_ENGINE << 7
};

struct tracee {
	struct tcb tcb; /* must be first, see tracee_of(); the layers above have a pointer to this
			   member */
	struct tracees *set;
	struct memory live_memory; /* the thread's memory, see tracee_mem.h */
	struct guard *guard;	   /* the guard of the set of tracees, see tracee_guard.h */
	struct tracee *hash_next;  /* next tracee in the same bucket of the hash table */
	/* all_next is the next older tracee, all_prev the next newer one. */
	struct tracee *all_next, *all_prev;
	struct tracee *queue_next, *queue_prev; /* used while TCB_QUEUED is set */
	struct tracee *run_next, *run_prev;	/* links in the list `run_list` */
	struct run_list *run_list;		/* the list that contains the thread; NULL if the
						   thread is not running */
	uint8_t spin_score[2]; /* scores for tracee_spin.c: outside of syscalls, inside a syscall */
	/* number of unsuccessful polls since the last stop (tracee_spin.c) */
	unsigned spin_misses;
	/*
	 * The difference between tcb.cpu_us and the time that cpu_clock_read() returns, in
	 * microseconds. 0 until the first reading.
	 */
	uint64_t cpu_offset;
	int wait_status; /* status of the queued stop, as wait4(2) returned it */
	/* wait status to report at the next resume instead of resuming the thread, or 0 */
	int deferred;
	/*
	 * True if the thread was sleeping in the call in tcb.regs when tracer attached. Valid until
	 * the first stop.
	 */
	bool slept;
	unsigned long ptrace_msg; /* result of PTRACE_GETEVENTMSG for the stop, if its event has a
				     message */
};

/* Returns the tracee that contains tcb. */
static inline struct tracee *tracee_of(const struct tcb *tcb)
{
	return (struct tracee *)tcb;
}

/*
 * These functions read and write one word of memory at any address. They return 0 or -errno.
 * Defined in tracee_regs.c.
 */
int tracee_peek(const struct tcb *tcb, uint64_t addr, unsigned long *word);
int tracee_poke(const struct tcb *tcb, uint64_t addr, unsigned long word);

#endif
