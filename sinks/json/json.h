/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --format=json: JSON Lines, one complete object an event. */
#ifndef TRACER_SINKS_JSON_H
#define TRACER_SINKS_JSON_H

#include "sinks/sink.h"

/* NULL when the log cannot be opened (one message was given). */
struct sink *json_sink_create(const struct sink_config *config);

#endif
