/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The programs that run in the kernel: at the entry and the return of each call, where threads
 * begin and end, where programs are executed and signals are delivered. Each looks up whether the
 * current thread is traced, and if so writes a record (capture/bpf/records.h) to its CPU's ring.
 */
#ifndef TRACER_CAPTURE_BPF_PROGRAMS_H
#define TRACER_CAPTURE_BPF_PROGRAMS_H

#include "capture/bpf/code.h"

struct btf;

/* What the programs need to know of the kernel, from its BTF: offsets in bytes. */
struct kernel_offsets {
	int compat; /* of struct task_struct: the word in which a bit says that a call is compat */
	int pid, tgid, exit_code, mm, group_leader, thread_pid;
	int pid_level, pid_numbers, upid_size; /* of struct pid, struct upid */
	int regs_size;			       /* of struct pt_regs */
};
/* Returns 0, or -ENOENT with the name of what the kernel does not have in *missing. */
int kernel_offsets_find(const struct btf *kernel, struct kernel_offsets *o, const char **missing);

/* The maps that programs use, by their descriptors. */
struct program_maps {
	int threads;  /* struct thread_state of each traced thread */
	int calls;    /* struct call_entry */
	int variants; /* struct variant_key to struct variant_entry */
	int ops;      /* struct read_op */
	int scratch;  /* struct scratch of each CPU */
	int rings;    /* of each CPU, the ring for calls */
	int events;   /* of each CPU, the ring for everything else */
};

struct program_config {
	const struct kernel_offsets *kernel;
	const struct program_maps *maps;
	unsigned level;	     /* of our pid namespace, 0: the first one */
	uint32_t stack_size; /* bytes of stack of calls with CALL_STACK, and of signals; 0: none */
};

/* The programs, in the order in which they are to be attached. */
enum program {
	PROGRAM_FORK,
	PROGRAM_EXEC,
	PROGRAM_EXIT,
	PROGRAM_SIGNAL,
	PROGRAM_IGNORED, /* a signal that is thrown away */

	PROGRAM_LEAVE,
	PROGRAM_ENTER,
	PROGRAMS
};

/* The typedef in the kernel's BTF that stands for the tracepoint of a program. */
const char *program_tracepoint(enum program p);

/* The instructions of a program, with the functions for bpf_loop() behind it. */
struct program_code {
	struct code code;
	unsigned step, stack; /* where they begin, in instructions; 0: it has none */
};
/* Returns 0 or what code_link() says. code_deinit() of out->code frees it. */
int program_make(struct program_code *out, enum program p, const struct program_config *config);

/*
 * A program to be run once (sys_program_run()) that returns the level of the current thread's pid
 * namespace.
 */
int program_level(struct code *c, const struct kernel_offsets *kernel);

#endif
