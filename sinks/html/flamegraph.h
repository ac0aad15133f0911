/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=flamegraph: a self-contained HTML file, written at the end of the run. It works offline,
 * and provides search, zoom, a choice of weights, and keyboard control.
 */
#ifndef TRACER_SINKS_HTML_FLAMEGRAPH_H
#define TRACER_SINKS_HTML_FLAMEGRAPH_H

#include "sinks/sink.h"

/*
 * Creates the sink. config->weight is the weight that is shown at first. If the log cannot be
 * opened, prints a message and returns NULL.
 */
struct sink *flamegraph_sink_create(const struct sink_config *config);

#endif
