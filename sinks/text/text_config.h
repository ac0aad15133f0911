/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Options for the format of text output. */
#ifndef TRACER_SINKS_TEXT_TEXT_CONFIG_H
#define TRACER_SINKS_TEXT_TEXT_CONFIG_H

#include "sinks/log_limits.h"
#include "util/escape.h"

enum const_style { CONST_ABBREV, CONST_RAW, CONST_VERBOSE }; /* -X */
enum time_unit { UNIT_S, UNIT_MS, UNIT_US, UNIT_NS };	     /* precision: 0, 3, 6 or 9 digits */
enum time_format { TIME_NONE, TIME_OF_DAY, TIME_UNIX };

struct text_config {
	const char *path;	  /* -o, or NULL */
	const char *default_path; /* where output goes without -o; see output_open() */
	bool append;		  /* -A */
	struct log_limits limits;
	bool separately; /* -ff: path.TID, a log for each thread */
	bool follow;	 /* -f: lines start with a pid once there is more than one thread */
	bool always_show_pid;
	bool pid_comm; /* -Y: the thread's name follows the pid of a line */

	enum const_style const_style;
	enum hex_strings hex_strings; /* -x, -xx */
	unsigned column;	      /* -a: the column of results, 40 by default */
	bool arg_names;		      /* -N */
	bool syscall_numbers;	      /* -n */
	bool instruction_pointer;     /* -i */
	bool stacks; /* -k: print frames; -e stack= alone captures stacks without printing them */
	bool stack_line; /* --stack-trace-style=line */

	enum time_format absolute;
	enum time_unit absolute_unit;
	bool relative; /* -r */
	enum time_unit relative_unit;
	bool durations; /* -T */
	enum time_unit durations_unit;

	bool muted;	 /* -c: write only ABI changes and the text passed to text_sink_append() */
	bool quiet_exit; /* -qq: no "+++ exited" lines */
	bool quiet_superseded; /* -e quiet=thread-execve */
	bool color;	       /* --color; cli/options.c resolves "auto" */
};

#endif
