/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The BPF engine, which never stops its tracees. Programs in the kernel record events together with
 * the memory that decoding will need. The engine reads the records later, in order, and reports
 * each event as a struct stop. The layers above use the engine through struct capture
 * (capture/capture.h). doc/bpf-engine.md describes the engine and its limits.
 */
#ifndef TRACER_CAPTURE_BPF_ENGINE_H
#define TRACER_CAPTURE_BPF_ENGINE_H

#include "capture/capture.h"

/* The capabilities of this engine: bits of enum capture_capability. */
#define BPF_ENGINE_CAPABILITIES                                                                    \
	(CAPTURE_TIMES | CAPTURE_BUFFERS | CAPTURE_STACKS | CAPTURE_REGISTERS | CAPTURE_FDS |      \
	 CAPTURE_CPU_TIMES | CAPTURE_CGROUPS | CAPTURE_PIDS | CAPTURE_REQUESTS | CAPTURE_SCHED)

/*
 * Creates the engine. If the kernel refuses, prints one message with the reason and returns NULL.
 * Only one engine may exist at a time, because an engine owns signal handlers
 * (capture/own_signals.h).
 */
struct capture *bpf_engine_create(const struct capture_config *config);

#endif
