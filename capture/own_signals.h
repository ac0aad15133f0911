/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handling of signals that tracer itself receives: signals that end it, and the alarm that wakes
 * the event loop at a deadline. None of these functions makes a system call at every stop.
 */
#ifndef TRACER_CAPTURE_OWN_SIGNALS_H
#define TRACER_CAPTURE_OWN_SIGNALS_H

#include <time.h>

#include "defs.h"

/*
 * Installs the handlers. interruptible is the value of -I, 1 to 4, see struct capture_config. With
 * `requests`, own_signals_take() also returns SIGUSR1, which does not end tracer. Signals that were
 * blocked stay blocked, except SIGALRM.
 */
void own_signals_install(int interruptible, bool requests);
/* Restores the handlers and the signal mask. A forked child must call it before its execve. */
void own_signals_restore(void);

/* Returns whether own_signals_take() would return a signal, or the alarm has gone off. */
bool own_signals_pending(void);
/* Returns whether a signal that ends tracer is pending. */
bool own_signals_ending(void);
/* Returns and clears one pending signal, preferably one that ends tracer, or 0 if there is none. */
int own_signals_take(void);

/*
 * Arranges that a signal interrupts wait4() soon after deadline (CLOCK_MONOTONIC), or never if it
 * is NULL. Returns true if the deadline has passed.
 */
bool own_signals_deadline(const struct timespec *deadline);

#endif
