/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summary sink: the table that -c and -C print when the run is over. */
#ifndef TRACER_SINKS_SUMMARY_SUMMARY_H
#define TRACER_SINKS_SUMMARY_SUMMARY_H

#include "sinks/sink.h"
#include "sinks/summary/config.h"

/* What the sink needs events to have: bits of enum sink_wants. */
unsigned summary_sink_wants(const struct summary_config *config);
/* Makes the sink and copies config. Never NULL. */
struct sink *summary_sink_create(const struct summary_config *config);

#endif
