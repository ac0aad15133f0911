/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --execs: reports the commands that a run executes, as a tree and in shell syntax. The report is
 * written at the end of the run.
 */
#ifndef TRACER_SINKS_EXECS_H
#define TRACER_SINKS_EXECS_H

#include "sinks/sink.h"

/* The event data that the sink needs: bits of enum sink_wants. */
#define EXECS_WANTS (WANTS_TGID | WANTS_TIMES)

/* The calls that the sink must receive, in the syntax of -e trace=. */
extern const char execs_calls[];

struct execs_config {
	/*
	 * If true, shows the changes of the environment since the first command of the tree. If
	 * false, shows the changes since the parent command.
	 */
	bool since_first;
	bool json; /* true to write JSON, with one object per command */
	/* Called at the end with the n-byte report. Returns 0 or -errno. */
	int (*write)(void *ctx, const char *text, size_t n);
	void *ctx;
};

/* Creates the sink, which copies `config`. Never returns NULL. */
struct sink *execs_create(const struct execs_config *config);

#endif
