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
/* Writes buffered data to the files. Returns 0 or -errno. */
int feed_flush(struct feed *f);
/*
 * With --last: writes the kept events and, unless quiet, reports it. why is the trigger, such as
 * "SIGUSR1".
 */
void feed_write_kept(struct feed *f, bool quiet, const char *why);
/* Returns how many bytes the sinks keep to write at the end. */
uint64_t feed_unwritten(const struct feed *f);
/* Whether all sinks are unwatched: then they may get a call after its thread has continued. */
bool feed_unwatched(const struct feed *f);
/* Writes the last lines, closes and frees the sinks. Returns 0, or -errno of a failed write. */
int feed_close(struct feed *f);
/* To be called once all initial threads have begun. */
void feed_started(struct feed *f);

/* Called at the first event since the last flush. */
void feed_dirtied(struct feed *f);

/* Counts something that was given to the sinks. */
static inline void feed_count(struct feed *f)
{
	f->events++;
	if (!f->dirty)
		feed_dirtied(f);
}

/* Gives an event to all sinks. */
static inline void feed_event(struct feed *f, const struct event *e)
{
	for (unsigned i = 0; i < f->n; i++)
		f->sinks[i]->ops->event(f->sinks[i], e);
	feed_count(f);
}

/* A thread is traced from now on, is not traced any more, or has another id: struct sink_ops. */
void feed_thread_begin(struct feed *f, const struct event *e);
void feed_thread_end(struct feed *f, const struct event *e);
void feed_thread_moved(struct feed *f, const struct event *e, pid_t from);

#endif
