/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads that the engine knows, by their ids in our pid namespace and in the order of their
 * age. */
#ifndef TRACER_CAPTURE_BPF_THREADS_H
#define TRACER_CAPTURE_BPF_THREADS_H

#include "capture/capture.h"
#include "util/strbuf.h"
#include "util/table.h"

/* Flags of struct tcb that are this engine's own. */
enum {
	TCB_FRESH = TCB_ENGINE,	     /* STOP_NEW is to be reported */
	TCB_ENDED = TCB_ENGINE << 1, /* has ended, but other threads of its process go on */
	TCB_GONE = TCB_ENGINE << 2   /* out of the table, to be freed */
};

struct thread {
	struct tcb tcb; /* first, so that a tcb is a thread */
	struct thread *older, *newer;
	struct thread *leader; /* of its process, NULL: not known, or itself */
	uint64_t pid_ns;       /* as of capture/bpf/pid_levels.h; 0: not known */
	unsigned members;      /* of a leader: threads that have it as leader */
	int status;	       /* of TCB_ENDED */
	/*
	 * A signal that it ignores or is killed by, to be told when its call has returned; sig 0:
	 * none.
	 */
	siginfo_t ignored;
	struct strbuf fds; /* what the entry of its call says of descriptors: see facts.h */
	bool dying;	   /* by that one or one before: it gets no others */
	char comm[16];	   /* as the stream tells; tcb.comm is what was shown */
};

struct threads {
	struct table by_tid;
	struct thread *oldest, *newest, *gone;
	size_t n, fresh;
};

/* Frees all. */
void threads_deinit(struct threads *s);
/* The thread of that id, or NULL. */
struct thread *threads_find(const struct threads *s, pid_t tid);
/* A new one with these ids and flags; the rest is zero. tgid may be 0, unknown. */
struct thread *threads_add(struct threads *s, pid_t tid, pid_t tgid, unsigned flags);
/* Takes a thread out. It stays valid until threads_free_gone(). */
void threads_drop(struct threads *s, struct thread *t);
void threads_free_gone(struct threads *s);
/* The thread takes the place of the leader of its process, which was dropped. */
void threads_lead(struct threads *s, struct thread *t, pid_t tid);

#endif
