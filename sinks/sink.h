/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface of sinks, which turn events into text, JSON, a summary, folded stacks, … A sink
 * renders events and may keep data. It never decodes, never reads a tracee, and never decides
 * what is shown, which select/filter.c does.
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

/* Parts of events that cost time to fill in, so that a sink must ask for them. */
enum sink_wants {
	WANTS_TIMES = 1 << 0,	  /* time, mono and durations */
	WANTS_CPU_TIMES = 1 << 1, /* the system CPU time of calls */
	WANTS_COMM = 1 << 2,	  /* the names of threads */
	WANTS_TGID = 1 << 3,	  /* the ids of processes */
	WANTS_STACKS = 1 << 4,	  /* the stacks of calls, with or without -k */
	WANTS_RUN = 1 << 5	  /* what is known of runs */
};

/* The settings that sinks are created with. Each sink uses those that concern it. */
struct sink_config {
	const char *path;		/* see output_open() */
	bool append;			/* -A */
	bool separately;		/* -ff: path.TID, a log for each thread */
	bool stacks;			/* -k */
	bool stacks_once;		/* --json-stacks=once */
	bool quiet_exit;		/* -qq: exit events are not shown */
	struct log_limits limits;	/* --last, --output-limit */
	enum weight weight;		/* --weight */
	const struct foreign *command;	/* words of the command line */
	size_t command_len;		/* how many */
	const struct text_config *text; /* settings of the text sink, the above among them */
	struct run *run; /* where events are kept for --diff (sinks/diff/run.h), or NULL */
};

/* The functions of a sink; each may be NULL. Events are borrowed during the call. */
struct sink_ops {
	/*
	 * Something happened. A sink switches on e->kind only for kinds that it draws in a way of
	 * their own; an EVENT_OTHER must be drawn from its head alone, so that a new source of
	 * events needs no change here. An EVENT_SYSCALL may come without an EVENT_ENTER before it.
	 */
	void (*event)(struct sink *s, const struct event *e);
	/* A thread is traced from now on. May be called again once the thread's name is known. */
	void (*thread_begin)(struct sink *s, const struct event *e);
	/* A thread is not traced any more: the sink frees what it keeps for the thread. */
	void (*thread_end)(struct sink *s, const struct event *e);
	/*
	 * The thread that had the id from has the id e->tid now, because it called execve and
	 * became the leader of its process. No other thread has that id any more.
	 */
	void (*thread_moved)(struct sink *s, const struct event *e, pid_t from);
	/* thread_begin was called for all threads that are traced from the start. */
	void (*started)(struct sink *s);
	/*
	 * With --last: writes the events that are kept. *seen is how many there were in all.
	 * Returns how many were written.
	 */
	size_t (*write_kept)(struct sink *s, uint64_t *seen);
	/* How many bytes of what is kept are not yet in the log, because its end is when they are
	 * written. */
	uint64_t (*unwritten)(struct sink *s);
	/*
	 * Writes what is buffered to the log. Returns 0 or -errno, or 1 if something was held back:
	 * then it is to be called again, though there be no event.
	 */
	int (*flush)(struct sink *s);
	/*
	 * The run is over: writes the last lines, closes the log and frees the sink. Returns 0, or
	 * -errno of a write that failed.
	 */
	int (*end)(struct sink *s);
};

/* The common part of all sinks: each has it as the first member of its own struct. */
struct sink {
	const struct sink_ops *ops;
	struct unwinder *unwinder; /* names the frames of stacks; borrowed; NULL without stacks */
	/*
	 * Nobody watches what the sink writes while the tracees run: it may be told of a call after
	 * the thread has gone on.
	 */
	bool unwatched;
};

#endif
