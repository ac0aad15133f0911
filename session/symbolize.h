/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --symbolize: writes a trace again, with the names that the files of this machine give to the
 * frames of its stacks, so that who does not have these files sees them as well. Stacks that were
 * recorded raw are walked, and become frames, where all of their files are here.
 */
#ifndef TRACER_SESSION_SYMBOLIZE_H
#define TRACER_SESSION_SYMBOLIZE_H

#include "defs.h"

struct symbolize_config {
	const char *from;    /* the trace; it is read several times, so it cannot be a pipe */
	const char *to;	     /* as of trace_file_open() */
	const char *sysroot; /* the folder that files are looked for in, or NULL */
	bool debuginfod;     /* may ask debuginfod servers */
};

/* Returns the status to exit with: 0, or 1 after a message. */
int trace_symbolize(const struct symbolize_config *config);

#endif
