/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starts a run: starts the command or attaches to running processes. */
#ifndef TRACER_CLI_START_H
#define TRACER_CLI_START_H

#include <linux/filter.h>

#include "defs.h"

struct options;
struct capture;

/*
 * Starts the command and stops it before its execve. Returns the pid of the command. If the command
 * ends before it can be traced, returns 0 and stores the wait status in *status. If the command
 * cannot be traced, ends tracer with a message.
 */
pid_t start_command(struct capture *c, const struct options *o, int *status);

/*
 * For -D: executes the command in this process, so that tracer's parent sees the pid and exit
 * status of the command. A descendant of this process traces the command and attaches to the
 * processes of -p. Returns only in this descendant. Returns the pid of the command, or 0 if a
 * control group is traced and the command has ended already.
 */
pid_t start_daemonized(struct capture *c, const struct options *o);

/*
 * Attaches to the processes in the traced control groups, to the processes given by -p and, with
 * --tree, to the descendants of these. For each process, prints the reason why it cannot be
 * attached or, without QUIET_ATTACH, a message that it is attached.
 */
void start_attach(struct capture *c, const struct options *o);

/*
 * Opens /dev/null in place of each closed standard descriptor. Otherwise, a log or pipe of tracer
 * could get the number of a standard descriptor. The opened descriptors are closed on execve. Must
 * be called before any other function.
 */
void start_hold_stdio(void);

/*
 * Replaces tracer's standard input and output with an empty pipe. Otherwise, tracer would keep the
 * original pipes open after the command has closed them.
 */
void start_leave_stdio(void);

/*
 * Ends the program if tracer is set-user-ID, or has more privileges than its user for another
 * reason. The user could use the options of such a tracer to write any file and to trace any
 * process.
 */
void start_refuse_elevated(void);

/*
 * Builds the seccomp filter of --seccomp-bpf. The child process installs the filter before it
 * executes the command. The caller frees program->filter. If the filter is not available, prints a
 * message and returns false.
 */
bool start_filter(const struct options *o, struct sock_fprog *program);

#endif
