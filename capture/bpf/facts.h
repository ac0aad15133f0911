/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Facts for an engine whose tracees keep running. Questions are answered from the recorded data if
 * possible, and otherwise by the live system at the time of the question.
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
	struct facts facts; /* pass this to decoders */
	struct facts *live; /* borrowed */
	const struct threads *threads;
	const struct pid_levels *pids; /* borrowed */
	const struct procfs *procfs;   /* borrowed */
	struct socket_cache *sockets;  /* sockets described by earlier records */
	bool fds;		       /* the records describe descriptors */
	/*
	 * The thread and the descriptor chunks of the record that is being reported, or NULL. At
	 * the return of a call, the second element contains the chunks of its entry.
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
 * Must be called when the entry or the return of a call is reported. The size bytes at chunks
 * describe the call's descriptors. They are borrowed until one of these functions is called again.
 * The thread keeps a copy of the entry's chunks for the return.
 */
void stream_facts_enter(struct stream_facts *f, struct thread *t, const void *chunks, size_t size);
void stream_facts_leave(struct stream_facts *f, const struct thread *t, const void *chunks,
			size_t size);
/* Must be called when an event other than a call is reported. Such events have no descriptors. */
void stream_facts_other(struct stream_facts *f);

#endif
