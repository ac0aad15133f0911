/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Explains why the kernel does not permit tracing a process with ptrace. */
#ifndef TRACER_CLI_PTRACE_REFUSAL_H
#define TRACER_CLI_PTRACE_REFUSAL_H

#include "defs.h"

struct procfs;

/*
 * Prints one line that explains the probable cause of an EPERM, such as a setting or a missing
 * privilege, and what the user can do. Prints nothing if no cause is found. If `pid` is 0, the
 * process is a command that we start.
 */
void ptrace_refusal_explain(const struct procfs *procfs, pid_t pid);

#endif
