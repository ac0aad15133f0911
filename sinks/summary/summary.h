/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sink of -c and -C. It prints the summary at the end of the run. */
#ifndef TRACER_SINKS_SUMMARY_SUMMARY_H
#define TRACER_SINKS_SUMMARY_SUMMARY_H

#include "sinks/sink.h"
#include "sinks/summary/config.h"

/* Returns the event data that the sink needs: bits of enum sink_wants. */
unsigned summary_sink_wants(const struct summary_config *config);
/* Creates the sink, which copies `config`. Never returns NULL. */
struct sink *summary_sink_create(const struct summary_config *config);

#endif
