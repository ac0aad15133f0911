/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --diff: two traces are read, one after the other, and what differs between them is written. */
#ifndef TRACER_SESSION_DIFF_H
#define TRACER_SESSION_DIFF_H

struct options;

/*
 * The status to exit with: 0 if the runs do not differ, 2 if they do, 1 after an error, of which a
 * message has told.
 */
int session_diff(const struct options *options);

#endif
