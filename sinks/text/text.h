/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text sink. Writes lines in strace's format. */
#ifndef TRACER_SINKS_TEXT_TEXT_H
#define TRACER_SINKS_TEXT_TEXT_H

#include "sinks/sink.h"
#include "sinks/text/text_config.h"

/* Returns the event data that the sink needs: bits of enum sink_wants. */
unsigned text_sink_wants(const struct text_config *config);
/*
 * Creates the sink, which copies `config`. If the log cannot be opened or its command cannot be
 * started, prints a message and returns NULL.
 */
struct sink *text_sink_create(const struct text_config *config);
/* Writes n bytes of complete lines to the log that all threads share. */
void text_sink_append(struct sink *s, const char *lines, size_t n);

#endif
