/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The board for --tui: a list, in shared memory, of the threads that wait for locks or for the end
 * of other threads. The tracing process writes the board, and the process of the view reads it.
 */
#ifndef TRACER_SESSION_LOCK_BOARD_H
#define TRACER_SESSION_LOCK_BOARD_H

#include <stdatomic.h>
#include <sys/types.h>
#include <time.h>

#include "defs.h"

/* Maximum number of waits on the board. */
#define LOCK_BOARD_MAX 512

/* A thread that waits. `holder` and `joined` are as in struct snapshot; one of them is not 0. */
struct lock_wait {
	pid_t tid, holder, joined;
};

struct lock_board {
	atomic_bool wanted; /* true while the view of --tui shows the waits */
	atomic_uint n;
	struct lock_wait waits[LOCK_BOARD_MAX];
};

/* Returns an empty board, which child processes share, or NULL if no memory is available. */
struct lock_board *lock_board_create(void);
void lock_board_destroy(struct lock_board *b);
/*
 * Returns a copy of the wait of a thread. If the thread does not wait for a known thread, `tid` is
 * 0. The board may change at any time, so the result may be out of date.
 */
struct lock_wait lock_board_find(const struct lock_board *b, pid_t tid);

struct lock_watch;
struct session;

/*
 * Creates the object that updates the board. Never returns NULL. Free the result with
 * lock_watch_destroy().
 */
struct lock_watch *lock_watch_create(struct session *s);
void lock_watch_destroy(struct lock_watch *w);
/* Returns the time of CLOCK_MONOTONIC at which lock_watch_update() must be called. */
struct timespec lock_watch_deadline(const struct lock_watch *w);
/* Writes the board if the deadline has passed and the board is wanted. */
void lock_watch_update(struct lock_watch *w);

#endif
