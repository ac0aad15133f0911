/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads that there are where a trace is read, and which of them are reported. */
#ifndef TRACER_TRACE_PLAY_PLAYED_THREADS_H
#define TRACER_TRACE_PLAY_PLAYED_THREADS_H

#include "capture/capture.h"
#include "trace/format/stops.h"
#include "util/table.h"

struct played_thread {
	struct tcb tcb; /* must be first: the layers above have a pointer to it */
	struct stop_state state;
	bool begun;			     /* STOP_NEW was reported */
	bool chosen;			     /* it is one of those that are reported */
	size_t kept;			     /* bytes of the call that it is in */
	struct played_thread *newer, *older; /* by age */
	struct played_thread *dead_next;
};

/* {0} has none, and reports all. */
struct played_threads {
	struct tcb like; /* what the tcb of a new thread begins with */
	const pid_t
		*ids; /* threads with these ids are reported, and those of processes with them */
	size_t nids;  /* 0: all. Borrowed */
	struct table by_tid;
	size_t count;
	size_t kept; /* bytes of the calls that threads are in */
	struct played_thread *newest, *oldest, *dead;
};

void played_threads_deinit(struct played_threads *p);
/* There are so many that a file that has more cannot be right: none may be added. */
bool played_threads_full(const struct played_threads *p);
/* The thread with that id, or NULL. */
struct played_thread *played_threads_find(const struct played_threads *p, pid_t tid);
/* A thread with an id that no other has; flags are enum tcb_flag. */
struct played_thread *played_threads_add(struct played_threads *p, pid_t tid, unsigned flags);
/* It is gone; its memory, with newer and older, stays until played_threads_free(). */
void played_threads_drop(struct played_threads *p, struct played_thread *t);
void played_threads_drop_all(struct played_threads *p);
/* It has another id from now on. */
void played_threads_rekey(struct played_threads *p, struct played_thread *t, pid_t tid);
/* A thread's call, with its stack, takes so many bytes now. */
void played_threads_keep(struct played_threads *p, struct played_thread *t, size_t kept);
/* Bytes of memory that all threads take here and in the layers above, about. */
size_t played_threads_size(const struct played_threads *p);
/* Frees those that are gone. */
void played_threads_free(struct played_threads *p);
/* Whether it is reported. One that was, still is when it gets another id. */
bool played_threads_chosen(const struct played_threads *p, struct played_thread *t);

#endif
