/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The formats that --tui reads from its children; tui/row.h parses them. Users do not see these
 * formats. All of them write to standard output.
 *
 * "rows" writes one line per event, in order of the events' ends. The fields are separated by tabs:
 *
 *  KIND END DURATION TID PID ERRNO FD NAME COMM PATH TEXT
 *
 * KIND is a letter of enum row_kind. END is CLOCK_REALTIME in nanoseconds, and DURATION is in
 * nanoseconds. ERRNO is 0 if the call succeeded. FD is the first descriptor among the arguments, or
 * a negative number. PATH is the first path of the call, made absolute and escaped as in a string
 * literal in a query, but without the quotes. If the call has no path, PATH is the path of its
 * first descriptor, or "". TEXT is the event in strace's format. No field contains control
 * characters. Events that ended before --from are omitted.
 *
 * "call" writes the same lines, but omits calls that began before --from. After the line of a call,
 * it writes the frames of the call's stack, one per line. These lines begin with " > ".
 *
 * "processes" writes a line about each process (P). It also writes the totals so far (T) at regular
 * intervals:
 *
 *	P PID PARENT FIRST LAST CALLS ERRORS COMM END COMMAND
 *	T END CALLS ERRORS
 *
 * FIRST and LAST are the times of the first and last event of the process. In a P line, END
 * describes how the process ended, such as "exited with 0", or is empty. In a T line, END is the
 * time of the last event so far. PARENT is 0 if it is unknown. The P lines are written at the end,
 * in the order in which the processes began.
 */
#ifndef TRACER_SINKS_ROWS_ROWS_H
#define TRACER_SINKS_ROWS_ROWS_H

#include "sinks/sink.h"

enum row_kind {
	ROWS_CALL = 'c',
	ROWS_RUNNING = 'r', /* the call had not ended when the trace ended */
	ROWS_SIGNAL = 's',
	ROWS_PROCESS = 'p', /* the end of a process or another change in its life */
	ROWS_OTHER = 'o',
	ROWS_LOST = 'l'
};

struct sink *rows_sink_create(const struct sink_config *config);
struct sink *processes_sink_create(const struct sink_config *config);

#endif
