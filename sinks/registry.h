/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The formats of --format=. The rest of the program accesses formats only through this table. To
 * add a format, add a folder and a row in registry.c.
 */
#ifndef TRACER_SINKS_REGISTRY_H
#define TRACER_SINKS_REGISTRY_H

#include "sinks/sink.h"

struct strbuf;

/* Groups of options that a format may support. */
enum sink_shows {
	SHOWS_LINES = 1 << 0,	 /* layout of text lines: -a, -i, -n, -r, -t, -T, --color */
	SHOWS_SPELLING = 1 << 1, /* the notation of arguments in text: -N, -x, -X */
	SHOWS_VALUES = 1 << 2,	 /* the contents of arguments: -s, -v, -y, -Y */
	SHOWS_DUMPS = 1 << 3,	 /* dumps of data: -e read=, -e write= */
	SHOWS_BLOCKED = 1 << 4,	 /* messages about blocked calls: --blocked */
	SHOWS_WEIGHTS = 1 << 5,	 /* --weight */
	SHOWS_WAKERS = 1 << 6	 /* --wakers */
};

struct sink_format {
	const char *name;
	const char *option; /* name of the format as --format=NAME, for messages */
	const char *note;   /* a note for --help, or NULL */
	/* bits of enum sink_wants that the format needs in every configuration */
	unsigned wants;
	unsigned shows;	   /* bits of enum sink_shows */
	bool separately;   /* true if a separate log can be written for each thread (-ff) */
	bool appends;	   /* true if the log can be appended to an existing file (-A) */
	bool snapshots;	   /* true if the format supports --snapshot */
	bool needs_output; /* true if a file or a command (-o) is required, because the log never
			      goes to stderr */
	bool is_page;	   /* true if the log is a web page, not text for a terminal */
	bool on_screen;	   /* true if --tui shows the events of the log on the terminal */
	bool early; /* true if events must be reported from the beginning of the part of the trace
		       that contains --from; see struct player_config */
	bool by_event;	/* true if each event becomes one or more lines, in the order of events */
	bool summaries; /* true if a summary (-c, -C) may be appended to the log */
	/* Creates the sink. If the log cannot be opened, prints a message and returns NULL. */
	struct sink *(*create)(const struct sink_config *config);
};

/* Returns the format called `name`, or NULL. Ignores case. */
const struct sink_format *sink_format_find(const char *name);
/*
 * Returns the format after `prev`, or NULL. If `prev` is NULL, returns the first format, which is
 * the default.
 */
const struct sink_format *sink_format_next(const struct sink_format *prev);
/* Returns the event data that a sink with this configuration needs: bits of enum sink_wants. */
unsigned sink_format_wants(const struct sink_format *format, const struct sink_config *config);

#endif
