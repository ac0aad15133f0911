/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Facts for an engine whose tracees keep running. Questions are answered from the recorded data if
 * possible. Otherwise the live system answers when the question is asked.
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
	struct facts facts; /* the interface that decoders use */
	struct facts *live; /* answers from the running system; borrowed */
	const struct threads *threads;
	const struct pid_levels *pids; /* ids of threads in all pid namespaces; borrowed */
	const struct procfs *procfs;   /* the mount of /proc that is read; borrowed */
	struct socket_cache *sockets;  /* sockets that earlier records have described */
	bool fds;		       /* true if the engine records descriptors */
	/*
	 * The thread of the current record. recorded[0] contains the record's descriptor chunks, or
	 * NULL. At the return of a call, recorded[1] contains the descriptor chunks from the entry
	 * of the call.
	 */
	pid_t tid;
	struct fd_chunks {
		const void *chunks;
		size_t size;
	} recorded[2];
};

void stream_facts_init(struct stream_facts *f, struct facts *live, const struct threads *threads,
		       const struct pid_levels *pids, const struct procfs *procfs, bool fds);
void stream_facts_deinit(struct stream_facts *f);

/*
 * Must be called when the entry or the return of a call is reported. `chunks` has `size` bytes and
 * contains the call's descriptors. `chunks` is borrowed until one of these functions is called
 * again. At an entry, the thread keeps a copy of the chunks until the return.
 */
void stream_facts_enter(struct stream_facts *f, struct thread *t, const void *chunks, size_t size);
void stream_facts_leave(struct stream_facts *f, const struct thread *t, const void *chunks,
			size_t size);
/*
 * Must be called when a STOP_REQUEST_* of thread tid is reported. `chunks` is borrowed until one of
 * these functions is called again. No copy is kept.
 */
void stream_facts_request(struct stream_facts *f, pid_t tid, const void *chunks, size_t size);
/* Must be called when an event other than a call is reported. Such events have no descriptors. */
void stream_facts_other(struct stream_facts *f);

#endif
