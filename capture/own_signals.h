/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handles signals that tracer itself receives: signals that end tracer, and the alarm that wakes
 * the event loop at a deadline. The event loop can check for these signals without a system call.
 */
#ifndef TRACER_CAPTURE_OWN_SIGNALS_H
#define TRACER_CAPTURE_OWN_SIGNALS_H

#include <time.h>

#include "defs.h"

/*
 * Installs the handlers. `interruptible` is the value of -I, 1 to 4, see struct capture_config.
 * With `requests`, own_signals_take() also returns SIGUSR1, which does not end tracer. Signals that
 * were blocked stay blocked, except SIGALRM.
 */
void own_signals_install(int interruptible, bool requests);
/*
 * Restores the original handlers and signal mask. A forked child must call this function before its
 * execve.
 */
void own_signals_restore(void);

/* Returns true if own_signals_take() would return a signal, or if the alarm has gone off. */
bool own_signals_pending(void);
/* Returns true if a signal that ends tracer is pending. */
bool own_signals_ending(void);
/*
 * Returns one pending signal and clears it. Signals that end tracer come first. Returns 0 if no
 * signal is pending.
 */
int own_signals_take(void);

/*
 * Makes sure that a signal interrupts wait4() soon after `deadline` (CLOCK_MONOTONIC). NULL means
 * no deadline. Returns true if the deadline has passed.
 */
bool own_signals_deadline(const struct timespec *deadline);

#endif
