/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/ptrace.h"

#include <string.h>

/* struct user of 64 bits (sys/user.h), which the ABI of the caller does not change. */
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

struct value *decode_user_offset(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	unsigned i = ARRAY_SIZE(user_members), more;
	const char *name;
	struct value *v;

	if (n > USER_SIZE)
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
	v->width = d->abi->long_size;
	return v;
}

#define NT_PRSTATUS 1 /* uapi linux/elf.h */
#define NT_FPREGSET 2

static const struct type regs = BY_ABI(STRUCT(user_regs_64), STRUCT(user_regs_32));
static const struct type fpregs = BY_ABI(STRUCT(user_fpregs_64), STRUCT(user_fpregs_32));

struct value *decode_regset(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	unsigned size = d->abi->long_size;
	uint64_t base = 0, len = 0, which = decode_arg_raw(d, 2);
	const struct type *set = which == NT_PRSTATUS	? &regs
				 : which == NT_FPREGSET ? &fpregs
							: NULL;
	struct value *v, *b = NULL;
	uint8_t iov[16], *bytes;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	if (decode_read(d, n, iov, 2 * size) < 0)
		return value_unreadable(d->arena, n, -EFAULT);
	memcpy(&base, iov, size);
	memcpy(&len, iov + size, size);
	v = value_struct(d->arena);
	if (set && base && !d->failed && len) {
		/* A prefix of the registers may be asked for. */
		size_t have = size_min(len, decode_size(d->abi, set));

		bytes = decode_read_new(d, base, have, NULL);
		if (bytes)
			b = decode_bytes(d, set, base, bytes, have);
	}
	value_add_named(v, "iov_base", b ? b : value_addr(d->arena, base));
	value_add_named(v, "iov_len", value_uint(d->arena, len));
	return v;
}

struct value *decode_seccomp_metadata(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	struct value *v;
	uint64_t data[2];

	if (decode_arg_raw(d, 2) < sizeof(data[0]) || !n || d->mode & DECODE_NO_DEREF ||
	    decode_read(d, n, data, sizeof(data[0])) < 0)
		return value_addr(d->arena, n);
	v = value_struct(d->arena);
	value_add_named(v, "filter_off", value_uint(d->arena, data[0]));
	if (!d->failed && decode_arg_raw(d, 2) >= sizeof(data) &&
	    decode_read(d, n, data, sizeof(data)) == 0)
		value_add_named(v, "flags", value_hex(d->arena, data[1]));
	return v;
}

enum { INFO_NONE, INFO_ENTRY, INFO_EXIT, INFO_SECCOMP }; /* PTRACE_SYSCALL_INFO_* */

struct value *decode_info_nr(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	int row = abi_row(d->abi, n);
	struct value *v;

	if (row < 0)
		return value_uint(d->arena, n);
	v = value_word(d->arena, arena_printf(d->arena, "__NR_%s", syscall_descs[row].name), n);
	v->flags |= VALUE_F_UDECIMAL;
	return v;
}

struct value *decode_syscall_info(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type head = STRUCT(syscall_info);
	static const struct type parts[] = {[INFO_ENTRY] = STRUCT(syscall_info_entry),
					    [INFO_EXIT] = STRUCT(syscall_info_exit),
					    [INFO_SECCOMP] = STRUCT(syscall_info_seccomp)};
	static const char *const names[] = {
		[INFO_ENTRY] = "entry", [INFO_EXIT] = "exit", [INFO_SECCOMP] = "seccomp"};
	size_t len = size_min(decode_arg_raw(d, 2), 88), known = struct_size(d->abi, head.desc);
	struct value *v;
	uint8_t *bytes;

	if (d->exiting)
		len = size_min(len, d->ev->ret);
	if (!n || !len || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	bytes = decode_read_new(d, n, len, NULL);
	if (!bytes)
		return value_unreadable(d->arena, n, -EFAULT);
	v = decode_bytes(d, &head, n, bytes, size_min(len, known));
	if (len > known && bytes[0] > INFO_NONE && bytes[0] <= INFO_SECCOMP &&
	    v->kind == VALUE_STRUCT)
		value_add_named(
			v, names[bytes[0]],
			decode_bytes(d, &parts[bytes[0]], n + known, bytes + known, len - known));
	return v;
}
