/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Facts for an engine whose tracees keep running: questions are answered from the recorded stream
 * if possible, otherwise by the live system at the time of reading.
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
	struct facts facts; /* the facts to give to decoders */
	struct facts *live; /* borrowed */
	const struct threads *threads;
	const struct pid_levels *pids; /* borrowed */
	const struct procfs *procfs;   /* borrowed */
	struct socket_cache *sockets;  /* sockets described by earlier records */
	bool fds;		       /* records describe descriptors */
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
 * To be called when the entry or the return of a call is reported. Descriptors are described in the
 * size bytes of chunks, which are borrowed until the next of these calls. The thread keeps the
 * description of the entry for the return.
 */
void stream_facts_enter(struct stream_facts *f, struct thread *t, const void *chunks, size_t size);
void stream_facts_leave(struct stream_facts *f, const struct thread *t, const void *chunks,
			size_t size);
/* To be called when another event is reported, which does not describe descriptors. */
void stream_facts_other(struct stream_facts *f);

#endif
