/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_UTIL_DIE_BY_SIGNAL_H
#define TRACER_UTIL_DIE_BY_SIGNAL_H

/*
 * Ends this process with a signal, so that its parent sees the same status as if tracer had not
 * been there. Writes no core file, because the core file of the traced program is enough. Returns
 * if the signal does not end processes by default.
 */
void die_by_signal(int sig);

#endif
