/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=flamegraph: one HTML file with everything in it, written when the run
 * is over. A browser shows it offline: search, zoom, all weights, keyboard.
 */
#ifndef TRACER_SINKS_FLAMEGRAPH_H
#define TRACER_SINKS_FLAMEGRAPH_H

#include "sinks/sink.h"

/* The weight is what is shown first; the page can switch. NULL when the log cannot be opened (one
 * message was given). */
struct sink *flamegraph_sink_create(const struct sink_config *config);

#endif
