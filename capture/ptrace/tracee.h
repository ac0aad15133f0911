/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ptrace engine, which stops its tracees. Its files are the only callers of ptrace(2) and
 * wait4(2). They start, attach to, wait for, resume and detach threads, and report each stop as a
 * struct stop. The layers above use the engine through struct capture (capture/capture.h).
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_H
#define TRACER_CAPTURE_PTRACE_TRACEE_H

#include "capture/capture.h"

/* The capabilities of this engine: bits of enum capture_capability. */
#define TRACEES_CAPABILITIES                                                                       \
	(CAPTURE_TAMPER | CAPTURE_DELAY | CAPTURE_SIGNALS | CAPTURE_REGISTERS | CAPTURE_STACKS |   \
	 CAPTURE_DETACH | CAPTURE_KILL | CAPTURE_SECCOMP | CAPTURE_CPU_TIMES | CAPTURE_BECOME |    \
	 CAPTURE_EXACT_FACTS | CAPTURE_FDS | CAPTURE_PIDS)

/*
 * Creates the engine. Never returns NULL. Only one engine may exist at a time, because it owns the
 * process's handlers of the signals that end tracer (-I), of SIGALRM for deadlines, and of SIGCHLD.
 * capture_destroy() restores them. While the engine exists, system calls of ours may fail with
 * EINTR.
 */
struct capture *tracees_create(const struct capture_config *config);

#endif
