/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shows the instructions of programs for the virtual machines of linux/bpf.h and linux/filter.h. */
#include "decode/bpf/bpf.h"

#include <string.h>

/* BPF_MAXINSNS; further instructions are not shown */
#define INSNS_MAX 4096

enum { CLASS_MASK = 0x07, SIZE_MASK = 0x18, MODE_MASK = 0xe0, SRC_MASK = 0x08, OP_MASK = 0xf0 };
enum { CLASS_LD, CLASS_LDX, CLASS_ST, CLASS_STX, CLASS_ALU, CLASS_JMP };
enum { CLASS_RET = 6, CLASS_MISC };    /* linux/filter.h */
enum { CLASS_JMP32 = 6, CLASS_ALU64 }; /* linux/bpf.h */

static void add_part(struct decoder *d, struct value *v, const struct xlat *table, uint64_t part)
{
	value_add(v, value_enum(d->arena, table, part));
}

/* Adds the bits of an instruction's code that have no name. */
static void add_rest(struct decoder *d, struct value *v, uint64_t rest)
{
	struct value *r;

	if (!rest)
		return;
	r = value_add(v, value_hex(d->arena, rest));
	r->comment = "BPF_???";
}

static struct value *code_new(struct decoder *d, const struct xlat *classes, uint64_t code)
{
	struct value *v = value_or(d->arena, code);

	v->text |= TEXT_EACH;
	add_part(d, v, classes, code & CLASS_MASK);
	return v;
}

struct value *decode_ebpf_code(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = code_new(d, &xlat_ebpf_classes, n);

	switch (n & CLASS_MASK) {
	case CLASS_ALU:
	case CLASS_ALU64:
		add_part(d, v, &xlat_bpf_srcs, n & SRC_MASK);
		add_part(d, v, &xlat_ebpf_alu_ops, n & OP_MASK);
		break;
	case CLASS_JMP:
		add_part(d, v, &xlat_bpf_srcs, n & SRC_MASK);
		add_part(d, v, &xlat_ebpf_jmp_ops, n & OP_MASK);
		break;
	case CLASS_JMP32:
		/* Like strace 7.2, does not show names of operations in this class. */
		add_rest(d, v, n & ~CLASS_MASK);
		break;
	default:
		add_part(d, v, &xlat_bpf_sizes, n & SIZE_MASK);
		add_part(d, v, &xlat_ebpf_modes, n & MODE_MASK);
		break;
	}
	return v;
}

struct value *decode_ebpf_register(struct decoder *d, const struct type *t, uint64_t n)
{
	return value_enum(d->arena, &xlat_bpf_regs, n >> t->len.n & 0xf);
}

static struct value *filter_code(struct decoder *d, uint64_t code)
{
	struct value *v = code_new(d, &xlat_bpf_classes, code);

	switch (code & CLASS_MASK) {
	case CLASS_LD:
	case CLASS_LDX:
		add_part(d, v, &xlat_bpf_sizes, code & SIZE_MASK);
		add_part(d, v, &xlat_bpf_modes, code & MODE_MASK);
		break;
	case CLASS_ST:
	case CLASS_STX:
		add_rest(d, v, code & ~CLASS_MASK);
		break;
	case CLASS_ALU:
		add_part(d, v, &xlat_bpf_srcs, code & SRC_MASK);
		add_part(d, v, &xlat_bpf_alu_ops, code & OP_MASK);
		break;
	case CLASS_JMP:
		add_part(d, v, &xlat_bpf_srcs, code & SRC_MASK);
		add_part(d, v, &xlat_bpf_jmp_ops, code & OP_MASK);
		break;
	case CLASS_RET:
		add_part(d, v, &xlat_bpf_rvals, code & SIZE_MASK);
		add_rest(d, v, code & ~(SIZE_MASK | CLASS_MASK));
		break;
	case CLASS_MISC:
		add_part(d, v, &xlat_bpf_misc_ops, code & 0xf8);
		add_rest(d, v, code & ~0xff);
		break;
	}
	return v;
}

/*
 * Shows the operand k of a seccomp(2) filter. In a BPF_RET instruction, it is the action that the
 * filter returns.
 */
static struct value *action_value(struct decoder *d, uint32_t code, uint32_t k)
{
	struct value *v;

