/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The events of a run of a program, kept for comparing two runs: --diff. A sink fills a run
 * (collect.h).
 */
#ifndef TRACER_SINKS_DIFF_RUN_H
#define TRACER_SINKS_DIFF_RUN_H

#include "sinks/diff/call.h"
#include "sinks/diff/texts.h"
#include "sinks/profile/stack_tree.h"
#include "sinks/threads.h"

/* Maximum number of calls kept of a run; further ones are only counted. */
#define RUN_CALLS_MAX (4u << 20)
#define RUN_NONE      UINT32_MAX
/* Bytes kept of a thread's standard error output. */
#define RUN_SAID_MAX 16384

/* A call that has returned, or a signal. Texts are numbers in the run's texts. */
struct run_call {
	uint64_t strong;	   /* like call_keys.key, but includes the functions on the stack */
	uint64_t key, loose, data; /* struct call_keys */
	uint64_t mono;		   /* start, CLOCK_MONOTONIC in ns */
	uint32_t text;	 /* "openat(AT_FDCWD, …)"; in JSON the object of its arguments */
	uint32_t name;	 /* "openat"; for a signal "SIGSEGV" */
	uint32_t result; /* "= 3", "= -1 ENOENT (No such file or directory)"; 0 if there is none */
	uint32_t path;	 /* the path that the call refers to, or 0 */
	int32_t error;	 /* errno, or 0 */
	bool counts;	 /* a different result matters; see call_result_counts() */
	bool quiet;	 /* call_is_quiet() */
	bool returned;
};

enum run_outcome { RUN_UNKNOWN, RUN_EXITED, RUN_KILLED, RUN_SUPERSEDED };

/* A thread. */
struct run_track {
	uint32_t index, parent; /* indexes in the run's tracks; parent is RUN_NONE if the thread
				   existed at the start */
	bool thread;		/* a thread of its parent's process */
	bool known;		/* the thread's process is known from an event */
	pid_t tid, tgid;
	uint32_t command; /* text: the words of the thread's last command, or 0 if it called no
			     execve */
	uint32_t program; /* text: the path of that command */
	char comm[17];
	enum run_outcome outcome;
	int code; /* exit status or signal */
	VEC(struct run_call) calls;
	struct strbuf said; /* its output to standard error, at most about RUN_SAID_MAX bytes */
};

/* The use of a path. */
struct run_path {
	uint32_t text;
	uint64_t loose;
	uint32_t worked, failed; /* numbers of calls that succeeded, and that failed */
	int error;		 /* of the first failed call */
	uint32_t name;		 /* text: name of the first call */
	uint32_t failed_name;	 /* text: name of the first failed call */
};

struct run {
	struct texts *texts; /* borrowed; shared by both runs */
	bool json;	     /* texts of calls are JSON */
	size_t string_limit; /* maximum bytes of a string in texts */
	VEC(struct run_track *) tracks;
	struct threads by_tid;
	size_t calls, dropped; /* number of calls kept, and not kept */
	size_t lost;
	uint64_t first, last; /* times of the first and last event, CLOCK_MONOTONIC in ns, or 0 */
	struct fresh_names fresh;
	VEC(struct run_path) paths;
	struct table by_path;	   /* by text; values are indexes in paths, plus one */
	VEC(uint32_t) environment; /* texts: of the first execve */
	bool has_environment;
	uint32_t directory; /* text: initial directory of the first thread, or 0 if unknown */
	bool stacks;	    /* at least one call has a stack */
	struct stack_tree *times;
};

/* {0} with texts, json and string_limit set is an empty run. */
void run_deinit(struct run *r);
/* Returns a recognisable name of a thread: its command, or its comm. */
const char *run_track_name(const struct run *r, const struct run_track *t);
/* Returns the use of a path, or NULL. */
const struct run_path *run_path_find(const struct run *r, uint32_t text);

#endif
