/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The signals of the tracer's own process, as far as the event loop is
 * concerned: those that end it, and the alarm that wakes it for a deadline.
 * Nothing here costs a kernel call per event.
 */
#ifndef TRACER_TRACEE_SIGNALS_H
#define TRACER_TRACEE_SIGNALS_H

#include <time.h>

#include "defs.h"

/*
 * interruptible: as -I, 1 to 4. Signals that are blocked stay blocked, but for SIGALRM.
 */
void tracee_signals_install(int interruptible);
/* Puts back what was there before; also for a forked child, before its execve. */
void tracee_signals_restore(void);

/* Whether a signal came that somebody should look at. */
bool tracee_signals_pending(void);
/* The ending signal that came since the last call, or 0. */
int tracee_signals_take(void);

/*
 * Sees to it that wait4() is interrupted not long after deadline (CLOCK_MONOTONIC;
 * NULL: none). True when it has passed.
 */
bool tracee_signals_deadline(const struct timespec *deadline);

#endif
