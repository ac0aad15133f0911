/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads that exist at the position of reading, and which of them are reported. */
#ifndef TRACER_TRACE_PLAY_PLAYED_THREADS_H
#define TRACER_TRACE_PLAY_PLAYED_THREADS_H

#include "capture/capture.h"
#include "trace/format/stops.h"
#include "util/table.h"

struct played_thread {
	struct tcb tcb; /* must be first: the layers above have a pointer to it */
	struct stop_state state;
	bool begun;			     /* STOP_NEW was reported */
	bool chosen;			     /* it is reported */
	size_t kept;			     /* bytes kept for its current call */
	struct played_thread *newer, *older; /* by age */
	struct played_thread *dead_next;
};

/* {0} has no threads and reports all. */
struct played_threads {
	struct tcb like; /* initial content of the tcb of a new thread */
	const pid_t
		/* only threads and processes with these ids are reported */
		*ids;
	size_t nids; /* 0: all. Borrowed */
	struct table by_tid;
	size_t count;
	size_t kept; /* bytes kept for all current calls */
	struct played_thread *newest, *oldest, *dead;
};

void played_threads_deinit(struct played_threads *p);
/* Whether there are more threads than a valid file can have; then none may be added. */
bool played_threads_full(const struct played_threads *p);
/* Returns the thread with that id, or NULL. */
struct played_thread *played_threads_find(const struct played_threads *p, pid_t tid);
/* Adds a thread, whose id must be unused; flags are enum tcb_flag. */
struct played_thread *played_threads_add(struct played_threads *p, pid_t tid, unsigned flags);
/* Removes a thread. Its memory, with newer and older, stays valid until played_threads_free(). */
void played_threads_drop(struct played_threads *p, struct played_thread *t);
void played_threads_drop_all(struct played_threads *p);
/* Changes the id of a thread. */
void played_threads_rekey(struct played_threads *p, struct played_thread *t, pid_t tid);
/* Sets the bytes kept for a thread's current call and its stack. */
void played_threads_keep(struct played_threads *p, struct played_thread *t, size_t kept);
/* Approximate memory of all threads, here and in the layers above, in bytes. */
size_t played_threads_size(const struct played_threads *p);
/* Frees the removed threads. */
void played_threads_free(struct played_threads *p);
/* Whether the thread is reported. It remains so if its id changes. */
bool played_threads_chosen(const struct played_threads *p, struct played_thread *t);

#endif
