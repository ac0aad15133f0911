/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a run begins: starting the command, or attaching to what runs already. */
#ifndef TRACER_CLI_START_H
#define TRACER_CLI_START_H

#include <linux/filter.h>

#include "defs.h"

struct options;
struct capture;

/*
 * Starts the command, stopped before its execve. Its pid; 0 if it ended before
 * there was anything to trace, with its wait status in *status.
 */
pid_t start_command(struct capture *c, const struct options *o, int *status);

/*
 * -D: this process becomes the command, so that whoever started us sees the
 * command's pid and status; a descendant traces it, and what -p names. Returns in the tracer only.
 */
pid_t start_daemonized(struct capture *c, const struct options *o);

/* -p, with --tree also the descendants; says what was attached, or why not. */
void start_attach(struct capture *c, const struct options *o);

/*
 * What of standard input, output and error is closed becomes /dev/null, so that no log or pipe of
 * ours is taken for one of them. They are closed again by execve. To be called first of all.
 */
void start_hold_stdio(void);

/*
 * Lets go of standard input and output, which are the command's now: who waits at a pipe's other
 * end sees that the command closes it. An empty pipe takes their places.
 */
void start_leave_stdio(void);

/*
 * Ends the program if it was started with more privileges than its user has: its options let anyone
 * write files and trace processes with them.
 */
void start_refuse_elevated(void);

/* --seccomp-bpf: the filter the command runs with; program->filter is the caller's to free. */
bool start_filter(const struct options *o, struct sock_fprog *program);

#endif
