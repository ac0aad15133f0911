/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --format=json: JSON Lines, a complete object for each event; see doc/tracer-json.schema.json. */
#ifndef TRACER_SINKS_JSON_JSON_H
#define TRACER_SINKS_JSON_JSON_H

#include "sinks/sink.h"

/* Creates the sink. Returns NULL after a message if the log cannot be opened. */
struct sink *json_sink_create(const struct sink_config *config);

#endif
