/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/process/ptrace.h"

#include <string.h>

/* The members of the 64-bit struct user (<sys/user.h>). They are used for callers of every ABI. */
static const struct {
	unsigned offset;
	const char *name;
} user_members[] = {
#define REG(n, name)                                                                               \
	{                                                                                          \
		8 * (n), "8*" #name                                                                \
	}
#define AT_(o, name)                                                                               \
	{                                                                                          \
		(o), "offsetof(struct user, " #name ")"                                            \
	}
	REG(0, R15),	   REG(1, R14),		REG(2, R13),	      REG(3, R12),
	REG(4, RBP),	   REG(5, RBX),		REG(6, R11),	      REG(7, R10),
	REG(8, R9),	   REG(9, R8),		REG(10, RAX),	      REG(11, RCX),
	REG(12, RDX),	   REG(13, RSI),	REG(14, RDI),	      REG(15, ORIG_RAX),
	REG(16, RIP),	   REG(17, CS),		REG(18, EFL),	      REG(19, RSP),
	REG(20, SS),	   AT_(216, u_fpvalid), AT_(224, i387),	      AT_(736, u_tsize),
	AT_(744, u_dsize), AT_(752, u_ssize),	AT_(760, start_code), AT_(768, start_stack),
	AT_(776, signal),  AT_(784, reserved),	AT_(792, u_ar0),      AT_(800, u_fpstate),
	AT_(808, magic),   AT_(816, u_comm),	AT_(848, u_debugreg),
#undef REG
#undef AT_
};

#define USER_SIZE 912 /* sizeof(struct user) */

struct value *decode_ptrace_op(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct xlat *own = d->abi->own_ptrace, *compat = d->abi->compat_ptrace;
	const char *name = compat ? xlat_name(compat, n) : NULL;
	struct value *v;

	if (name) {
		v = value_hex(d->arena, n);
		v->comment = name;
		return v;
	}
	return value_enum(d->arena, own && xlat_name(own, n) ? own : &xlat_ptrace_cmds, n);
}

struct value *decode_user_offset(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	unsigned i = ARRAY_SIZE(user_members), more;
	const char *name;
	struct value *v;

	if (!d->abi->x86_forms || n > USER_SIZE)
		return value_hex(d->arena, n);
	if (n == USER_SIZE) {
		name = "sizeof(struct user)";
	} else {
		while (user_members[i - 1].offset > n)
			i--;
		name = user_members[i - 1].name;
		more = n - user_members[i - 1].offset;
		if (more)
			name = arena_printf(d->arena, "%s+%u", name, more);
	}
	v = value_word(d->arena, name, n);
	v->extra = value_addr(d->arena, n);
	v->text |= TEXT_PLAIN;
	return v;
}

#define NT_PRSTATUS 1 /* uapi linux/elf.h */
#define NT_FPREGSET 2

static const struct {
	const struct struct_desc *common, *fp; /* NULL if the registers are not decoded */
} sets[] = {[USER_REGS_X86_64] = {&struct_user_regs_64, &struct_user_fpregs_64},
	    [USER_REGS_I386] = {&struct_user_regs_32, &struct_user_fpregs_32},
	    [USER_REGS_AARCH64] = {&struct_user_regs_aarch64, NULL},
	    [USER_REGS_RISCV64] = {&struct_user_regs_riscv64, NULL},
	    [USER_REGS_ARM] = {&struct_user_regs_arm, NULL}};

/* A struct iovec, converted from any ABI. */
struct regset_iov {
	uint64_t base, len;
};

static int read_iov(struct decoder *d, uint64_t addr, struct regset_iov *iov)
{
	unsigned size = d->abi->long_size;
	uint8_t bytes[16];
	int err = decode_read(d, addr, bytes, 2 * size);

	*iov = (struct regset_iov){0};
	if (err < 0)
		return err;
	memcpy(&iov->base, bytes, size);
	memcpy(&iov->len, bytes + size, size);
	return 0;
}

struct value *decode_regset_filled_entry(struct decoder *d, const struct type *t attr_unused,
					 uint64_t n)
{
	struct regset_iov iov;

	if (!n || d->mode & DECODE_NO_DEREF || read_iov(d, n, &iov) < 0)
		return value_addr(d->arena, n);
	d->state->saved = iov.len;
	return NULL;
}

/*
 * Shows a struct iovec that describes registers. `was` points to the iov_len before the call. If
 * `was` is NULL, no change of iov_len is shown.
 */
static struct value *regset(struct decoder *d, uint64_t n, const uint64_t *was)
{
	uint32_t which = decode_arg_raw(d, 2);
	const struct struct_desc *set = which == NT_PRSTATUS   ? sets[d->abi->user_regs].common
					: which == NT_FPREGSET ? sets[d->abi->user_regs].fp
							       : NULL;
	struct value *v, *base = NULL, *len;
	struct regset_iov iov;
	size_t have, size;
	uint8_t *bytes;
	int err;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	err = read_iov(d, n, &iov);
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	/*
	 * The caller may request only the first registers. Registers that are only partly included
	 * are not shown.
	 */
	if (set && iov.base && !d->failed && iov.len && iov.len % d->abi->long_size == 0) {
		const struct type type = {.ops = &type_struct, .desc = set};

		size = struct_size(d->abi, set);
		have = size_min(iov.len, size);
		bytes = decode_read_new(d, iov.base, have, NULL);
		if (bytes)
			base = decode_bytes(d, &type, iov.base, bytes, have);
		if (base && iov.len > size)
			base->flags |= VALUE_F_MORE;
	}
	v = value_struct(d->arena);
	value_add_named(v, "iov_base", base ? base : value_addr(d->arena, iov.base));
	len = value_uint(d->arena, iov.len);
	if (was)
		len = value_change(d->arena, value_uint(d->arena, *was), len);
	value_add_named(v, "iov_len", len);
	return v;
}

