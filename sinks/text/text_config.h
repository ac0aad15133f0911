/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Options for text output. */
#ifndef TRACER_SINKS_TEXT_TEXT_CONFIG_H
#define TRACER_SINKS_TEXT_TEXT_CONFIG_H

#include "sinks/log_limits.h"
#include "util/escape.h"

/* The styles in which -X writes constants. */
enum const_style { CONST_ABBREV, CONST_RAW, CONST_VERBOSE };
/* The precision of times: 0, 3, 6 or 9 digits after the decimal point. */
enum time_unit { UNIT_S, UNIT_MS, UNIT_US, UNIT_NS };
enum time_format { TIME_NONE, TIME_OF_DAY, TIME_UNIX };

struct text_config {
	const char *path;	  /* -o: the path of the log, or NULL */
	const char *default_path; /* destination without -o; see output_open() */
	bool append;		  /* -A: append to an existing file */
	struct log_limits limits;
	bool separately; /* -ff: write a separate log for each thread, path.TID */
	bool follow; /* -f: the lines of a file that all threads share begin with a thread id even
			if there is only one thread */
	bool always_show_pid;
	bool pid_comm;	    /* -Y: show the thread's name after the pid */
	bool full_contexts; /* --secontext=full: show all parts of SELinux contexts */

	enum const_style const_style;
	enum hex_strings hex_strings; /* -x, -xx: the strings to write in hexadecimal */
	unsigned column;	      /* -a: column in which results are aligned, 40 by default */
	bool arg_names;		      /* -N: write the names of arguments */
	bool syscall_numbers;	      /* -n: write syscall numbers */
	bool instruction_pointer;     /* -i: write the instruction pointer */
	bool stacks; /* -k: print frames; -e stack= alone captures stacks but does not print them */
	bool short_paths; /* true to shorten the paths in stacks */
	bool stack_line;  /* --stack-trace-style=line: write each stack on one line */

	enum time_format absolute;
	enum time_unit absolute_unit;
	bool relative; /* -r: write the time since the previous line */
	enum time_unit relative_unit;
	bool durations; /* -T: write the durations of calls */
	enum time_unit durations_unit;

	bool muted; /* -c: write only changes of the ABI, and the text from text_sink_append() */
	bool quiet_exit;       /* -qq: omit "+++ exited" lines */
	bool quiet_superseded; /* -e quiet=thread-execve: omit "+++ superseded" lines */
	bool color;	       /* --color; "auto" has already been replaced */
};

#endif
