/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The events of one run of a program, collected for a comparison of two runs (--diff). The sink in
 * collect.h fills in a run.
 */
#ifndef TRACER_SINKS_DIFF_RUN_H
#define TRACER_SINKS_DIFF_RUN_H

#include "sinks/diff/call.h"
#include "util/texts.h"
#include "sinks/profile/stack_tree.h"
#include "sinks/threads.h"

/* Maximum number of calls and signals to store per run. Further ones are only counted. */
#define RUN_CALLS_MAX (4u << 20)
#define RUN_NONE      UINT32_MAX
/* Maximum size in bytes of the stored standard error output, per thread. */
#define RUN_STDERR_MAX 16384

/* A call that has returned, or a signal. Strings are stored as indexes in run.texts. */
struct run_call {
	uint64_t strong;	   /* like call_keys.key, but also includes the functions on the
				      stack */
	uint64_t key, loose, data; /* hashes of the call, as in struct call_keys */
	uint64_t mono;		   /* CLOCK_MONOTONIC time of the start, in ns */
	uint32_t text; /* "openat(AT_FDCWD, …)", or in JSON the object with the arguments */
	/* name of the call, such as "openat", or of the signal, such as "SIGSEGV" */
	uint32_t name;
	uint32_t result; /* "= 3" or "= -1 ENOENT (No such file or directory)", or 0 if there is
			    no result */
	uint32_t path;	 /* path that the call refers to, or 0 */
	int32_t error;	 /* errno, or 0 */
	bool counts;	 /* true if a different result must be reported; see call_result_counts() */
	bool quiet;	 /* true if the call is rarely interesting; see call_is_quiet() */
	bool returned;
};

enum run_outcome { RUN_UNKNOWN, RUN_EXITED, RUN_KILLED, RUN_SUPERSEDED };

struct run_track {
	uint32_t index, parent; /* indexes in run.tracks; parent is RUN_NONE if it is unknown, as
				   for a thread that existed at the start */
	bool thread;		/* true if the track is a thread of its parent's process, not a new
				   process */
	bool known;		/* true if the process of the thread is known */
	pid_t tid, tgid;
	/*
	 * index in run.texts of the command line of the thread's last execve, or 0 if there was
	 * none
	 */
	uint32_t command;
	/* path of the program that the last execve started: an index in run.texts */
	uint32_t program;
	char comm[17];
	enum run_outcome outcome;
	int code;		    /* exit status, or number of the fatal signal */
	size_t ncalls;		    /* number of calls, as in struct run */
	VEC(struct run_call) calls; /* the stored calls and signals */
	struct strbuf stderr_text;  /* output of the thread to standard error, at most about
				RUN_STDERR_MAX bytes */
};

/* A path and the results of the calls that used it. */
struct run_path {
	uint32_t text;
	uint64_t loose;
	uint32_t worked, failed; /* numbers of successful and of failed calls */
	int error;		 /* errno of the first failed call */
	uint32_t name;		 /* name of the first call, as an index into run.texts */
	uint32_t failed_name;	 /* name of the first failed call, as an index into run.texts */
};

/*
 * The time that a thread spent on the critical path in calls with the same name, or between calls.
 * Times are in nanoseconds.
 */
struct critical_time {
	uint32_t track;	   /* index in run.tracks, or RUN_NONE if the thread is unknown */
	const char *call;  /* name of the call, or NULL for the time between calls */
	const char *cause; /* name of the cause that ended the waits; NULL if the calls did not
			      wait, or waited for a thread */
	int64_t time;
	/*
	 * The longest uninterrupted part of this time. `longest` is its duration. `waiter` is the
	 * track of the thread that waited during this part, or RUN_NONE. `waiter_call` is the call
	 * in which it waited, or NULL. `inferred` is set if tracer inferred from the order of calls
	 * that `track` ended this wait.
	 */
	int64_t longest;
	uint32_t waiter;
	const char *waiter_call;
	bool inferred;
};

struct critical {
	VEC(struct critical_time) times;
	int64_t total; /* sum of all times in ns, which is the duration of the run */
	/*
	 * Numbers of waits that a thread of the run ended. `reported` counts waits whose waker the
	 * kernel reported, and `inferred` counts waits whose waker tracer inferred.
	 */
	size_t reported, inferred;
	/*
	 * Time on the path in waits that no thread of the run and no timer ended; a part of
	 * `total`.
	 */
	int64_t unexplained;
};

struct run {
	struct texts *texts; /* borrowed; shared by the two runs */
	bool json;	     /* true if `text` of calls is JSON */
	size_t string_limit; /* maximum length in bytes of a string argument in the text of a
				call */
	VEC(struct run_track *) tracks;
	struct threads by_tid;
	size_t ncalls; /* number of calls */
	/*
	 * number of calls that are not stored because they are not compared: those for which
	 * call_is_timing() returns true, and those that were still running when tracing ended
	 */
	size_t skipped;
	size_t stored;	/* number of stored calls and signals, at most RUN_CALLS_MAX */
	size_t dropped; /* number of calls and signals beyond RUN_CALLS_MAX */
	size_t lost;
	uint64_t first, last; /* CLOCK_MONOTONIC times of the first and last event in ns, or 0 */
	struct fresh_names fresh;
	VEC(struct run_path) paths;
	/* maps the index of a path in run.texts to 1 + its index in `paths` */
	struct table by_path;
	VEC(uint32_t) environment; /* environment of the first execve, as indexes in run.texts */
	bool has_environment;
	/* index in run.texts of the working directory in the first call that shows one, or 0 */
	uint32_t directory;
	bool stacks; /* true if at least one call has a stack trace */
	struct stack_tree *times;
	/* true if the critical path must be found; false if filters hide some of the calls */
	bool wants_critical;
	struct critical critical;
};

/*
 * Frees the members of a run. Initially, all members of a run are 0 except texts, json,
 * string_limit and wants_critical.
 */
void run_deinit(struct run *r);
/* Returns a name by which users recognise a thread: its command line, or its comm. */
const char *run_track_name(const struct run *r, const struct run_track *t);
/* Returns a command line without the folder of the program. */
const char *command_without_folder(const char *command);
/* Returns the entry for the path with the index `text` in run.texts, or NULL. */
const struct run_path *run_path_find(const struct run *r, uint32_t text);

#endif
