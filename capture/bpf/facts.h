/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Facts of an engine whose tracees run on while it reads of them: what the stream tells is answered
 * from it, everything else is asked of the running system at the time of reading.
 */
#ifndef TRACER_CAPTURE_BPF_FACTS_H
#define TRACER_CAPTURE_BPF_FACTS_H

#include "capture/facts.h"

struct pid_levels;
struct procfs;
struct socket_cache;
struct thread;
struct threads;

struct stream_facts {
	struct facts facts; /* pass this one to decoders */
	struct facts *live; /* borrowed */
	const struct threads *threads;
	const struct pid_levels *pids; /* borrowed */
	const struct procfs *procfs;   /* borrowed */
	struct socket_cache *sockets;  /* that records have told of */
	bool fds;		       /* records tell of descriptors */
	/*
	 * The record being reported: its thread, and its chunks of descriptors. At the return of a
	 * call, the chunks of its entry follow. NULL if there are none.
	 */
	pid_t tid;
	struct fd_chunks {
		const void *chunks;
		size_t size;
	} told[2];
};

void stream_facts_init(struct stream_facts *f, struct facts *live, const struct threads *threads,
		       const struct pid_levels *pids, const struct procfs *procfs, bool fds);
void stream_facts_deinit(struct stream_facts *f);

/*
 * The entry of a call of the thread is being told, or its return: what descriptors refer to is
 * among the size bytes of chunks, which are borrowed until the next of these calls. The thread
 * keeps for the return what the entry says.
 */
void stream_facts_enter(struct stream_facts *f, struct thread *t, const void *chunks, size_t size);
void stream_facts_leave(struct stream_facts *f, const struct thread *t, const void *chunks,
			size_t size);
/* Something else is being told, which says nothing of descriptors. */
void stream_facts_other(struct stream_facts *f);

#endif
