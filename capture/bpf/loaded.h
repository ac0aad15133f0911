/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The programs as the kernel has them: loaded, and attached to where they run. */
#ifndef TRACER_CAPTURE_BPF_LOADED_H
#define TRACER_CAPTURE_BPF_LOADED_H

#include "capture/bpf/programs.h"

struct loaded {
	/* Copies of each program, and what keeps each attached: descriptors, or -1. */
	int programs[PROGRAMS][PROGRAM_COPIES], links[PROGRAMS][PROGRAM_COPIES];
	int events[PROGRAMS]; /* the numbers of program_event(), 0: tracepoints are used */
};

void loaded_init(struct loaded *l);
/*
 * Loads all programs for what config says, whose kernel, level, root and preempted are found here.
 * types is what types_load() has returned. Returns false after one message.
 */
bool loaded_load(struct loaded *l, const struct btf *btf, int types, struct program_config *config);
/* Attaches those that are not attached yet. Returns 0 or -errno, and then none is attached. */
int loaded_attach(struct loaded *l);
void loaded_detach(struct loaded *l);
/* Detaches and unloads. */
void loaded_deinit(struct loaded *l);

/*
 * How many events may have been missed, at most, as the kernel did not run a program that was
 * running already on that CPU. Whether those were of traced threads is not known.
 */
uint64_t loaded_misses(const struct loaded *l);

#endif
