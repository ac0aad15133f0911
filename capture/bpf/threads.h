/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The threads that the engine knows. They are in a table by their ids in our pid namespace, and in
 * a list ordered by age.
 */
#ifndef TRACER_CAPTURE_BPF_THREADS_H
#define TRACER_CAPTURE_BPF_THREADS_H

#include "capture/capture.h"
#include "util/strbuf.h"
#include "util/table.h"

/* Flags of struct tcb that only this engine uses. */
enum {
	TCB_UNREPORTED = TCB_ENGINE, /* the thread's STOP_NEW has not been reported yet */
	TCB_ENDED = TCB_ENGINE << 1, /* the thread has ended, but other threads of its process still
					run */
	TCB_GONE = TCB_ENGINE << 2   /* the thread was removed from the table and waits to be
					freed */
};

struct thread {
	/* must be first: pointers to struct tcb are converted to pointers to struct thread */
	struct tcb tcb;
	struct thread *older, *newer;
	struct thread *leader; /* the leader of the thread's process; NULL if this thread is the
				  leader, or if the leader is unknown */
	uint64_t pid_ns;       /* the thread's pid namespace, see capture/bpf/pid_levels.h; 0 if
				  unknown */
	unsigned members;      /* for a leader: number of other threads in its process */
	int status;	       /* wait status, if TCB_ENDED is set */
	/*
	 * A signal that the thread ignores or that kills it, to be reported after the thread's
	 * current call has returned. si_signo is 0 if there is none.
	 */
	siginfo_t ignored;
	struct strbuf fds; /* the descriptor chunks from the entry of the current call, see
			      facts.h */
	/* time at which tracer attached to the thread (CLOCK_MONOTONIC), in nanoseconds */
	uint64_t attached;
	/*
	 * time at which the thread was found to be gone (CLOCK_MONOTONIC, in nanoseconds), or 0 if
	 * it was not
	 */
	uint64_t gone_at;
	/*
	 * true if the thread is still in a call that began before tracing; this call is reported
	 * when tracing ends
	 */
	bool in_old_call;
	bool dying; /* true if a signal is killing the thread, so further ignored signals are
		       dropped */
	/* the thread's name according to the records; tcb.comm is the name in the last output */
	char comm[16];
};

struct threads {
	struct table by_tid;
	struct thread *oldest, *newest, *gone;
	size_t n, nunreported;
};

/* Frees all threads. */
void threads_deinit(struct threads *s);
/* Returns the thread with this id, or NULL. */
struct thread *threads_find(const struct threads *s, pid_t tid);
/*
 * Adds a thread with these ids and flags, and returns it. All other members of its tcb are zero.
 * Pass 0 as tgid if the tgid is unknown.
 */
struct thread *threads_add(struct threads *s, pid_t tid, pid_t tgid, unsigned flags);
/* Removes a thread. The pointer stays valid until threads_free_gone(). */
void threads_drop(struct threads *s, struct thread *t);
void threads_free_gone(struct threads *s);
/*
 * Makes a thread the leader of its process and changes its id to tid. The former leader must have
 * been removed with threads_drop().
 */
void threads_make_leader(struct threads *s, struct thread *t, pid_t tid);

#endif
