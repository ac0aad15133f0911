/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The formats that --format= chooses from. The rest of the program knows formats only from this
 * table: a new format is a folder and a row in registry.c.
 */
#ifndef TRACER_SINKS_REGISTRY_H
#define TRACER_SINKS_REGISTRY_H

#include "sinks/sink.h"

struct strbuf;

/* What options have an effect on in a format. */
enum sink_shows {
	SHOWS_LINES = 1 << 0,	 /* lines of text: -a, -i, -n, -r, -t, -T, --color */
	SHOWS_SPELLING = 1 << 1, /* arguments as text spells them: -N, -x, -X */
	SHOWS_VALUES = 1 << 2,	 /* arguments: -s, -v, -y, -Y */
	SHOWS_DUMPS = 1 << 3,	 /* -e read=, -e write= */
	SHOWS_BLOCKED = 1 << 4,	 /* reports of --blocked */
	SHOWS_WEIGHTS = 1 << 5	 /* --weight */
};

struct sink_format {
	const char *name;
	const char *option; /* --format=NAME, for messages */
	const char *note;   /* for --help, or NULL */
	unsigned wants;	    /* of enum sink_wants, whatever the configuration says */
	unsigned shows;	    /* of enum sink_shows */
	bool separately;    /* there can be a log for each thread (-ff) */
	bool appends;	    /* a log may follow another one in the same file (-A) */
	bool snapshots;	    /* what threads do at one moment can be shown (--snapshot) */
	bool needs_output;  /* it goes to a file or a command (-o), never to stderr */
	bool is_page;	    /* it is for a browser: nothing that a terminal should get */
	bool by_event;	    /* a log has a line or more for each event, in their order */
	bool summaries;	    /* a summary (-c, -C) may follow the log */
	/* Makes the sink. Returns NULL after a message if the log cannot be opened. */
	struct sink *(*create)(const struct sink_config *config);
};

/* The format with that name in any letter case, or NULL. */
const struct sink_format *sink_format_find(const char *name);
/* The format after prev, or NULL. With prev NULL it is the first one, which is the default. */
const struct sink_format *sink_format_next(const struct sink_format *prev);
/* What a sink with this configuration needs events to have: bits of enum sink_wants. */
unsigned sink_format_wants(const struct sink_format *format, const struct sink_config *config);

#endif
