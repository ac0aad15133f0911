/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The formats that --format= chooses from. All that the rest of the program knows of them is here:
 * a new format is its folder and a row of the table.
 */
#ifndef TRACER_SINKS_REGISTRY_H
#define TRACER_SINKS_REGISTRY_H

#include "sinks/sink.h"

struct strbuf;

struct sink_format {
	const char *name;
	const char *option; /* --format=NAME, for messages */
	const char *note;   /* for --help, or NULL */
	unsigned wants;	    /* of enum sink_wants, whatever the configuration says */
	bool separately;    /* can have a log for each thread (-ff) */
	bool summaries;	    /* a summary (-c, -C) may follow it */
	/* NULL when the log cannot be opened (one message was given). */
	struct sink *(*create)(const struct sink_config *config);
};

/* Of that name in any letter case; NULL: there is none. The first one is the default. */
const struct sink_format *sink_format_find(const char *name);
/* One after the other, prev NULL: the first; NULL: no more. */
const struct sink_format *sink_format_next(const struct sink_format *prev);
/* What a sink so configured wants events to have: of enum sink_wants. */
unsigned sink_format_wants(const struct sink_format *format, const struct sink_config *config);

#endif
