/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The programs that run in the kernel: at the entry and the return of each call, where threads
 * begin and end, where programs are executed and signals are delivered. Each looks up whether the
 * current thread is traced, and if so writes a record (capture/bpf/records.h) to its CPU's ring.
 */
#ifndef TRACER_CAPTURE_BPF_PROGRAMS_H
#define TRACER_CAPTURE_BPF_PROGRAMS_H

#include "capture/bpf/maker.h"

struct btf;

/* Returns 0, or -ENOENT with the name of what the kernel does not have in *missing. */
int kernel_offsets_find(const struct btf *kernel, struct kernel_offsets *o, const char **missing);

/* The programs, in the order in which they are to be attached. */
enum program {
	PROGRAM_FORK,
	PROGRAM_EXEC,
	PROGRAM_EXIT,
	PROGRAM_SIGNAL,
	PROGRAM_IGNORED, /* a signal that is thrown away, or kills at once */

	PROGRAM_SWITCH, /* another thread gets the CPU */
	PROGRAM_LEAVE,
	PROGRAM_LEAVE_AGAIN, /* with program_config.preempted: if that one did not run */
	PROGRAM_ENTER,
	PROGRAMS
};

/* The typedef in the kernel's BTF that stands for the tracepoint of a program. */
const char *program_tracepoint(enum program p);

/* The instructions of a program, with its functions behind it. */
struct program_code {
	struct code code;
	/* Where they begin, in instructions, in this order; 0: it has none. */
	unsigned body, step, stack, fd;
};
/* Returns 0 or what code_link() says. code_deinit() of out->code frees it. */
int program_make(struct program_code *out, enum program p, const struct program_config *config);

/*
 * A program to be run once (sys_program_run()) that returns the level of the current thread's pid
 * namespace.
 */
int program_level(struct code *c, const struct kernel_offsets *kernel);

#endif
