/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text sink: the lines strace prints. */
#ifndef TRACER_SINKS_TEXT_H
#define TRACER_SINKS_TEXT_H

#include "sinks/sink.h"
#include "util/escape.h"

enum const_style { CONST_ABBREV, CONST_RAW, CONST_VERBOSE }; /* -X */
enum time_unit { UNIT_S, UNIT_MS, UNIT_US, UNIT_NS };	     /* precision: 0, 3, 6, 9 digits */
enum time_format { TIME_NONE, TIME_OF_DAY, TIME_UNIX };

struct text_config {
	/* Where it goes: path NULL is stderr; "|cmd" and "!cmd" are pipes; separately: path.TID. */
	const char *path;
	bool append;	 /* -A */
	bool separately; /* -ff */
	bool follow;	 /* -f: more than one thread may show, so prefixes appear with the second */
	bool always_show_pid;
	bool pid_comm; /* -Y: pids of lines carry the name */

	enum const_style const_style;
	enum hex_strings hex_strings; /* -x, -xx */
	unsigned column;	      /* -a, 40 */
	bool arg_names;		      /* -N */
	bool syscall_numbers;	      /* -n */
	bool instruction_pointer;     /* -i */
	bool stacks; /* -k: print frames (an -e stack= filter alone captures without printing) */
	bool stack_line; /* --stack-trace-style=line */

	enum time_format absolute;
	enum time_unit absolute_unit;
	bool relative; /* -r */
	enum time_unit relative_unit;
	bool durations; /* -T */
	enum time_unit durations_unit;

	bool muted;	       /* -c: nothing but changes of ABI, and what is appended */
	bool quiet_exit;       /* -qq: no "+++ exited" lines */
	bool quiet_superseded; /* -e quiet=thread-execve */
	bool color;	       /* --color, "auto" resolved by options.c */
};

/* What it wants of events: enum sink_wants. */
unsigned text_sink_wants(const struct text_config *config);
/* NULL when the log cannot be opened or the command not started (one message was given). */
struct sink *text_sink_create(const struct text_config *config);
/* Writes whole lines of another's making into the log that all threads share. */
void text_sink_append(struct sink *s, const char *lines, size_t n);

/* Renders one value as the text sink does; for tests. */
struct strbuf;
void text_value(struct strbuf *out, const struct value *v, const struct text_config *config);

#endif
