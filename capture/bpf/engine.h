/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The BPF engine, which never stops its tracees: programs in the kernel write down what happens,
 * with the memory that decoding will look at, and the engine reads it later, in order, and reports
 * it as a struct stop. The layers above use it through struct capture (capture/capture.h). How it
 * works, and what it cannot know, is in doc/bpf-engine.md.
 */
#ifndef TRACER_CAPTURE_BPF_ENGINE_H
#define TRACER_CAPTURE_BPF_ENGINE_H

#include "capture/capture.h"

/* What this engine can do: bits of enum capture_capability. */
#define BPF_ENGINE_CAPABILITIES                                                                    \
	(CAPTURE_TIMES | CAPTURE_BUFFERS | CAPTURE_STACKS | CAPTURE_REGISTERS | CAPTURE_FDS |      \
	 CAPTURE_CPU_TIMES | CAPTURE_CGROUPS | CAPTURE_PIDS)

/*
 * Creates the engine; NULL after one message that says why the kernel does not let us. Only one may
 * exist at a time, because it owns handlers of signals (capture/own_signals.h).
 */
struct capture *bpf_engine_create(const struct capture_config *config);

#endif