struct value *decode_regset_filled_exit(struct decoder *d, const struct type *t attr_unused,
					uint64_t n)
{
	return regset(d, n, &d->state->saved);
}

/* Shows the caller's struct at entry. The iov_len that the kernel stores is added at exit. */
struct value *decode_regset_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = regset(d, n, NULL);

	if (v->kind == VALUE_STRUCT)
		v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *decode_regset_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = NULL;
	struct regset_iov iov;

	if (read_iov(d, n, &iov) == 0) {
		v = value_struct(d->arena);
		value_add_named(v, "iov_len", value_uint(d->arena, iov.len));
	}
	return value_extended(d->arena, d->before, v);
}

/* Shows the requested filter at entry. The flags that the kernel stores are added at exit. */
struct value *decode_seccomp_metadata_entry(struct decoder *d, const struct type *t attr_unused,
					    uint64_t n)
{
	struct value *v;
	uint64_t filter_off;

	if (decode_arg_raw(d, 2) < sizeof(filter_off) || !n || d->mode & DECODE_NO_DEREF ||
	    decode_read(d, n, &filter_off, sizeof(filter_off)) < 0)
		return value_addr(d->arena, n);
	v = value_struct(d->arena);
	value_add_named(v, "filter_off", value_uint(d->arena, filter_off));
	v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *decode_seccomp_metadata_exit(struct decoder *d, const struct type *t attr_unused,
					   uint64_t n)
{
	struct value *v;
	uint64_t data[2];

	v = value_extended(d->arena, d->before, NULL);
	if (d->failed || d->ev->base.ret <= (int64_t)sizeof(data[0]))
		return v;
	if (d->ev->base.ret < (int64_t)sizeof(data) || decode_read(d, n, data, sizeof(data)) < 0) {
		value_add(v, value_plain(d->arena, "???"));
		return v;
	}
	value_add_named(v, "flags", value_flags(d->arena, &xlat_seccomp_filter_flags, data[1]));
	if (d->ev->base.ret > (int64_t)sizeof(data))
		v->flags |= VALUE_F_MORE;
	return v;
}

enum { INFO_NONE, INFO_ENTRY, INFO_EXIT, INFO_SECCOMP };

/*
 * Shows a syscall number. If it belongs to the caller's ABI, shows its name. If it belongs to
 * another ABI of the same machine, shows the number with its name as a comment.
 */
struct value *decode_info_nr(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct abi *abi = abi_find(decode_field(d, "arch"), n);
	/*
	 * The names of another architecture's syscalls are not available here, so show only the
	 * number.
	 */
	int row = abi && abi->arch == d->abi->arch ? abi_row(abi, n) : -1;
	struct value *v;

	if (row < 0)
		return value_uint(d->arena, n);
	if (abi == d->abi) {
		v = value_word(d->arena, arena_printf(d->arena, "__NR_%s", syscall_descs[row].name),
			       n);
		v->text |= TEXT_DECIMAL;
	} else {
		v = value_uint(d->arena, n);
		v->comment = syscall_descs[row].name;
		if (abi_is_foreign(abi, n))
			v->comment = arena_printf(d->arena, "%s#64", v->comment);
		v->text |= TEXT_COMMENT_READS;
	}
	return v;
}

struct value *decode_syscall_info(struct decoder *d, const struct type *t, uint64_t n)
{
	static const struct type info = STRUCT(syscall_info);
	size_t len = size_min(decode_arg_raw(d, 2), struct_size(d->abi, info.desc));
	uint64_t known = 0;
	uint8_t *bytes;
	int err;

	decode_length(d, &t->len, &known);
	len = size_min(len, known);
	if (!n || !len || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	bytes = arena_zalloc(d->arena, struct_size(d->abi, info.desc));
	err = decode_read(d, n, bytes, len);
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	/*
	 * If only the first of the two bytes of `flags` is known, assume that the other byte is
	 * zero.
	 */
	return decode_bytes(d, &info, n, bytes, len == 3 ? 4 : len);
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads ptrace_reads[] = {CUSTOM(decode_regset_entry, STRUCT(iovec_data)),
					    CUSTOM(decode_regset_exit, STRUCT(iovec_data)),
					    CUSTOM(decode_regset_filled_entry, STRUCT(iovec)),
					    CUSTOM(decode_regset_filled_exit, STRUCT(iovec_data)),
					    CUSTOM(decode_seccomp_metadata_entry, BYTES(N(8))),
					    CUSTOM(decode_seccomp_metadata_exit, BYTES(N(16))),
					    CUSTOM(decode_syscall_info, BYTES(N(256))),
					    {0}};
