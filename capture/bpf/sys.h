/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The operations of bpf(2) that the engine needs. Functions that make something return a descriptor
 * that is closed on execve, or -errno; the others 0 or -errno.
 */
#ifndef TRACER_CAPTURE_BPF_SYS_H
#define TRACER_CAPTURE_BPF_SYS_H

#include <linux/bpf.h>

#include "defs.h"

struct code;

/* Describes the keys and values of a map, for the kinds of maps that want it. */
struct bpf_types {
	int btf; /* descriptor of sys_btf(), 0: none */
	uint32_t key, value;
};

/* A map: type is an enum bpf_map_type, flags are BPF_F_*, inner is a map's descriptor or 0. */
struct map_spec {
	const char *name;
	unsigned type, key_size, value_size, entries, flags;
	int inner;
	struct bpf_types types;
};
int sys_map(const struct map_spec *spec);
int sys_map_update(int map, const void *key, const void *value);
/* The same, unless there is such an element: -EEXIST. */
int sys_map_add(int map, const void *key, const void *value);
int sys_map_lookup(int map, const void *key, void *value);
/* Updates n elements, whose keys and values are arrays. Linux 5.6. */
int sys_map_update_many(int map, const void *keys, const void *values, unsigned n);
int sys_map_delete(int map, const void *key);

/* A function of a program, for programs that have more than one. */
struct program_function {
	uint32_t insn; /* where it begins */
	uint32_t type; /* id of its FUNC in the program's BTF */
};
struct program_spec {
	const char *name;
	unsigned type;	    /* enum bpf_prog_type */
	unsigned attach;    /* enum bpf_attach_type, 0: none */
	unsigned attach_id; /* id of a type in the kernel's BTF, 0: none */
	const struct code *code;
	int btf; /* descriptor of sys_btf(), 0: the program has one function */
	const struct program_function *functions;
	unsigned nfunctions;
};
/*
 * Loads a program. If the verifier refuses it (-EACCES, -EINVAL, -E2BIG) and log is not NULL, the
 * end of what it said, size bytes with the NUL, is put there.
 */
int sys_program(const struct program_spec *spec, char *log, size_t size);
/* Runs a program of the type BPF_PROG_TYPE_RAW_TRACEPOINT once, here. Returns its result. */
int sys_program_run(int program);
/* Makes such a program of code, and runs it. Returns its result or -errno. */
int sys_run(const struct code *code);
/* How often a program was not run because it was running already on that CPU. */
int sys_program_misses(int program, uint64_t *misses);
/* Attaches a program to the tracepoint that attach_id named; closing the result detaches it. */
int sys_attach(int program);
/* Loads type information made by hand. */
int sys_btf(const void *bytes, size_t n);

#endif
