/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Explains why the kernel does not let us trace a process with ptrace. */
#ifndef TRACER_CLI_PTRACE_REFUSAL_H
#define TRACER_CLI_PTRACE_REFUSAL_H

#include "defs.h"

struct procfs;

/*
 * Prints in one line which setting or privilege probably causes EPERM for a process, and what the
 * user can do. Prints nothing if no cause is known. A pid of 0 means a command that we start.
 */
void ptrace_refusal_explain(const struct procfs *procfs, pid_t pid);

#endif
