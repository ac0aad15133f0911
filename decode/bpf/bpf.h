/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bpf(2). The second argument points to attributes, whose struct depends on the command
 * (linux/structs/bpf.def). The third argument is the size of the attributes in bytes. BPF_ATTR(s)
 * shows the attributes as struct s. BPF_MEMBER(s, m) is for commands whose attributes are the
 * member m of union bpf_attr (<linux/bpf.h>), a struct s.
 */
#ifndef TRACER_DECODE_BPF_BPF_H
#define TRACER_DECODE_BPF_BPF_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* The instruction sets of BPF programs. Programs are shown only with -v. */
enum bpf_insn_set {
	/* BPF_STMT(…) instructions of a program whose result is an action of seccomp(2) */
	BPF_INSN_SECCOMP,
	BPF_INSN_SOCKET,  /* BPF_STMT(…) instructions that can load bytes of a packet */
	BPF_INSN_EXTENDED /* struct bpf_insn */
};
/* Shows the program of `count` instructions at addr, an address in the tracee. */
struct value *decode_bpf_program(struct decoder *d, enum bpf_insn_set set, uint64_t addr,
				 uint64_t count);
/*
 * For tables of syscalls: decode_bpf_insns shows a pointer to a program. decode_ebpf_code and
 * decode_ebpf_register show the members code, dst_reg and src_reg of struct bpf_insn.
 */
decode_fn decode_bpf_insns, decode_ebpf_code, decode_ebpf_register;

/* clang-format off */
/* A pointer to a program. The last parameter is the number of instructions. */
#define BPF_INSNS(w, set, ...) TYPE(type_fn, .width = (w), .fn = decode_bpf_insns, .len = __VA_ARGS__, .n = BPF_INSN_##set)
#define EBPF_REGISTER(shift) TYPE(type_fn, .width = W8, .fn = decode_ebpf_register, .len = N(shift))
#define BPF_ATTR_(f, s, member) TYPE(type_fn, .width = W_LONG, .fn = (f), .shape = &struct_##s, .len = {.field = member})
#define BPF_ATTR(s)		 BPF_ATTR_(decode_bpf_attr, s, NULL)
#define BPF_MEMBER(s, m)	 BPF_ATTR_(decode_bpf_attr, s, #m)
/* Attributes with some fields that the kernel fills in. linux/structs/bpf.def lists them in FO(). */
#define BPF_ATTR_GROWS(s)	 BY_PHASE(BPF_ATTR_(decode_bpf_growing_entry, s, NULL), BPF_ATTR_(decode_bpf_growing_exit, s, NULL))
#define BPF_MEMBER_GROWS(s, m)	 BY_PHASE(BPF_ATTR_(decode_bpf_growing_entry, s, #m), BPF_ATTR_(decode_bpf_growing_exit, s, #m))
/* Attributes that are shown at exit. At entry, their address is shown if they cannot be read. */
#define BPF_MEMBER_LATE(s, m)	 BY_PHASE(BPF_ATTR_(decode_bpf_late_entry, s, #m), BPF_ATTR_(decode_bpf_attr, s, #m))
#define BPF_MEMBER_BATCH(s, m)	 BY_PHASE(BPF_ATTR_(decode_bpf_batch_entry, s, #m), BPF_ATTR_(decode_bpf_batch_exit, s, #m))
/* A pointer to an array that the kernel fills in. The parameters are those of PTR64(). */
#define BPF_GOT(...) TYPE(type_fn, .width = W64, .fn = decode_bpf_array, .other = &(const struct type)PTR64(__VA_ARGS__))
/* Fields of struct bpf_prog_info that the kernel changes: a count or an address. */
#define BPF_GOT_COUNT(f) TYPE(type_fn, .width = W32, .fn = decode_bpf_count, .text = #f)
#define BPF_GOT_ADDR(f)	 TYPE(type_fn, .width = W64, .fn = decode_bpf_address, .text = #f)
#define BPF_NAME MEMFN(type_bpf_name, 16) /* BPF_OBJ_NAME_LEN */
/* A pointer to a string in a buffer. The parameter is the size of the buffer. */
#define BPF_TEXT(...) TYPE(type_fn, .width = W64, .fn = decode_bpf_text, .len = __VA_ARGS__)
/* clang-format on */
extern const struct type_ops type_bpf_name;

decode_fn decode_bpf_attr, decode_bpf_late_entry, decode_bpf_growing_entry, decode_bpf_growing_exit,
	decode_bpf_batch_entry, decode_bpf_batch_exit;
decode_fn decode_ret_bpf;     /* a result: a descriptor if the attributes could be read, otherwise a
				 number */
decode_fn decode_bpf_version; /* a kernel version, such as KERNEL_VERSION(6, 1, 0) */
decode_fn decode_bpf_array, decode_bpf_text, decode_bpf_numa_node, decode_bpf_map_extra;
/*
 * For a member that the kernel changes. At exit, both its old and its new value are shown: 80 =>
 * 40.
 */
decode_fn decode_bpf_until_known, decode_bpf_changed;

/*
 * For BPF_OBJ_GET_INFO_BY_FD: the struct and its fields. The kind of the descriptor determines the
 * type of the struct.
 */
decode_fn decode_bpf_info, decode_bpf_gpl, decode_bpf_xlated, decode_bpf_load_time;
decode_fn decode_bpf_count, decode_bpf_address, decode_bpf_map_ids;
/* Shows nothing. Saves the struct, because the kernel will overwrite it. */
decode_fn decode_bpf_info_before;

/* Conditions for fields of links. The result depends on the fields attach_type and flags. */
bool bpf_link_is_cgroup(const struct decoder *d);
bool bpf_link_is_ordered_cgroup(const struct decoder *d);

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads bpf_reads[];

#endif
