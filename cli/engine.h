/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The engines of capture that --engine= chooses from. */
#ifndef TRACER_CLI_ENGINE_H
#define TRACER_CLI_ENGINE_H

#include "defs.h"

struct capture;
struct capture_config;

struct engine {
	const char *name;
	unsigned capabilities; /* of enum capture_capability */
	/*
	 * NULL: this build does not have it. The result brings memory, facts and, with
	 * want_stacks, maps and files of its own; NULL: after one message.
	 */
	struct capture *(*create)(const struct capture_config *config);
};

/* The engine of that name; "auto" is the best one of this build. NULL: there is none. */
const struct engine *engine_find(const char *name);

#endif
