/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The engine that stops its tracees, and the only caller of ptrace(2) and
 * wait4(2). Attaches, starts, waits, restarts and detaches threads; says what
 * happened as a struct stop. What a stop means is for the layers above, which
 * know this engine as a struct capture.
 */
#ifndef TRACER_TRACEE_H
#define TRACER_TRACEE_H

#include "capture/capture.h"

/* What this engine can do: enum capture_capability. */
#define TRACEES_CAPABILITIES                                                                       \
	(CAPTURE_TAMPER | CAPTURE_DELAY | CAPTURE_SIGNALS | CAPTURE_REGISTERS | CAPTURE_STACKS |   \
	 CAPTURE_DETACH | CAPTURE_KILL | CAPTURE_SECCOMP)

/*
 * One at a time: it owns the process's signal handlers (the five of -I,
 * SIGALRM for deadlines; SIGCHLD's default), which capture_destroy() restores.
 * System calls of ours may so return EINTR.
 */
struct capture *tracees_create(const struct capture_config *config);

/*
 * For a process that is traced already and about to become the command: installs
 * the seccomp filter of the configuration, if there is one.
 */
void tracees_filter_self(const struct capture *c);

#endif
