/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --info: describes a recording and its size. */
#ifndef TRACER_SESSION_INFO_H
#define TRACER_SESSION_INFO_H

struct options;

/* Reads all traces and writes their descriptions to standard output. Returns the exit status. */
int session_info(const struct options *o);

#endif
