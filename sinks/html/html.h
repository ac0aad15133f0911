/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=html: one self-contained page that a browser shows offline: a timeline, the list of
 * calls, their stacks, a flame graph, and the processes. It is written while the program runs, so
 * it can be opened even if tracer is killed. doc/html.md describes it.
 */
#ifndef TRACER_SINKS_HTML_H
#define TRACER_SINKS_HTML_H

#include "sinks/sink.h"

/* Creates the sink. Returns NULL after a message if the log cannot be opened. */
struct sink *html_sink_create(const struct sink_config *config);

#endif
