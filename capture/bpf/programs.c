/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The compiled programs of capture/bpf/kernel, included as bytes. */
#include "capture/bpf/loaded.h"

#define BYTES(name, file)                                                                          \
	extern const char name[], name##_end[];                                                    \
	__asm__(".pushsection .rodata\n"                                                           \
		".balign 8\n"                                                                      \
		".global " #name "\n" #name ":\n"                                                  \
		".incbin \"" file "\"\n"                                                           \
		".global " #name "_end\n" #name "_end:\n"                                          \
		".popsection\n")

BYTES(bpf_tracepoints, "capture/bpf/kernel/tracepoints.bpf.o");
BYTES(bpf_tracepoints_paths, "capture/bpf/kernel/tracepoints_paths.bpf.o");
BYTES(bpf_events, "capture/bpf/kernel/events.bpf.o");
BYTES(bpf_events_paths, "capture/bpf/kernel/events_paths.bpf.o");

#define OBJECT(name)                                                                               \
	{                                                                                          \
		name, name##_end                                                                   \
	}

const struct programs_object programs_objects[2][2] = {
	{OBJECT(bpf_tracepoints), OBJECT(bpf_tracepoints_paths)},
	{OBJECT(bpf_events), OBJECT(bpf_events_paths)}};
