/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sink that writes nothing but keeps events for a comparison. */
#ifndef TRACER_SINKS_DIFF_COLLECT_H
#define TRACER_SINKS_DIFF_COLLECT_H

#include "sinks/registry.h"

/* Not available as --format=. config->run is the run to fill; it is borrowed. */
extern const struct sink_format collect_format;

#endif
