/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summary sink: prints the table of -c and -C at the end of the run. */
#ifndef TRACER_SINKS_SUMMARY_SUMMARY_H
#define TRACER_SINKS_SUMMARY_SUMMARY_H

#include "sinks/sink.h"
#include "sinks/summary/config.h"

/* The data that the sink needs in events: bits of enum sink_wants. */
unsigned summary_sink_wants(const struct summary_config *config);
/* Creates the sink with a copy of config. Never NULL. */
struct sink *summary_sink_create(const struct summary_config *config);

#endif
