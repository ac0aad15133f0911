/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=chrome: trace events for Perfetto, speedscope and chrome://tracing, in
 * the JSON Array Format of "Trace Event Format" (2016). There is an X event for each
 * call, an i event for each signal and exit, and M events name threads. Each thread has
 * a track. Times are in microseconds since the first event.
 */
#ifndef TRACER_SINKS_CHROME_CHROME_H
#define TRACER_SINKS_CHROME_CHROME_H

#include "sinks/sink.h"

/* Creates the sink. Returns NULL after a message if the log cannot be opened. */
struct sink *chrome_sink_create(const struct sink_config *config);

#endif