	if ((code & CLASS_MASK) != CLASS_RET)
		return value_hex(d->arena, k);
	v = value_or(d->arena, k);
	v->text |= TEXT_EACH;
	value_add(v, value_enum(d->arena, &xlat_seccomp_ret_actions, k & 0xffff0000));
	if (k & 0xffff)
		value_add(v, value_hex(d->arena, k & 0xffff));
	return v;
}

/*
 * Shows the operand k of a load in a socket filter: an offset in the packet, or in the kernel's
 * data about the packet.
 */
static struct value *packet_value(struct decoder *d, uint32_t code, uint32_t k)
{
	static const struct {
		uint32_t from;
		const char *name;
	} areas[] = {
		{-0x1000u, "SKF_AD_OFF"}, {-0x100000u, "SKF_NET_OFF"}, {-0x200000u, "SKF_LL_OFF"}};
	const unsigned abs = 0x20; /* BPF_ABS */
	struct value *v;

	if ((code & CLASS_MASK) != CLASS_LD || (code & MODE_MASK) != abs)
		return value_hex(d->arena, k);
	for (size_t i = 0; i < ARRAY_SIZE(areas); i++) {
		uint32_t offset = k - areas[i].from;

		if (k < areas[i].from)
			continue;
		v = value_expr(d->arena, VALUE_OP_PLUS, k);
		v->text |= TEXT_ALWAYS | TEXT_STYLED;
		value_add(v, value_word(d->arena, areas[i].name, areas[i].from));
		value_add(v, i ? value_uint(d->arena, offset)
			       : value_enum(d->arena, &xlat_bpf_ancillary, offset));
		return v;
	}
	return value_hex(d->arena, k);
}

static struct value *insn_value(struct decoder *d, const uint8_t *bytes,
				struct value *operand(struct decoder *d, uint32_t code, uint32_t k))
{
	struct { /* struct sock_filter */
		uint16_t code;
		uint8_t jt, jf;
		uint32_t k;
	} insn;
	struct value *v;

	memcpy(&insn, bytes, sizeof(insn));
	v = value_call(d->arena, insn.jt || insn.jf ? "BPF_JUMP" : "BPF_STMT");
	v->text |= TEXT_ALWAYS;
	value_add(v, filter_code(d, insn.code));
	if (!insn.jt && !insn.jf) {
		value_add(v, operand(d, insn.code, insn.k));
		return v;
	}
	value_add(v, value_hex(d->arena, insn.k));
	value_add(v, value_hex(d->arena, insn.jt));
	value_add(v, value_hex(d->arena, insn.jf));
	return v;
}

static struct value *seccomp_insn_memory(struct decoder *d, const struct type *t attr_unused,
					 uint64_t addr attr_unused, const uint8_t *bytes,
					 size_t len attr_unused)
{
	return insn_value(d, bytes, action_value);
}

static struct value *socket_insn_memory(struct decoder *d, const struct type *t attr_unused,
					uint64_t addr attr_unused, const uint8_t *bytes,
					size_t len attr_unused)
{
	return insn_value(d, bytes, packet_value);
}

static const struct type_ops type_seccomp_insn = {.name = "insn", .memory = seccomp_insn_memory};
static const struct type_ops type_socket_insn = {.name = "insn", .memory = socket_insn_memory};
static const struct type insn_types[] = {[BPF_INSN_SECCOMP] = MEMFN(type_seccomp_insn, 8),
					 [BPF_INSN_SOCKET] = MEMFN(type_socket_insn, 8),
					 [BPF_INSN_EXTENDED] = STRUCT(bpf_insn)};

struct value *decode_bpf_program(struct decoder *d, enum bpf_insn_set set, uint64_t addr,
				 uint64_t count)
{
	struct type insns = {.ops = &type_array, .elem = &insn_types[set], .len = N(INSNS_MAX)};
	struct value *v;

	if (!decode_full(d))
		return value_addr(d->arena, addr);
	if (count <= INSNS_MAX)
		insns.len.n = count;
	v = decode_at(d, &insns, addr);
	if (count > INSNS_MAX && v->kind == VALUE_ARRAY &&
	    !(v->last && v->last->kind == VALUE_MORE))
		v->flags |= VALUE_F_MORE;
	return v;
}

struct value *decode_bpf_insns(struct decoder *d, const struct type *t, uint64_t n)
{
	uint64_t count;

	if (!decode_length(d, &t->len, &count))
		return value_addr(d->arena, n);
	return decode_bpf_program(d, t->n, n, count);
}
