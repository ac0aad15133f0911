/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bpf(2). Each command has attributes, a struct of linux/structs/bpf.def. The third argument is
 * their length in bytes. BPF_ATTR(s) shows them as struct s. BPF_MEMBER(s, m) shows a struct s that
 * is member m of union bpf_attr, <linux/bpf.h>.
 */
#ifndef TRACER_DECODE_BPF_BPF_H
#define TRACER_DECODE_BPF_BPF_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* The instruction sets of programs. Programs are shown with -v only. */
enum bpf_insn_set {
	BPF_INSN_SECCOMP, /* BPF_STMT(…) instructions, whose results are actions of seccomp(2) */
	BPF_INSN_SOCKET,  /* BPF_STMT(…) instructions, which load from packets */
	BPF_INSN_EXTENDED /* struct bpf_insn */
};
/* Shows the program of `count` instructions at the tracee's address addr. */
struct value *decode_bpf_program(struct decoder *d, enum bpf_insn_set set, uint64_t addr,
				 uint64_t count);
/* For rows: a pointer to a program, and the fields code, dst_reg and src_reg of struct bpf_insn. */
decode_fn decode_bpf_insns, decode_ebpf_code, decode_ebpf_register;

/* clang-format off */
/* A pointer to a program. The last parameter is its number of instructions. */
#define BPF_INSNS(w, set, ...) TYPE(type_fn, .width = (w), .fn = decode_bpf_insns, .len = __VA_ARGS__, .n = BPF_INSN_##set)
#define EBPF_REGISTER(shift) TYPE(type_fn, .width = W8, .fn = decode_ebpf_register, .len = N(shift))
#define BPF_ATTR_(f, s, member) TYPE(type_fn, .width = W_LONG, .fn = (f), .shape = &struct_##s, .len = {.field = member})
#define BPF_ATTR(s)		 BPF_ATTR_(decode_bpf_attr, s, NULL)
#define BPF_MEMBER(s, m)	 BPF_ATTR_(decode_bpf_attr, s, #m)
/* Attributes with fields that the kernel stores. Such fields are marked FO in the struct's row. */
#define BPF_ATTR_GROWS(s)	 BY_PHASE(BPF_ATTR_(decode_bpf_growing_entry, s, NULL), BPF_ATTR_(decode_bpf_growing_exit, s, NULL))
#define BPF_MEMBER_GROWS(s, m)	 BY_PHASE(BPF_ATTR_(decode_bpf_growing_entry, s, #m), BPF_ATTR_(decode_bpf_growing_exit, s, #m))
/* Attributes that are shown at exit. If they cannot be read, their address is shown at entry. */
#define BPF_MEMBER_LATE(s, m)	 BY_PHASE(BPF_ATTR_(decode_bpf_late_entry, s, #m), BPF_ATTR_(decode_bpf_attr, s, #m))
#define BPF_MEMBER_BATCH(s, m)	 BY_PHASE(BPF_ATTR_(decode_bpf_batch_entry, s, #m), BPF_ATTR_(decode_bpf_batch_exit, s, #m))
/* A pointer to an array that the kernel stores. The parameters are those of PTR64(). */
#define BPF_GOT(...) TYPE(type_fn, .width = W64, .fn = decode_bpf_array, .other = &(const struct type)PTR64(__VA_ARGS__))
/* Fields of struct bpf_prog_info that the kernel changes: a count, an address. */
#define BPF_GOT_COUNT(f) TYPE(type_fn, .width = W32, .fn = decode_bpf_count, .text = #f)
#define BPF_GOT_ADDR(f)	 TYPE(type_fn, .width = W64, .fn = decode_bpf_address, .text = #f)
#define BPF_NAME MEMFN(type_bpf_name, 16) /* BPF_OBJ_NAME_LEN */
/* A pointer to text in a buffer. The parameter is the size of the buffer. */
#define BPF_TEXT(...) TYPE(type_fn, .width = W64, .fn = decode_bpf_text, .len = __VA_ARGS__)
/* clang-format on */
extern const struct type_ops type_bpf_name;

decode_fn decode_bpf_attr, decode_bpf_late_entry, decode_bpf_growing_entry, decode_bpf_growing_exit,
	decode_bpf_batch_entry, decode_bpf_batch_exit;
decode_fn decode_ret_bpf;     /* a descriptor if the attributes could be read */
decode_fn decode_bpf_version; /* a kernel version: KERNEL_VERSION(6, 1, 0) */
decode_fn decode_bpf_array, decode_bpf_text, decode_bpf_numa_node, decode_bpf_map_extra;
/* For a member that the kernel changes. The exit shows its old and new values: 80 => 40. */
decode_fn decode_bpf_until_known, decode_bpf_changed;

/* BPF_OBJ_GET_INFO_BY_FD: the struct, which depends on the kind of descriptor, and its fields. */
decode_fn decode_bpf_info, decode_bpf_gpl, decode_bpf_xlated, decode_bpf_load_time;
decode_fn decode_bpf_count, decode_bpf_address, decode_bpf_map_ids;
/* Shows nothing at entry, but saves the struct's contents before the call. */
decode_fn decode_bpf_info_before;

/* Conditions for fields, which depend on other fields or on the size of the struct. */
bool bpf_link_is_cgroup(const struct decoder *d);
bool bpf_link_is_ordered_cgroup(const struct decoder *d);

/* The memory that the functions above read (see decode/core/plan_types.h). */
extern const struct hatch_reads bpf_reads[];

#endif
