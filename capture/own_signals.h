/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The signals of the tracer's own process that concern the event loop: those that end it, and the
 * alarm that wakes it for a deadline. No function makes a kernel call for each stop.
 */
#ifndef TRACER_CAPTURE_OWN_SIGNALS_H
#define TRACER_CAPTURE_OWN_SIGNALS_H

#include <time.h>

#include "defs.h"

/*
 * Installs the handlers. interruptible is the value of -I, 1 to 4, see struct capture_config; with
 * requests, SIGUSR1 is taken as well, which does not end the tracer.
 * Blocked signals stay blocked, except SIGALRM.
 */
void own_signals_install(int interruptible, bool requests);
/* Restores the handlers and the signal mask. A forked child calls it before its execve. */
void own_signals_restore(void);

/* Whether own_signals_take() has a signal to return or the alarm went off. */
bool own_signals_pending(void);
/* Whether own_signals_take() has a signal to return. */
bool own_signals_ending(void);
/* Returns a signal that came since the last call, first of all one that is to end the tracer, or 0.
 */
int own_signals_take(void);

/*
 * Arranges that a signal interrupts wait4() soon after deadline (CLOCK_MONOTONIC; NULL: never).
 * Returns true if the deadline has passed.
 */
bool own_signals_deadline(const struct timespec *deadline);

#endif
