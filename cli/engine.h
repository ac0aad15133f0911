/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The capture engines that --engine= selects from. */
#ifndef TRACER_CLI_ENGINE_H
#define TRACER_CLI_ENGINE_H

#include "defs.h"

struct capture;
struct capture_config;

struct engine {
	const char *name;
	unsigned capabilities; /* bits of enum capture_capability */
	/*
	 * Creates the engine, which provides memory and facts and, if config->want_stacks is set,
	 * maps and files. Returns NULL after printing one message. The pointer `create` is NULL if
	 * the engine is not part of this build.
	 */
	struct capture *(*create)(const struct capture_config *config);
};

/* Returns the engine of that name, or NULL. "auto" is the best engine of this build. */
const struct engine *engine_find(const char *name);

#endif
