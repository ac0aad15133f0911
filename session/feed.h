/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sinks of a run, and the times at which their buffers are flushed. */
#ifndef TRACER_SESSION_FEED_H
#define TRACER_SESSION_FEED_H

#include "sinks/sink.h"

struct options;
struct unwinder;

/* The sinks of a run; initially {0}. */
struct feed {
	/*
	 * The sink of the log and, if requested, the sink of one of these: the summary,
	 * --fd-report, --critical-path, --files, --execs, --learn or --live.
	 */
	struct sink *sinks[2];
	struct sink *live; /* the element of `sinks` that is the sink of --live, or NULL */
	unsigned n;
	unsigned wants;		/* union of the data that the sinks need: bits of enum sink_wants */
	bool names_like_strace; /* for -Y: if true, thread names are read only at the times at which
				   strace reads them */
	bool any_call;		/* true if the sinks have received a call or an EVENT_OTHER */
	uint64_t events;	/* number of events passed to the sinks */
	bool dirty; /* true if events have been passed to the sinks since the last flush */
	/* the time of the next flush (CLOCK_MONOTONIC) if `dirty` is set */
	struct timespec flush_at;
};

/*
 * Creates the sinks that the options select. On failure, prints one message, destroys all sinks and
 * returns false.
 */
bool feed_open(struct feed *f, const struct options *o);
/*
 * Gives the sinks the unwinder with which they name frames. Must be called before they receive
 * stacks. The unwinder is borrowed until feed_close().
 */
void feed_name_stacks(struct feed *f, struct unwinder *unwinder);
/* Writes buffered data to the files. Returns 0 or -errno. */
int feed_flush(struct feed *f);
/*
 * With --last, writes the kept events, and prints a message unless `quiet` is set. `why` is the
 * trigger, such as "SIGUSR1".
 */
void feed_write_kept(struct feed *f, bool quiet, const char *why);
/* Returns the number of bytes that the sinks will write only at the end. */
uint64_t feed_unwritten(const struct feed *f);
/*
 * Returns true if nobody watches the output of any sink during the run (`unwatched` in struct
 * sink). In this case, a thread may be resumed before the sinks receive its call.
 */
bool feed_unwatched(const struct feed *f);
/*
 * Writes the last lines, then closes and frees the sinks. Returns 0, or -errno if a write failed.
 */
int feed_close(struct feed *f);
/* Tells the sinks that all initial threads have been announced with feed_thread_begin(). */
void feed_started(struct feed *f);

/*
 * Sets the time of the next flush. Must be called at the first event after a flush; feed_count()
 * does so.
 */
void feed_dirtied(struct feed *f);

/* Counts an event that has been passed to the sinks. */
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
	f->any_call |=
		(e->kind <= EVENT_SNAPSHOT && e->kind != EVENT_HOLD) || e->kind == EVENT_OTHER;
	feed_count(f);
}

/*
 * Tell the sinks that tracing of a thread has begun or ended, or that the thread's id has changed;
 * see struct sink_ops.
 */
void feed_thread_begin(struct feed *f, const struct event *e);
void feed_thread_end(struct feed *f, const struct event *e);
void feed_thread_moved(struct feed *f, const struct event *e, pid_t from);
/* Tells the sinks that the command line of process e->tgid has become known or has changed. */
void feed_process_command(struct feed *f, const struct event *e, struct foreign command);

#endif
