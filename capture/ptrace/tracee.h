/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ptrace engine, which stops its tracees. Only the files of this engine call ptrace(2) and
 * wait4(2). The engine starts, attaches, resumes and detaches threads, and reports each stop as a
 * struct stop. The layers above use the engine through struct capture (capture/capture.h).
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_H
#define TRACER_CAPTURE_PTRACE_TRACEE_H

#include "capture/capture.h"

/* The capabilities of this engine: bits of enum capture_capability. */
#define TRACEES_CAPABILITIES                                                                       \
	(CAPTURE_TAMPER | CAPTURE_DELAY | CAPTURE_SIGNALS | CAPTURE_REGISTERS | CAPTURE_STACKS |   \
	 CAPTURE_DETACH | CAPTURE_KILL | CAPTURE_SECCOMP | CAPTURE_CPU_TIMES | CAPTURE_BECOME |    \
	 CAPTURE_EXACT_FACTS | CAPTURE_FDS | CAPTURE_PIDS | CAPTURE_REQUESTS)

/*
 * Creates the engine. Never returns NULL. Only one engine may exist at a time, because an engine
 * owns the process's handlers for the signals that end tracer (-I), for SIGALRM (deadlines), and
 * for SIGCHLD. capture_destroy() restores the previous handlers. While the engine exists, our
 * system calls may fail with EINTR.
 */
struct capture *tracees_create(const struct capture_config *config);

#endif
