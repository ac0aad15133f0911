/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of a wait: what woke a thread that was blocked in a syscall. */
#ifndef TRACER_EVENT_WAKEUP_H
#define TRACER_EVENT_WAKEUP_H

#include "defs.h"

/* The causes. Text and JSON show the lower-case name. */
#define WAKE_CAUSES(X)                                                                             \
	X(FUTEX, "futex")     /* FUTEX_WAKE or a similar operation on the same word */             \
	X(PIPE, "pipe")	      /* the other end of a pipe was read, written or closed */            \
	X(SOCKET, "socket")   /* the same for a socket pair or a connection within the run */      \
	X(EVENTFD, "eventfd") /* an eventfd was written or read */                                 \
	X(CHILD, "child")     /* a child process ended or, for vfork(2), called execve */          \
	X(THREAD, "thread")   /* a thread ended for which pthread_join(3) waited */                \
	X(SIGNAL, "signal")   /* a signal interrupted the call, or was waited for */               \
	X(LOCK, "lock")	      /* a file lock was released */                                       \
	X(TIMER, "timer")     /* the requested time had passed */                                  \
	X(OUTSIDE, "outside") /* the disk, the network or a process that is not traced */

enum wake_cause {
#define CAUSE(id, name) WAKE_##id,
	WAKE_CAUSES(CAUSE)
#undef CAUSE
};

const char *wake_cause_name(enum wake_cause cause);

struct wakeup {
	enum wake_cause cause;
	bool inferred;	  /* derived from the order of calls; not reported by the kernel */
	pid_t tid, tgid;  /* the thread that ended the wait; 0 if unknown or if there is none */
	char comm[16];	  /* its name; ends at a NUL or at the end of the array */
	const char *call; /* its syscall that ended the wait, or NULL */
	int64_t at;	  /* time of that (CLOCK_MONOTONIC in ns): within the call that waited */
};

#endif
