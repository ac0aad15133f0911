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
struct threads;

struct stream_facts {
	struct facts facts; /* pass this one to decoders */
	struct facts *live; /* borrowed */
	const struct threads *threads;
	const struct pid_levels *pids; /* borrowed */
	const struct procfs *procfs;   /* borrowed */
	struct socket_cache *sockets;  /* that records have told of */
	/* Of the record that is being told: whose it is, and its chunks, NULL if it has none. */
	pid_t tid;
	const void *chunks;
	size_t size;
};

void stream_facts_init(struct stream_facts *f, struct facts *live, const struct threads *threads,
		       const struct pid_levels *pids, const struct procfs *procfs);
void stream_facts_deinit(struct stream_facts *f);

#endif
