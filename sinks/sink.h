/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface of sinks, which turn events into text, JSON, a summary, folded stacks, … A sink
 * renders events and may keep data. It never decodes values, and it never reads a tracee's memory.
 * It does not filter events either; select/filter.c does that.
 */
#ifndef TRACER_SINKS_SINK_H
#define TRACER_SINKS_SINK_H

#include "event/event.h"
#include "sinks/log_limits.h"
#include "sinks/weight.h"

struct run;
struct sink;
struct text_config;
struct unwinder;

/* Parts of events that are expensive to fill in, so sinks must request them. */
enum sink_wants {
	WANTS_TIMES = 1 << 0,	  /* time, mono and durations */
	WANTS_CPU_TIMES = 1 << 1, /* the system CPU time of calls */
	WANTS_COMM = 1 << 2,	  /* the names of threads */
	WANTS_TGID = 1 << 3,	  /* the ids of processes */
	WANTS_STACKS = 1 << 4,	  /* the stacks of calls, with or without -k */
	WANTS_RUN = 1 << 5,	  /* metadata of the run */
	WANTS_COMMAND = 1 << 6	  /* the command lines of processes */
};

/* The settings for creating sinks. Each sink uses the ones that concern it. */
struct sink_config {
	const char *path;	       /* see output_open() */
	bool append;		       /* -A */
	bool separately;	       /* -ff: path.TID, a log for each thread */
	bool stacks;		       /* -k */
	bool stacks_once;	       /* --json-stacks=once */
	bool quiet_exit;	       /* -qq: exit events are not shown */
	struct log_limits limits;      /* --last, --output-limit */
	enum weight weight;	       /* --weight */
	const struct foreign *command; /* words of the command line */
	size_t command_len;	       /* number of words */
	/* settings of the text sink; other sinks use some of them too */
	const struct text_config *text;
	struct run *run; /* where events are kept for --diff (sinks/diff/run.h), or NULL */
};

/* The functions of a sink; each may be NULL. Events are borrowed for the call. */
struct sink_ops {
	/*
	 * Handles an event. A sink needs a case for e->kind only for kinds that it renders in a
	 * special way. It must render an EVENT_OTHER using only the members of struct event, so
	 * that a new source of events needs no change in the sinks. An EVENT_SYSCALL may come
	 * without an EVENT_ENTER before it.
	 */
	void (*event)(struct sink *s, const struct event *e);
	/* Tracing of a thread begins. May be called again when the thread's name becomes known. */
	void (*thread_begin)(struct sink *s, const struct event *e);
	/* Tracing of a thread ends. The sink frees the thread's data. */
	void (*thread_end)(struct sink *s, const struct event *e);
	/*
	 * The thread with the id `from` now has the id e->tid, because it called execve and became
	 * the leader of its process. No other thread has that id any longer.
	 */
	void (*thread_moved)(struct sink *s, const struct event *e, pid_t from);
	/* The command line of process e->tgid, words separated by blanks, is known or has changed.
	 */
	void (*process_command)(struct sink *s, const struct event *e, struct foreign command);
	/* Called once thread_begin was called for all initial threads. */
	void (*started)(struct sink *s);
	/*
	 * With --last: writes the kept events. Sets *seen to the total number of events. Returns
	 * how many were written.
	 */
	size_t (*write_kept)(struct sink *s, uint64_t *seen);
	/* Returns the number of kept bytes that will be written to the log at the end. */
	uint64_t (*unwritten)(struct sink *s);
	/*
	 * Writes buffered data to the log. Returns 0, -errno, or 1 if data were held back. After 1,
	 * flush must be called again even if there is no new event.
	 */
	int (*flush)(struct sink *s);
	/*
	 * Ends the run: writes the last lines, closes the log and frees the sink. Returns 0, or
	 * -errno of a failed write.
	 */
	int (*end)(struct sink *s);
};

/* The common part of all sinks. It is the first member of each sink's own struct. */
struct sink {
	const struct sink_ops *ops;
	/* names the frames of stacks; borrowed; NULL if there are no stacks */
	struct unwinder *unwinder;
	/*
	 * No one watches the output while the tracees run, so a call may be reported after the
	 * thread has continued.
	 */
	bool unwatched;
};

#endif
