/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=flamegraph: one self-contained HTML file, written at the end of the run. A browser shows
 * it offline, with search, zoom, a choice of weights, and keyboard control.
 */
#ifndef TRACER_SINKS_PROFILE_FLAMEGRAPH_H
#define TRACER_SINKS_PROFILE_FLAMEGRAPH_H

#include "sinks/sink.h"

/*
 * Creates the sink. config->weight is the weight shown initially. Returns NULL after a message if
 * the log cannot be opened.
 */
struct sink *flamegraph_sink_create(const struct sink_config *config);

#endif
