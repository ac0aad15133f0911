/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --diff: reads two traces, one after the other, and reports their differences. */
#ifndef TRACER_SESSION_DIFF_H
#define TRACER_SESSION_DIFF_H

struct options;

/*
 * Returns the exit status: 0 if the runs are equal, 2 if they differ, or 1 after an error, for
 * which a message is printed.
 */
int session_diff(const struct options *options);

#endif
