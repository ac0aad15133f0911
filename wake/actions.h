/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls that can wait for an event, cause an event for which others wait, or connect
 * descriptors.
 */
#ifndef TRACER_WAKE_ACTIONS_H
#define TRACER_WAKE_ACTIONS_H

#include "defs.h"

enum action {
	NOTHING,
	READS,
	WRITES,
	CLOSES,
	POLLS,
	SELECTS,
	EPOLL_WAITS,
	EPOLL_CTL,
	ACCEPTS,
	CONNECTS,
	PAIRS, /* creates a pair of connected sockets */
	FUTEX,
	REAPS,	    /* waits for a child and returns its id */
	REAPS_INFO, /* waits for a child and stores its id in a siginfo_t */
	CREATES,    /* vfork(2), or another call that may suspend the caller like vfork(2) */
	SLEEPS,
	SUSPENDS,     /* waits for a signal */
	KILLS,	      /* sends a signal to the process or thread given by the first argument */
	KILLS_THREAD, /* sends a signal to the thread given by the second argument */
	EXITS,
	EXECS,
	FLOCK,
	FCNTL,
	COMPLETES, /* waits for completions of an io_uring */
};

/*
 * The calls that must be traced to find the causes of wake-ups, in the syntax of -e trace=. The
 * values of their descriptors must contain the details FD_PATH, FD_SOCKET and FD_EVENTFD
 * (decode/core/config.h).
 */
extern const char wake_calls[];

/*
 * Returns an array that contains a value of enum action for each row of syscall_descs. Never
 * returns NULL. The caller must free it.
 */
uint8_t *actions_create(void);

#endif
