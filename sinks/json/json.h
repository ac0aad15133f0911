/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --format=json: JSON Lines, one complete object an event. */
#ifndef TRACER_SINKS_JSON_H
#define TRACER_SINKS_JSON_H

#include "sinks/sink.h"

struct json_config {
	const char *path; /* as in struct text_config */
	bool append;
	bool separately;
	bool stacks;	 /* -k */
	bool quiet_exit; /* -qq: no exit events */
};

/* NULL when the log cannot be opened (one message was given). */
struct sink *json_sink_create(const struct json_config *config);

#endif
