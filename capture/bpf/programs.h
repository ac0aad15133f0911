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

/*
 * preempted is as in struct program_config. Returns 0, or -ENOENT with the name of what the kernel
 * does not have in *missing.
 */
int kernel_offsets_find(const struct btf *kernel, struct kernel_offsets *o, bool preempted,
			const char **missing);

/* The programs, in the order in which they are to be attached. */
enum program {
	PROGRAM_FORK,
	PROGRAM_EXEC,
	PROGRAM_EXIT,
	PROGRAM_SIGNAL,
	PROGRAM_IGNORED, /* a signal that is thrown away, or kills at once */

	PROGRAM_SWITCH, /* another thread gets the CPU */
	PROGRAM_LEAVE,
	PROGRAM_ENTER,
	PROGRAMS
};

/* The typedef in the kernel's BTF that stands for the tracepoint of a program. */
const char *program_tracepoint(enum program p);
/* The event, for tracepoint_id(), that is used instead with program_config.preempted, or NULL. */
const char *program_event(enum program p);
/*
 * How many of a program are to be attached with program_config.preempted: while one waits amid its
 * work for its thread to get the CPU again, the next one works for others. Behind one that has run
 * the others do nothing.
 */
unsigned program_copies(enum program p);
#define PROGRAM_COPIES 3

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
