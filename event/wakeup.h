/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event that ended a wait. It woke a thread that was blocked in a syscall. */
#ifndef TRACER_EVENT_WAKEUP_H
#define TRACER_EVENT_WAKEUP_H

#include "defs.h"

struct stack;

/* The causes, each with its name in text and JSON. */
#define WAKE_CAUSES(X)                                                                             \
	X(FUTEX, "futex")     /* FUTEX_WAKE or a similar operation on the same futex */            \
	X(PIPE, "pipe")	      /* the other end of a pipe was read, written or closed */            \
	X(SOCKET, "socket")   /* the other end of a socket pair or connection within the run was   \
				 read, written or closed */                                        \
	X(EVENTFD, "eventfd") /* an eventfd was written or read */                                 \
	X(CHILD, "child")     /* a child process ended or, for vfork(2), called execve */          \
	X(THREAD, "thread")   /* the thread that pthread_join(3) was waiting for ended */          \
	X(SIGNAL, "signal")   /* a signal interrupted the call, or the call was waiting for the    \
				 signal */                                                         \
	X(LOCK, "lock")	      /* a file lock was released */                                       \
	X(URING, "io_uring")  /* a request of an io_uring completed */                             \
	X(KERNEL, "kernel")   /* a thread in the kernel, for a reason that is not listed here,     \
				 such as the release of a lock of the kernel */                    \
	X(TIMER, "timer")     /* the requested time passed */                                      \
	X(OUTSIDE, "outside") /* the disk, the network or a process that is not traced */

enum wake_cause {
#define CAUSE(id, name) WAKE_##id,
	WAKE_CAUSES(CAUSE)
#undef CAUSE
};

const char *wake_cause_name(enum wake_cause cause);

struct wakeup {
	enum wake_cause cause;
	bool inferred;	  /* true if derived from the order of calls, false if reported by the
			     kernel */
	pid_t tid, tgid;  /* the thread that ended the wait, and its process; 0 if unknown or if no
			     thread did */
	char comm[16];	  /* that thread's name; ends at a NUL or at the end of the array */
	const char *call; /* the syscall with which that thread ended the wait, or NULL */
	struct stack *stack; /* with -k, if reported by the kernel: the thread's stack, or NULL */
	int64_t at; /* time at which the wait ended (CLOCK_MONOTONIC in nanoseconds), before
		       the return of the waiting call */
};

#endif
