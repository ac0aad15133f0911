/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sink that collects events for a comparison instead of writing a log. */
#ifndef TRACER_SINKS_DIFF_COLLECT_H
#define TRACER_SINKS_DIFF_COLLECT_H

#include "sinks/registry.h"

/*
 * An internal format, not available with --format=. config->run is the run to fill in. It is
 * borrowed.
 */
extern const struct sink_format collect_format;

#endif
