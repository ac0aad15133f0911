/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a run of a program has done, kept in a form in which two runs can be compared: --diff. A run
 * is filled by a sink (collect.h).
 */
#ifndef TRACER_SINKS_DIFF_RUN_H
#define TRACER_SINKS_DIFF_RUN_H

#include "sinks/diff/call.h"
#include "sinks/diff/texts.h"
#include "sinks/profile/stack_tree.h"
#include "sinks/threads.h"

/* Calls of a run that are kept; what comes later is counted. */
#define RUN_CALLS_MAX (4u << 20)
#define RUN_NONE      UINT32_MAX
/* Bytes that a thread has written to its standard error; later ones are not kept. */
#define RUN_SAID_MAX 16384

/* A call that has returned, or a signal. Texts are numbers of the run's texts. */
struct run_call {
	uint64_t strong;	   /* as key, with the functions that it was called from */
	uint64_t key, loose, data; /* struct call_keys */
	uint64_t mono;		   /* when it began, CLOCK_MONOTONIC in ns */
	uint32_t text;	 /* "openat(AT_FDCWD, …)", in JSON the object of its arguments */
	uint32_t name;	 /* "openat"; of a signal "SIGSEGV" */
	uint32_t result; /* "= 3", "= -1 ENOENT (No such file or directory)"; 0: none */
	uint32_t path;	 /* that it is about; 0: none */
	int32_t error;	 /* errno, or 0 */
	bool counts;	 /* its result says something */
	bool quiet;	 /* call_is_quiet() */
	bool returned;
};

enum run_outcome { RUN_UNKNOWN, RUN_EXITED, RUN_KILLED, RUN_SUPERSEDED };

/* A thread. */
struct run_track {
	uint32_t index, parent; /* places in the run's tracks; RUN_NONE: it was there at first */
	bool thread;		/* of its parent's process */
	bool known;		/* an event has told its process */
	pid_t tid, tgid;
	uint32_t command; /* text: the words of its last command; 0: it has called no execve */
	uint32_t program; /* text: the path of that */
	char comm[17];
	enum run_outcome outcome;
	int code; /* exit status or signal */
	VEC(struct run_call) calls;
	struct strbuf said; /* what it has written to its standard error */
	bool said_all;	    /* and that is not all of it */
};

/* What has become of a path. */
struct run_path {
	uint32_t text;
	uint64_t loose;
	uint32_t worked, failed; /* calls */
	int error;		 /* of the first one that failed */
	uint32_t name;		 /* text: the first call */
	uint32_t failed_name;	 /* text: the first one that failed */
};

struct run {
	struct texts *texts; /* borrowed; of both runs */
	bool json;	     /* texts of calls are JSON */
	size_t string_limit; /* bytes of a string in texts */
	VEC(struct run_track *) tracks;
	struct threads by_tid;
	size_t calls, dropped; /* kept; more than are kept */
	size_t lost;
	uint64_t first, last; /* times of events, CLOCK_MONOTONIC in ns; 0: there are none */
	struct fresh_names fresh;
	VEC(struct run_path) paths;
	struct table by_path;	   /* indexes in paths, plus one, by text */
	VEC(uint32_t) environment; /* texts: of the first execve */
	bool has_environment;
	uint32_t directory; /* text: where the first thread was at first; 0: unknown */
	bool stacks;	    /* some call has one */
	struct stack_tree *times;
};

/* {0} with texts, json and string_limit is a run without anything. */
void run_deinit(struct run *r);
/* The words by which people know a thread: its command, or its name. */
const char *run_track_name(const struct run *r, const struct run_track *t);
/* What is known of a path, or NULL. */
const struct run_path *run_path_find(const struct run *r, uint32_t text);

#endif
