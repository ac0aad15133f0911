/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The formats of --format=. The rest of the program knows formats only through this table. To add a
 * format, add a folder and a row in registry.c.
 */
#ifndef TRACER_SINKS_REGISTRY_H
#define TRACER_SINKS_REGISTRY_H

#include "sinks/sink.h"

struct strbuf;

/* The options that affect a format. */
enum sink_shows {
	SHOWS_LINES = 1 << 0,	 /* lines of text: -a, -i, -n, -r, -t, -T, --color */
	SHOWS_SPELLING = 1 << 1, /* format of arguments in text: -N, -x, -X */
	SHOWS_VALUES = 1 << 2,	 /* content of arguments: -s, -v, -y, -Y */
	SHOWS_DUMPS = 1 << 3,	 /* -e read=, -e write= */
	SHOWS_BLOCKED = 1 << 4,	 /* reports of --blocked */
	SHOWS_WEIGHTS = 1 << 5,	 /* --weight */
	SHOWS_WAKERS = 1 << 6	 /* --wakers */
};

struct sink_format {
	const char *name;
	const char *option; /* --format=NAME, for messages */
	const char *note;   /* for --help, or NULL */
	unsigned wants;	    /* bits of enum sink_wants that are needed with any configuration */
	unsigned shows;	    /* bits of enum sink_shows */
	bool separately;    /* there can be a log for each thread (-ff) */
	bool appends;	    /* -A can append a log to an existing file */
	bool snapshots;	    /* --snapshot is supported */
	bool needs_output;  /* a file or a command (-o) is required; the log never goes to stderr */
	bool is_page;	    /* the log is a page for a browser, not text for a terminal */
	bool by_event;	    /* each event is one or more lines of the log, in order */
	bool summaries;	    /* a summary (-c, -C) may follow the log */
	/* Creates the sink. Returns NULL after a message if the log cannot be opened. */
	struct sink *(*create)(const struct sink_config *config);
};

/* Returns the format with that name in any letter case, or NULL. */
const struct sink_format *sink_format_find(const char *name);
/*
 * Returns the format after prev, or NULL. If prev is NULL, returns the first one, which is the
 * default.
 */
const struct sink_format *sink_format_next(const struct sink_format *prev);
/* Returns which parts of events a sink with this configuration needs: bits of enum sink_wants. */
unsigned sink_format_wants(const struct sink_format *format, const struct sink_config *config);

#endif
