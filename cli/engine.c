/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "cli/engine.h"

#include <string.h>

#include "capture/bpf/engine.h"
#include "capture/ptrace/tracee.h"
#include "util/msg.h"

#if WITH_BPF
#define BPF_CREATE bpf_engine_create
#else
#define BPF_CREATE refuse_bpf
static struct capture *refuse_bpf(const struct capture_config *config attr_unused)
{
	msg("this tracer was built without --engine=bpf: use --engine=ptrace");
	return NULL;
}
#endif

static const struct engine engines[] = {
	{"ptrace", TRACEES_CAPABILITIES, tracees_create},
	{"bpf", BPF_ENGINE_CAPABILITIES, BPF_CREATE},
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
