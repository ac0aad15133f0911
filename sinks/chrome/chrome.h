/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=chrome: trace events for Perfetto, speedscope and chrome://tracing, in the JSON Array
 * Format of "Trace Event Format" (2016). Each call and each function on its stack is a pair of B
 * and E events, each signal or exit is an i event, and each wake-up is an arrow (s and f events). M
 * events contain the names of processes and threads. Each thread has its own track. Times are in
 * microseconds since the first event.
 */
#ifndef TRACER_SINKS_CHROME_CHROME_H
#define TRACER_SINKS_CHROME_CHROME_H

#include "sinks/sink.h"

/* Creates the sink. If the log cannot be opened, prints a message and returns NULL. */
struct sink *chrome_sink_create(const struct sink_config *config);

#endif
