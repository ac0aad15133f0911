/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The session's state of a traced thread, private to session/. */
#ifndef TRACER_SESSION_THREAD_H
#define TRACER_SESSION_THREAD_H

#include "capture/capture.h"
#include "event/event.h"
#include "linux/syscall_desc.h"
#include "tamper/untraced.h"
#include "wake/wakes.h"

struct thread {
	/* The state of the current or last call. It is reset when a call begins. */
	bool hidden;	  /* true if the filters have dropped the call */
	bool entered;	  /* true if the entry was passed to the sinks */
	bool blocked;	  /* true if --blocked has reported this call */
	bool memory_seen; /* true if a filter has read memory to which the arguments point */
	/* true if the call may be the continuation of the previous call, which was interrupted */
	bool resumes;
	uint64_t last_nr; /* number of the previous call */
	/*
	 * for --blocked: time at which the call was first entered (CLOCK_MONOTONIC in nanoseconds);
	 * 0 if unknown
	 */
	int64_t began;
	/* Number of the last call before the current one that was not restart_syscall(2). */
	uint64_t resumed_nr;

	/* State that is kept when the thread begins a new call. */
	bool failed; /* true if the last call that the filters did not drop has failed */
	uint8_t abi; /* index of the ABI of the thread's last call; a new thread inherits it */
	struct untraced untraced;
	struct wake_thread wake;
	/*
	 * The stacks of the thread that last woke this one, and of the thread that ended the
	 * longest sleep of the current call; NULL if unknown.
	 */
	struct stack *waking_stack, *waker_stack;
	/* The stack of the last call, until the next call begins. NULL if it is not kept. */
	struct stack *ended_stack;
	/* For emit_program(): paths of the program and the control group; NULL if unknown. */
	char *exe, *cgroup;
	bool knows_program; /* true if both paths have been looked up since the last execve */
};

/*
 * Returns the session's state of a thread. The first call for the thread creates the state, and
 * thread_forget() frees it.
 */
static inline struct thread *thread_of(struct tcb *tcb)
{
	if (unlikely(!tcb->session))
		tcb->session = mem_zalloc(sizeof(*tcb->session));
	return tcb->session;
}

/*
 * Resets the state of the last call, and returns the state of the thread. Must be called before
 * syscall_begin().
 */
static inline struct thread *thread_begins_call(struct tcb *tcb)
{
	struct thread *t = thread_of(tcb);

	t->hidden = t->entered = t->blocked = t->memory_seen = false;
	t->wake.sleeps = (struct sleeps){0};
	t->resumes = tcb->syscall && tcb->syscall->base.ret_kind == RET_RESTART;
	t->last_nr = tcb->syscall ? tcb->syscall->base.nr : 0;
	if (tcb->syscall && tcb->syscall->row != ROW_restart_syscall)
		t->resumed_nr = t->last_nr;
	return t;
}

#endif
