/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bpf(2): its attributes, a struct of linux/structs/bpf.def for each command,
 * as long as the third argument says. BPF_MEMBER: union bpf_attr names it.
 */
#ifndef TRACER_DECODE_BPF_H
#define TRACER_DECODE_BPF_H

#include "decode/decode.h"

/* Programs: what their instructions are. They are shown with -v. */
enum bpf_insn_set {
	BPF_INSN_SECCOMP, /* BPF_STMT(…), returning what seccomp(2) is to do */
	BPF_INSN_SOCKET,  /* BPF_STMT(…), loading from packets */
	BPF_INSN_EXTENDED /* struct bpf_insn */
};
struct value *decode_bpf_program(struct decoder *d, enum bpf_insn_set set, uint64_t addr,
				 uint64_t count);
decode_fn decode_bpf_insns, decode_ebpf_code, decode_ebpf_register;

/* clang-format off */
/* A pointer to a program of that many instructions. */
#define BPF_INSNS(w, set, ...)                                                                     \
	{                                                                                          \
		.ops = &type_fn, .width = (w), .fn = decode_bpf_insns, .len = __VA_ARGS__,         \
		.extra = (const void *)(uintptr_t)(BPF_INSN_##set)                                 \
	}
#define EBPF_REGISTER(shift)                                                                       \
	{                                                                                          \
		.ops = &type_fn, .width = W8, .fn = decode_ebpf_register, .len = N(shift)          \
	}
#define BPF_ATTR(s)                                                                                \
	{                                                                                          \
		.ops = &type_fn, .width = W_LONG, .fn = decode_bpf_attr, .extra = &struct_##s      \
	}
#define BPF_MEMBER(s, member)                                                                      \
	{                                                                                          \
		.ops = &type_fn, .width = W_LONG, .fn = decode_bpf_attr, .extra = &struct_##s,     \
		.len = {.field = #member}                                                          \
	}
/* clang-format on */

decode_fn decode_bpf_attr;
decode_fn decode_bpf_version;		    /* KERNEL_VERSION(6, 1, 0) */
bool bpf_replaces(const struct decoder *d); /* of a link: the old program counts */
/* Fields that flags or the struct's size give a meaning, and such as have none. */
bool bpf_has_numa_node(const struct decoder *d);
bool bpf_has_core_relos(const struct decoder *d);
bool bpf_never(const struct decoder *d);

#endif
