/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --info: what a trace is a recording of, and how much there is in it. */
#ifndef TRACER_SESSION_INFO_H
#define TRACER_SESSION_INFO_H

struct options;

/* Reads all traces and describes them on standard output. Returns the exit status. */
int session_info(const struct options *o);

#endif
