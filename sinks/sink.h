/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface of sinks. A sink turns events into an output format such as text, JSON, a summary
 * or folded stacks, and may collect data. Sinks do not decode values or read a tracee's memory.
 * They do not filter events, because select/filter.c does so.
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

/* Event data that is expensive to collect, so a sink must request it. */
enum sink_wants {
	WANTS_TIMES = 1 << 0,	  /* the members `time` and `mono`, and durations */
	WANTS_CPU_TIMES = 1 << 1, /* system CPU times of calls */
	WANTS_COMM = 1 << 2,	  /* names of threads */
	WANTS_TGID = 1 << 3,	  /* ids of processes */
	WANTS_STACKS = 1 << 4,	  /* stacks of calls, even without -k */
	WANTS_RUN = 1 << 5,	  /* metadata of the run */
	WANTS_COMMAND = 1 << 6	  /* command lines of processes */
};

/* The settings for creating a sink. Each format uses only some of them. */
struct sink_config {
	const char *path;	       /* where the output goes; see output_open() */
	bool append;		       /* -A: append to an existing file */
	bool separately;	       /* -ff: write a separate log for each thread, path.TID */
	bool stacks;		       /* -k: show stacks */
	bool stacks_once;	       /* --json-stacks=once: write each stack only once */
	bool quiet_exit;	       /* -qq: do not show exit events */
	struct log_limits limits;      /* --last, --output-limit: limits on the size of the log */
	enum weight weight;	       /* --weight: the weight of a call in a stack */
	const struct foreign *command; /* words of the command line */
	size_t command_len;
	int64_t from, to; /* --from and --to (CLOCK_REALTIME in nanoseconds) */
	/* settings of the text sink; other sinks also use some of them */
	const struct text_config *text;
	struct run *run; /* run to fill in for --diff (sinks/diff/run.h), or NULL */
};

/*
 * The functions of a sink. `event` and `end` must be set, the others may be NULL. Events are
 * borrowed for the duration of the call.
 */
struct sink_ops {
	/*
	 * Handles an event. A sink needs a case only for the kinds of events that it renders in a
	 * special way. It must render an EVENT_OTHER from the members of struct event alone, so
	 * that new sources of events require no changes to sinks. An EVENT_SYSCALL is not always
	 * preceded by an EVENT_ENTER for the same call.
	 */
	void (*event)(struct sink *s, const struct event *e);
	/*
	 * Called when tracing of a thread begins, and again when the thread's name becomes known.
	 */
	void (*thread_begin)(struct sink *s, const struct event *e);
	/* Called when tracing of a thread ends. The sink frees its data about the thread. */
	void (*thread_end)(struct sink *s, const struct event *e);
	/*
	 * Called when the thread with the id `from` gets the id e->tid, because it called execve
	 * and became the leader of its process. The previous thread with the id e->tid no longer
	 * exists.
	 */
	void (*thread_moved)(struct sink *s, const struct event *e, pid_t from);
	/*
	 * Called when the command line of process e->tgid becomes known or changes. The words of
	 * the command line are separated by spaces.
	 */
	void (*process_command)(struct sink *s, const struct event *e, struct foreign command);
	/* Called after thread_begin has been called for all initial threads. */
	void (*started)(struct sink *s);
	/*
	 * For --last: writes the stored events. Returns the number of written events. Sets *seen to
	 * the total number of events.
	 */
	size_t (*write_kept)(struct sink *s, uint64_t *seen);
	/* Returns the number of stored bytes that will be written to the log at the end. */
	uint64_t (*unwritten)(struct sink *s);
	/*
	 * Writes buffered data to the log. Returns 0, -errno, or 1 if some data is delayed. If it
	 * returns 1, it must be called again even if there are no new events.
	 */
	int (*flush)(struct sink *s);
	/*
	 * Ends the run: writes the last lines, closes the log, and frees the sink. Returns 0, or
	 * -errno of a failed write.
	 */
	int (*end)(struct sink *s);
};

/* The common part of all sinks, and the first member of each sink's struct. */
struct sink {
	const struct sink_ops *ops;
	/* resolves the frames of stacks; borrowed; NULL if there are no stacks */
	struct unwinder *unwinder;
	/*
	 * True if nobody watches the output during the run, so that a call may be reported after
	 * its thread has continued.
	 */
	bool unwatched;
};

#endif
