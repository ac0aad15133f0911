/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of one run, private to session/. */
#ifndef TRACER_SESSION_STATE_H
#define TRACER_SESSION_STATE_H

#include <time.h>

#include "capture/capture.h"
#include "cli/options.h"
#include "session/delays.h"
#include "session/feed.h"
#include "session/progress.h"

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
	struct decode_config decode; /* the options' configuration, with our own plans */
	struct row_finder *rows;
	struct capture *capture;
	struct stop stop; /* the last stop */
	/* Stops have times, from the engine (CAPTURE_TIMES) or from a recording. */
	bool knows_times;
	/*
	 * The recorders of --write-trace. With --last there is one for each control group,
	 * otherwise only one.
	 */
	struct recorder *recorders[CAPTURE_GROUPS_MAX];
	unsigned nrecorders;
	struct recorder *recorder; /* recorder of the stopped thread, or NULL */
	/* The engine's own facts. While recording, capture->facts is the recorder's. */
	struct facts *facts;
	char crashed[64]; /* the reason for writing the events kept by --last after this stop, or
			     "" */
	struct stacks *stacks;	   /* NULL if no stacks are needed */
	struct unwinder *unwinder; /* names stacks for sinks and filters */
	struct tamper *tamper;	   /* NULL if nothing is injected */
	struct requests *requests; /* state of --io-uring=on, or NULL */
	struct watches *watch;	   /* state of --fail-on and --stop-on, or NULL */
	struct wakes *wakes;	   /* infers what ended waits (--wakers), or NULL */
	bool failed;		   /* a --fail-on expression has matched */
	struct delays delays;
	struct feed feed;
	bool holds;	    /* result of filter_holds(): no call is shown before its result is
			       known */
	bool has_times;	    /* something other than flushing has a deadline (session/loop.c) */
	bool goes_on_first; /* threads are resumed before the sinks receive their calls */
	struct timespec blocked_at; /* for --blocked: time of the next check of running calls */
	struct timespec stop_at;    /* for --stop-after: time at which tracing ends */
	uint64_t shown;		    /* for --syscall-limit: number of syscalls shown */
	pid_t command;		    /* pid of the command that tracer started; 0 with only -p */
	int status;		    /* wait status of the command */
	int interrupted;	    /* the signal that ended tracer, or 0 */
	struct progress progress;
	bool ended;	  /* tracing must end */
	bool unwanted;	  /* buffered events must not be shown any more */
	uint64_t lost;	  /* number of events that the engine could not report */
	uint64_t unshown; /* number of events that were still buffered at --syscall-limit */
	int error;	  /* a sink could not write, so the exit status is 1 */
};

#endif
