/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One run, for the files of session/ alone.
 */
#ifndef TRACER_SESSION_STATE_H
#define TRACER_SESSION_STATE_H

#include <time.h>

#include "capture/capture.h"
#include "cli/options.h"
#include "session/delays.h"
#include "session/feed.h"
#include "session/progress.h"

struct recorder;
struct row_finder;
struct stacks;
struct tamper;
struct unwinder;
struct watches;

struct session {
	const struct options *o;
	struct decode_config decode; /* the options' one, with plans of ours */
	struct row_finder *rows;
	struct capture *capture;
	struct stop stop; /* the last one */
	bool knows_times; /* it has them: from the engine (CAPTURE_TIMES) or a recording */
	/* --write-trace: one for each control group with --last, otherwise one; or none. */
	struct recorder *recorders[CAPTURE_GROUPS_MAX];
	unsigned nrecorders;
	struct recorder *recorder; /* of the thread that is stopped; NULL: there are none */
	struct facts *facts;	   /* the engine's, without those that are recorded */
	char crashed[64];	   /* why what --last has kept is to be written after this stop */
	struct stacks *stacks;	   /* NULL: none are needed */
	struct unwinder *unwinder; /* of stacks, for sinks and filters */
	struct tamper *tamper;	   /* NULL: nothing is injected */
	struct watches *watch;	   /* --fail-on and --stop-on; NULL: there are none */
	bool failed;		   /* a --fail-on has matched */
	struct delays delays;
	struct feed feed;
	bool holds;	    /* filter_holds(): no call is shown before its result is known */
	bool has_times;	    /* something has a time of its own (session/loop.c) */
	bool goes_on_first; /* a thread goes on before the sinks are told of its call */
	struct timespec blocked_at; /* when running calls are looked at next, for --blocked */
	struct timespec stop_at;    /* when tracing ends, for --stop-after */
	uint64_t shown;		    /* syscalls, for --syscall-limit */
	pid_t command;		    /* started by us, 0 with -p alone */
	int status;		    /* of the command, as wait4() gave it */
	int interrupted;	    /* the signal that ended us, or 0 */
	struct progress progress;
	bool ended;	  /* stop tracing: detach and leave */
	bool unwanted;	  /* events that are still buffered are not to be shown */
	uint64_t lost;	  /* events that the engine could not report */
	uint64_t unshown; /* events that were still buffered at --syscall-limit */
	int error;	  /* a sink could not write: our status is 1 */
};

#endif
