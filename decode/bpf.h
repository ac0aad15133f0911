/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bpf(2): its attributes, a struct of linux/structs/bpf.def for each command,
 * as long as the third argument says. BPF_MEMBER: union bpf_attr names it.
 */
#ifndef TRACER_DECODE_BPF_H
#define TRACER_DECODE_BPF_H

#include "decode/decode.h"

/* clang-format off */
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
