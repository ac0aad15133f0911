/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --symbolize: writes a copy of a trace and adds the names of the frames. The names are looked up
 * in the files of this machine, so that users without these files can see the names, too. A raw
 * stack is walked and replaced by frames if all of its files exist on this machine.
 */
#ifndef TRACER_SESSION_SYMBOLIZE_H
#define TRACER_SESSION_SYMBOLIZE_H

#include "defs.h"

struct symbolize_config {
	const char *from;    /* the trace; it is read several times, so it cannot be a pipe */
	const char *to;	     /* the new trace; see trace_file_open() */
	const char *sysroot; /* the directory in which files are searched, or NULL */
	bool debuginfod;     /* true if debuginfod servers may be queried */
};

/* Returns the exit status: 0 on success, or 1 after printing a message. */
int trace_symbolize(const struct symbolize_config *config);

#endif
