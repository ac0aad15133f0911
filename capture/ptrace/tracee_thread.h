/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One thread as this engine has it, for tracee*.c alone. */
#ifndef TRACER_TRACEE_THREAD_H
#define TRACER_TRACEE_THREAD_H

#include "capture/capture.h"
#include "capture/memory.h"

struct run_list;
struct tracees;

/* struct tcb's flags that only this engine has. */
enum tracee_flag {
	TCB_STOPPED = TCB_ENGINE << 0,	  /* in a ptrace stop: registers and memory may be read */
	TCB_GROUP_STOP = TCB_ENGINE << 1, /* in a group-stop, listening for SIGCONT */
	TCB_SECCOMP = TCB_ENGINE << 2,	  /* a seccomp filter of ours sees its syscalls first */
	TCB_NEW = TCB_ENGINE << 3,	  /* its first stop is still to come */
	TCB_DEAD = TCB_ENGINE << 4,	  /* no longer exists, or vanished mid-stop */
	TCB_PEEK = TCB_ENGINE << 5,   /* process_vm_readv() is not permitted: memory is peeked */
	TCB_QUEUED = TCB_ENGINE << 6, /* a stop of it is fetched and still to be told */
	TCB_ORPHAN = TCB_ENGINE << 7  /* seen before its parent's fork event: not told yet */
};

struct tracee {
	struct tcb tcb; /* what other layers know of it; first, see tracee_of() */
	struct tracees *set;
	struct memory live_memory;	    /* see tracee_mem.h */
	struct tracee *hash_next;	    /* with the same hash of the tid */
	struct tracee *all_next, *all_prev; /* the next older one, the next newer one */
	struct tracee *queue_next, *queue_prev;
	struct tracee *run_next, *run_prev;
	struct run_list *run_list; /* NULL: not running */
	uint8_t spin_score[2];	   /* tracee_spin.c: outside syscalls, inside of them */
	unsigned spin_misses;
	int wait_status;	  /* of the stop that is queued */
	int deferred;		  /* of a stop to be told instead of the next resume, or 0 */
	unsigned long ptrace_msg; /* PTRACE_GETEVENTMSG, where the event has one */
};

/* The whole of which tcb is the part that other layers know. */
static inline struct tracee *tracee_of(const struct tcb *tcb)
{
	return (struct tracee *)tcb;
}

/* One word of memory, at any address; 0 or -errno. */
int tracee_peek(const struct tcb *tcb, uint64_t addr, unsigned long *word);
int tracee_poke(const struct tcb *tcb, uint64_t addr, unsigned long word);

#endif
