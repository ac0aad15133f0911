/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=flamegraph: one self-contained HTML file, written when the run is over. A browser shows
 * it offline, with search, zoom, a choice of weights, and by keyboard.
 */
#ifndef TRACER_SINKS_PROFILE_FLAMEGRAPH_H
#define TRACER_SINKS_PROFILE_FLAMEGRAPH_H

#include "sinks/sink.h"

/*
 * Makes the sink. config->weight is what the page shows first. Returns NULL after a message if the
 * log cannot be opened.
 */
struct sink *flamegraph_sink_create(const struct sink_config *config);

#endif
