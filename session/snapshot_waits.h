/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For --snapshot, --live and --tui: finds the cause of a blocked call, such as the holder of a
 * lock, or the thread that the call waits for.
 */
#ifndef TRACER_SESSION_SNAPSHOT_WAITS_H
#define TRACER_SESSION_SNAPSHOT_WAITS_H

#include "event/event.h"
#include "util/mem.h"

struct memory;
struct session;
struct tcb;

/* The holder of a futex lock. It is cached because many threads may wait for the same lock. */
struct futex_wait {
	pid_t process; /* process of the waiting thread; 0 if nothing is cached yet */
	int number;    /* id of the holder in that process's pid namespace */
	bool anywhere; /* true if the holder may belong to another process */
	pid_t tid;     /* id of the holder in our pid namespace; 0 if unknown */
};

struct waits {
	struct session *session;
	struct futex_wait last;
	unsigned locks;		/* number of times that /proc/locks has been read */
	pid_t process;		/* the process to which `command` belongs */
	struct foreign command; /* command line of that process, in the arena */
	struct arena arena;
};

/*
 * Returns the command line of the thread's process; unset if unknown. The result is valid until
 * waits_deinit().
 */
struct foreign waits_command(struct waits *w, struct tcb *tcb);
/* Sets holder, joined and watched in *shot. tcb->syscall must already be decoded. */
void waits_find(struct waits *w, struct tcb *tcb, struct snapshot *shot);
/* Sets only shot->holder and shot->joined. The thread tcb may be running. m is its memory. */
void waits_find_holder(struct waits *w, struct tcb *tcb, struct memory *m, struct snapshot *shot);
void waits_deinit(struct waits *w);

#endif
