/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sinks of a run, and the times at which their buffers are flushed. */
#ifndef TRACER_SESSION_FEED_H
#define TRACER_SESSION_FEED_H

#include "sinks/sink.h"

struct options;
struct unwinder;

/* {0} has no sinks. */
struct feed {
	struct sink *sinks[2]; /* the log, and the summary or the report of descriptors */
	unsigned n;
	unsigned wants;		  /* what any of them wants: bits of enum sink_wants */
	bool names_like_strace;	  /* -Y: read threads' names only when strace does */
	uint64_t events;	  /* number of events given to the sinks */
	bool dirty;		  /* there were events since the last flush */
	struct timespec flush_at; /* if dirty: time of the next flush, CLOCK_MONOTONIC */
};

/* Makes the sinks that the options ask for. false: none was made; after one message. */
bool feed_open(struct feed *f, const struct options *o);
/* Stacks are given to the sinks from now on: unwinder names them. Borrowed until feed_close(). */
void feed_name_stacks(struct feed *f, struct unwinder *unwinder);
/* What is buffered reaches the files. 0, or -errno. */
int feed_flush(struct feed *f);
/*
 * With --last: writes the events that are kept, and says so unless quiet. why is what made us do
 * so: "SIGUSR1".
 */
void feed_write_kept(struct feed *f, bool quiet, const char *why);
/* How many bytes the sinks keep until the end, to write them then. */
uint64_t feed_unwritten(const struct feed *f);
/* Whether all sinks are unwatched: they may be told of a call after its thread has gone on. */
bool feed_unwatched(const struct feed *f);
/* The last lines; closes and frees the sinks. 0, or -errno of a write that failed. */
int feed_close(struct feed *f);
/* All that are traced from the start have begun. */
void feed_started(struct feed *f);

/* Something was given to the sinks for the first time since they were flushed. */
void feed_dirtied(struct feed *f);

/* Calls op of all sinks that have it. */
#define FEED(f, op, ...)                                                                           \
	do {                                                                                       \
		for (unsigned feed_i = 0; feed_i < (f)->n; feed_i++) {                             \
			struct sink *feed_sink = (f)->sinks[feed_i];                               \
			if (feed_sink->ops->op)                                                    \
				feed_sink->ops->op(feed_sink, __VA_ARGS__);                        \
		}                                                                                  \
		(f)->events++;                                                                     \
		if (!(f)->dirty)                                                                   \
			feed_dirtied(f);                                                           \
	} while (0)

#endif
