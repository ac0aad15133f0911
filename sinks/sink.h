/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where events go: text, JSON, a summary, folded stacks, … A sink renders and
 * keeps; it never decodes, never reads a tracee and never decides what is shown
 * (filter.c did).
 */
#ifndef TRACER_SINKS_SINK_H
#define TRACER_SINKS_SINK_H

#include "event/event.h"
#include "sinks/weight.h"

struct sink;
struct text_config;
struct unwinder;

/* What events must have for a sink to show. */
enum sink_wants {
	WANTS_TIMES = 1 << 0,	  /* time and mono, durations */
	WANTS_CPU_TIMES = 1 << 1, /* the system CPU time of calls */
	WANTS_COMM = 1 << 2,
	WANTS_TGID = 1 << 3,
	WANTS_STACKS = 1 << 4 /* stacks of calls, be it that they are not printed (-k) */
};

/* What sinks are created with; each takes what it can use. */
struct sink_config {
	const char *path;		/* NULL is stderr; "|cmd" and "!cmd" are pipes */
	bool append;			/* -A */
	bool separately;		/* -ff: path.TID, a log for each thread */
	bool stacks;			/* -k */
	bool quiet_exit;		/* -qq: no exit events */
	enum weight weight;		/* --weight */
	char *const *command;		/* its words, ending with NULL, or NULL; a title */
	const struct text_config *text; /* of the text alone, which has the above as well */
};

struct sink_ops {
	/* A syscall began: its IN arguments are known. Called only if filters cannot drop it any
	 * more. */
	void (*enter)(struct sink *s, const struct syscall_event *e);
	/* A syscall began that filters may drop yet: what is to be known of this moment is kept. */
	void (*hold)(struct sink *s, const struct syscall_event *e);
	/*
	 * It ended, or will never be seen to end (ret_kind RET_NONE).
	 * enter was not called for it when e->entered is false.
	 */
	void (*exit)(struct sink *s, const struct syscall_event *e);
	void (*signal)(struct sink *s, const struct signal_event *e);
	void (*process)(struct sink *s, const struct process_event *e);
	/* A call that has been running for longer than --blocked asks for; later it still exits. */
	void (*blocked)(struct sink *s, const struct syscall_event *e);
	/* There were events that cannot be shown. */
	void (*lost)(struct sink *s, const struct lost_event *e);
	/*
	 * A thread was seen (perhaps once more, with a name by now), is forgotten, or is e->tid
	 * from now on, and was from before: an execve gave it its process's id. No other thread has
	 * that id then. What is kept per thread begins, ends and moves.
	 */
	void (*thread_begin)(struct sink *s, const struct event *e);
	void (*thread_end)(struct sink *s, const struct event *e);
	void (*thread_moved)(struct sink *s, const struct event *e, pid_t from);
	/* All that are traced from the start have begun. */
	void (*started)(struct sink *s);
	/* The tracer is about to block for long: what is buffered must reach the file. 0, or
	 * -errno. */
	int (*flush)(struct sink *s);
	/* The run is over: last lines, close, free. 0, or -errno of the write that failed. */
	int (*end)(struct sink *s);
};

/* Embedded first in each sink's own struct. Any op may be NULL. */
struct sink {
	const struct sink_ops *ops;
	struct unwinder *unwinder; /* names stacks; NULL without -k */
};

#endif
