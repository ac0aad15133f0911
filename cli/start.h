/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starts a run: starts the command, or attaches to running processes. */
#ifndef TRACER_CLI_START_H
#define TRACER_CLI_START_H

#include <linux/filter.h>

#include "defs.h"

struct options;
struct capture;

/*
 * Starts the command, stopped before its execve. Returns its pid, or 0 if it ended before it could
 * be traced; *status is then its wait status.
 */
pid_t start_command(struct capture *c, const struct options *o, int *status);

/*
 * With -D, this process becomes the command, so that our parent sees the command's pid and exit
 * status. A descendant traces it, and attaches to the processes of -p. Returns only in the tracer.
 */
pid_t start_daemonized(struct capture *c, const struct options *o);

/*
 * Attaches to the processes of -p, and with --tree to their descendants. Prints a message for each,
 * or the reason for a failure.
 */
void start_attach(struct capture *c, const struct options *o);

/*
 * Opens /dev/null in place of standard descriptors that are closed, so that no log or pipe of ours
 * gets their numbers. They are closed again by execve. Call this first.
 */
void start_hold_stdio(void);

/*
 * Closes tracer's copies of standard input and output, so that the other end of a pipe notices when
 * the command closes it. An empty pipe takes their places.
 */
void start_leave_stdio(void);

/*
 * Ends the program if it runs with more privileges than the user has. With these privileges, its
 * options could write any file and trace any process.
 */
void start_refuse_elevated(void);

/*
 * Builds the seccomp filter of --seccomp-bpf, with which the command runs. The caller frees
 * program->filter. Returns false after a message if the filter is not available.
 */
bool start_filter(const struct options *o, struct sock_fprog *program);

#endif
