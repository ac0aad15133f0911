/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads that exist at the read position, and which of them are reported. */
#ifndef TRACER_TRACE_PLAY_PLAYED_THREADS_H
#define TRACER_TRACE_PLAY_PLAYED_THREADS_H

#include "capture/capture.h"
#include "trace/format/stops.h"
#include "util/table.h"

struct played_thread {
	struct tcb tcb; /* must be first, because a struct tcb is converted to a struct
			   played_thread */
	struct stop_state state;
	bool begun;			     /* STOP_NEW has been reported */
	bool chosen;			     /* its stops are reported */
	size_t kept;			     /* memory used for its current call, in bytes */
	struct played_thread *newer, *older; /* the threads added after and before it, or NULL */
	struct played_thread *dead_next;
};

/* {0} has no threads and reports all that are added. */
struct played_threads {
	struct tcb like;  /* initial value of the tcb of new threads */
	const pid_t *ids; /* ids of the threads and processes to report; borrowed */
	size_t nids;	  /* number of ids; 0 if all threads are reported */
	struct table by_tid;
	size_t count;
	size_t kept; /* memory used for all current calls, in bytes */
	struct played_thread *newest, *oldest, *dead;
};

void played_threads_deinit(struct played_threads *p);
/*
 * Returns whether the number of threads has reached the maximum of a valid file. If so, none may be
 * added.
 */
bool played_threads_full(const struct played_threads *p);
/* Returns the thread with this id, or NULL. */
struct played_thread *played_threads_find(const struct played_threads *p, pid_t tid);
/* Adds a thread. No other thread may have this id. flags are bits of enum tcb_flag. */
struct played_thread *played_threads_add(struct played_threads *p, pid_t tid, unsigned flags);
/*
 * Removes a thread. Its memory, including newer and older, stays valid until played_threads_free().
 */
void played_threads_drop(struct played_threads *p, struct played_thread *t);
void played_threads_drop_all(struct played_threads *p);
/* Changes the id of a thread. */
void played_threads_rekey(struct played_threads *p, struct played_thread *t, pid_t tid);
/* Sets the number of bytes that are used for a thread's current call and its stack. */
void played_threads_keep(struct played_threads *p, struct played_thread *t, size_t kept);
/* Returns the approximate memory usage of all threads in bytes, here and in the layers above. */
size_t played_threads_size(const struct played_threads *p);
/* Frees the removed threads. */
void played_threads_free(struct played_threads *p);
/* Returns whether the thread is reported. This does not change if its id changes. */
bool played_threads_chosen(const struct played_threads *p, struct played_thread *t);

#endif
