/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text sink: writes lines like those of strace. */
#ifndef TRACER_SINKS_TEXT_TEXT_H
#define TRACER_SINKS_TEXT_TEXT_H

#include "sinks/sink.h"
#include "sinks/text/text_config.h"

/* Returns the data that the sink needs in events, as bits of enum sink_wants. */
unsigned text_sink_wants(const struct text_config *config);
/*
 * Creates the sink with a copy of config. Returns NULL after printing a message if the log cannot
 * be opened or its command cannot be started.
 */
struct sink *text_sink_create(const struct text_config *config);
/* Writes n bytes of whole lines to the log that all threads share. */
void text_sink_append(struct sink *s, const char *lines, size_t n);

#endif
