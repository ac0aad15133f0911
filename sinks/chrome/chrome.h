/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=chrome: trace events for Perfetto, speedscope and chrome://tracing, in
 * the JSON Array Format of "Trace Event Format" (2016): an X event for each
 * call, an i event for each signal and exit, M events that name threads; a
 * track a thread, microseconds from the first event on.
 */
#ifndef TRACER_SINKS_CHROME_H
#define TRACER_SINKS_CHROME_H

#include "sinks/sink.h"

/* NULL when the log cannot be opened (one message was given). */
struct sink *chrome_sink_create(const struct sink_config *config);

#endif
