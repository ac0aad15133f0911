/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads that exist at the current read position, and which of them are reported. */
#ifndef TRACER_TRACE_PLAY_PLAYED_THREADS_H
#define TRACER_TRACE_PLAY_PLAYED_THREADS_H

#include "capture/capture.h"
#include "trace/format/stops.h"
#include "util/table.h"

struct played_thread {
	/*
	 * must be first: pointers to struct tcb are converted to pointers to struct played_thread
	 */
	struct tcb tcb;
	struct stop_state state;
	bool begun;  /* true if the thread's STOP_NEW has been reported */
	bool chosen; /* true if the thread's stops are reported */
	size_t kept; /* size in bytes of the data of the thread's current call */
	struct played_thread *newer, *older; /* the next newer and the next older thread, or NULL */
	struct played_thread *dead_next;
};

/*
 * The set of threads. Initially {0}, which means that there are no threads, and that all threads
 * that are added will be reported.
 */
struct played_threads {
	struct tcb like;  /* initial value for the tcb of each new thread */
	const pid_t *ids; /* ids of the threads and processes to report; borrowed */
	size_t nids;	  /* number of ids; 0 if all threads are reported */
	struct table by_tid;
	size_t count;
	size_t kept; /* size in bytes of the data of the current calls of all threads */
	struct played_thread *newest, *oldest, *dead;
};

void played_threads_deinit(struct played_threads *p);
/*
 * Returns true if there are as many threads as a valid file can contain. In this case, no thread
 * may be added.
 */
bool played_threads_full(const struct played_threads *p);
/* Returns the thread with this id, or NULL. */
struct played_thread *played_threads_find(const struct played_threads *p, pid_t tid);
/*
 * Adds a thread. No other thread in the set may have the id tid. `flags` are bits of enum tcb_flag.
 */
struct played_thread *played_threads_add(struct played_threads *p, pid_t tid, unsigned flags);
/*
 * Removes a thread. Its struct, including newer and older, stays valid until played_threads_free().
 */
void played_threads_drop(struct played_threads *p, struct played_thread *t);
void played_threads_drop_all(struct played_threads *p);
void played_threads_rekey(struct played_threads *p, struct played_thread *t, pid_t tid);
/* Sets the number of bytes used for a thread's current call and the stack of this call. */
void played_threads_keep(struct played_threads *p, struct played_thread *t, size_t kept);
/*
 * Returns the approximate memory usage of all threads in bytes, including the data that higher
 * layers store for them.
 */
size_t played_threads_size(const struct played_threads *p);
/* Frees the threads that were removed. */
void played_threads_free(struct played_threads *p);
/*
 * Returns true if the stops of the thread are reported. Once the result is true, it stays true even
 * if the thread's id changes.
 */
bool played_threads_chosen(const struct played_threads *p, struct played_thread *t);

#endif
