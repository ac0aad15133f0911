/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sinks of a run, and the times at which their buffers are flushed. */
#ifndef TRACER_SESSION_FEED_H
#define TRACER_SESSION_FEED_H

#include "sinks/sink.h"

struct options;
struct unwinder;

/* {0} has no sinks. */
struct feed {
	/*
	 * The log and, if requested, one of the summary, the descriptor report or the critical
	 * path. (Options allow only one of these.)
	 */
	struct sink *sinks[2];
	unsigned n;
	unsigned wants;		  /* needs of all sinks combined: bits of enum sink_wants */
	bool names_like_strace;	  /* for -Y: read thread names only at the times at which strace
				     reads them */
	uint64_t events;	  /* number of events given to the sinks */
	bool dirty;		  /* events have been passed since the last flush */
	struct timespec flush_at; /* if dirty, the time of the next flush (CLOCK_MONOTONIC) */
};

/*
 * Creates the sinks that the options select. On failure, returns false after one message, and there
 * are no sinks.
 */
bool feed_open(struct feed *f, const struct options *o);
/*
 * Gives the sinks the unwinder that names frames. Must be called before they receive stacks. The
 * unwinder is borrowed until feed_close().
 */
void feed_name_stacks(struct feed *f, struct unwinder *unwinder);
/* Writes buffered data to the files. Returns 0 or -errno. */
int feed_flush(struct feed *f);
/*
 * With --last, writes the kept events and, unless quiet, prints a message. `why` is the trigger,
 * such as "SIGUSR1".
 */
void feed_write_kept(struct feed *f, bool quiet, const char *why);
/* Returns the number of bytes that the sinks will not write before the end. */
uint64_t feed_unwritten(const struct feed *f);
/*
 * Returns whether all sinks have `unwatched` set, so that a call may be passed to them after its
 * thread was resumed.
 */
bool feed_unwatched(const struct feed *f);
/*
 * Writes the last lines, then closes and frees the sinks. Returns 0, or -errno of a failed write.
 */
int feed_close(struct feed *f);
/* Must be called once all initial threads have begun. */
void feed_started(struct feed *f);

/* Must be called at the first event after a flush. Called by feed_count(). */
void feed_dirtied(struct feed *f);

/* Counts an event that was passed to the sinks. */
static inline void feed_count(struct feed *f)
{
	f->events++;
	if (!f->dirty)
		feed_dirtied(f);
}

/* Passes an event to all sinks. */
static inline void feed_event(struct feed *f, const struct event *e)
{
	for (unsigned i = 0; i < f->n; i++)
		f->sinks[i]->ops->event(f->sinks[i], e);
	feed_count(f);
}

/*
 * Must be called when a thread is newly traced, is no longer traced, or has changed its id; see
 * struct sink_ops.
 */
void feed_thread_begin(struct feed *f, const struct event *e);
void feed_thread_end(struct feed *f, const struct event *e);
void feed_thread_moved(struct feed *f, const struct event *e, pid_t from);
/* Must be called when the command line of process e->tgid is known or has changed. */
void feed_process_command(struct feed *f, const struct event *e, struct foreign command);

#endif
