/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/engine.h"

#include <string.h>

#include "capture/bpf/engine.h"
#include "capture/ptrace/tracee.h"

static const struct engine engines[] = {
	{"ptrace", TRACEES_CAPABILITIES, tracees_create},
	{"bpf", BPF_ENGINE_CAPABILITIES, bpf_engine_create},
};

const struct engine *engine_find(const char *name)
{
	if (!strcmp(name, "auto"))
		return &engines[0];
	for (size_t i = 0; i < ARRAY_SIZE(engines); i++) {
		if (!strcmp(engines[i].name, name))
			return &engines[i];
	}
	return NULL;
}
