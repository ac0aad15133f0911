/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of one run, private to session/. */
#ifndef TRACER_SESSION_STATE_H
#define TRACER_SESSION_STATE_H

#include <limits.h>
#include <time.h>

#include "capture/capture.h"
#include "cli/options.h"
#include "session/delays.h"
#include "session/feed.h"
#include "session/progress.h"

struct live_watch;
struct lock_watch;
struct recorder;
struct requests;
struct row_finder;
struct stacks;
struct tamper;
struct unwinder;
struct wakes;
struct watches;

struct session {
	const struct options *o;
	/* the decoder settings from the options, with this session's plans */
	struct decode_config decode;
	struct row_finder *rows;
	struct capture *capture;
	struct stop stop; /* the last stop */
	/* True if stops have times, from the engine (CAPTURE_TIMES) or from the recorder. */
	bool knows_times;
	/*
	 * The recorders for --write-trace: with --last, one for each control group, otherwise a
	 * single one.
	 */
	struct recorder *recorders[CAPTURE_GROUPS_MAX];
	unsigned nrecorders;
	struct recorder *recorder; /* the recorder for the stopped thread, or NULL */
	/*
	 * The facts of the engine itself. If a recording is made, capture->facts are those of the
	 * recorder.
	 */
	struct facts *facts;
	char secontext[PATH_MAX]; /* for emit_secontext(): text of the current event */
	/*
	 * with --last: the reason why the kept events must be written after this stop; "" if there
	 * is none
	 */
	char crashed[64];
	struct stacks *stacks;	   /* NULL if no stacks are needed */
	struct unwinder *unwinder; /* names stacks for the sinks and the filters */
	struct tamper *tamper;	   /* NULL if no tampering is requested */
	struct requests *requests; /* state of --io-uring=on, or NULL */
	struct programs *programs; /* programs of processes whose calls are counted, or NULL */
	struct watches *watch;	   /* state of --fail-on and --stop-on, or NULL */
	struct wakes *wakes; /* with --wakers: determines what ended each wait; otherwise NULL */
	bool off_cpu; /* true if the events of calls contain the times for which the thread was
			 blocked and for which it waited for a CPU */
	bool failed;  /* true if a --fail-on expression has matched */
	struct delays delays;
	struct feed feed;
	/* result of filter_holds(): true if calls must not be shown before their result is known */
	bool holds;
	/* true if anything except the sinks and the recorder has a deadline (session/loop.c) */
	bool has_times;
	bool resumes_first; /* true if threads may be resumed before the sinks get their calls */
	/* for --blocked: the next time at which the running calls are checked */
	struct timespec blocked_at;
	struct lock_watch *locks; /* for --tui: finds the holders of locks; otherwise NULL */
	struct live_watch *live;  /* for --live: lists what the threads do; otherwise NULL */
	struct timespec stop_at;  /* for --stop-after: time at which tracing ends */
	uint64_t shown;		  /* for --syscall-limit: number of syscalls shown so far */
	pid_t command;	 /* pid of the command that tracer started or that the trace contains; 0 if
			    there is none */
	int status;	 /* wait status of the command */
	int interrupted; /* the signal that ended tracer, or 0 */
	struct progress progress;
	bool ended;	    /* true if tracing must end */
	bool discards_rest; /* true if buffered events will no longer be shown */
	bool *pids_seen;    /* for -p with --read-trace: one element per pid, true if the trace
			       contains the pid */
	uint64_t lost;	    /* number of events that were lost */
	/* number of events that were not shown because --syscall-limit was reached */
	uint64_t discarded;
	int error; /* not 0 after an error, such as a failed write of a sink; the exit status is
		      then 1 */
};

#endif
