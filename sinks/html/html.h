/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --format=html: a self-contained page that works offline. It contains a timeline, the list of
 * calls, their stacks, a flame graph, and the processes. The page is written while the program
 * runs, so it can be opened even if tracer is killed. doc/html.md describes it.
 */
#ifndef TRACER_SINKS_HTML_H
#define TRACER_SINKS_HTML_H

#include "sinks/sink.h"

/* Creates the sink. If the log cannot be opened, prints a message and returns NULL. */
struct sink *html_sink_create(const struct sink_config *config);

#endif
