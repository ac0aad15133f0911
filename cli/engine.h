/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The capture engines that --engine= can select. */
#ifndef TRACER_CLI_ENGINE_H
#define TRACER_CLI_ENGINE_H

#include "defs.h"

struct capture;
struct capture_config;

struct engine {
	const char *name;
	unsigned capabilities; /* bits of enum capture_capability */
	/*
	 * Creates the engine. The engine sets `memory` in each struct tcb, and `facts` in struct
	 * capture. If config->want_stacks is set, it also sets `maps` and `files` in struct
	 * capture. On failure, prints one message and returns NULL. If the engine is not part of
	 * this build, always fails. The pointer `create` is NULL for the pseudo-engine of
	 * --read-trace.
	 */
	struct capture *(*create)(const struct capture_config *config);
};

/* Returns the engine named `name`, or NULL. For "auto", returns the ptrace engine. */
const struct engine *engine_find(const char *name);

#endif
