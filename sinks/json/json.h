/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --format=json: JSON Lines with one complete object per event. See doc/tracer-json.schema.json. */
#ifndef TRACER_SINKS_JSON_JSON_H
#define TRACER_SINKS_JSON_JSON_H

#include "sinks/sink.h"

/* Creates the sink. If the log cannot be opened, prints a message and returns NULL. */
struct sink *json_sink_create(const struct sink_config *config);

#endif
