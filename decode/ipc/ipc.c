/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/ipc/ipc.h"

#include <limits.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ipc.h>

#define PERMISSIONS    0777
#define SHM_HUGE_SHIFT 26 /* uapi linux/shm.h */

static bool flags_named(const struct xlat *x, uint64_t flags)
{
	for (uint32_t i = 0; i < x->n; i++)
		if (x->entries[i].val & flags)
			return true;
	return false;
}

static struct value *flags_and_mode(struct decoder *d, const struct xlat *x, uint64_t n,
				    unsigned huge)
{
	struct value *v = value_or(d->arena, n), *e;
	uint64_t flags = n & ~(uint64_t)PERMISSIONS & ~((uint64_t)huge << SHM_HUGE_SHIFT);

	if (flags)
		value_add(v, value_flags(d->arena, x, flags));
	if (huge) {
		e = value_add(
			v, value_expr(d->arena, VALUE_OP_SHIFT, (uint64_t)huge << SHM_HUGE_SHIFT));
		e->text |= TEXT_ALWAYS | TEXT_STYLED;
		value_add(e, value_uint(d->arena, huge));
		value_add(e, value_word(d->arena, "SHM_HUGE_SHIFT", SHM_HUGE_SHIFT));
		e->last->flags |= VALUE_F_SIGNED;
		e->last->text |= TEXT_STYLED;
	}
	e = value_add(v, value_new(d->arena, VALUE_OCT, n & PERMISSIONS));
	e->text |= TEXT_OCTAL;
	v->text |= TEXT_EACH;
	return v;
}

struct value *decode_ipc_flags(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint64_t flags = n & ~(uint64_t)PERMISSIONS;

	/* Like strace 7.2, shows the mode and any bits without a name as a single number. */
	if (flags && !flags_named(&xlat_ipc_flags, flags)) {
		struct value *v =
			value_word(d->arena,
				   arena_printf(d->arena, "%#llx%#03llo", (unsigned long long)flags,
						(unsigned long long)(n & PERMISSIONS)),
				   n);

		v->text |= TEXT_NOT_VERBOSE | TEXT_PLAIN;
		v->extra = flags_and_mode(d, &xlat_ipc_flags, n, 0);
		return v;
	}
	return flags_and_mode(d, &xlat_ipc_flags, n, 0);
}
const struct type_ops type_ipc_flags = {.name = "ipc_flags", .number = decode_ipc_flags};

/* Decodes only the struct members with these names, in this order. */
static struct value *members(struct decoder *d, const struct struct_desc *s, uint64_t addr,
			     const uint8_t *bytes, size_t len, const char *const names[], size_t n)
{
	struct value *v = value_struct(d->arena);

	for (size_t i = 0; i < n; i++)
		decode_member(d, v, s, bytes, len, addr, names[i]);
	return v;
}

static struct value *perm_to_set(struct decoder *d, const struct type *t, uint64_t addr,
				 const uint8_t *bytes, size_t len)
{
	static const char *const names[] = {"uid", "gid", "mode"};

	return members(d, t->desc, addr, bytes, len, names, ARRAY_SIZE(names));
}

static struct value *perm_filled(struct decoder *d, const struct type *t, uint64_t addr,
				 const uint8_t *bytes, size_t len)
{
	static const char *const names[] = {"uid", "gid", "mode", "key", "cuid", "cgid"};

	return members(d, t->desc, addr, bytes, len, names, ARRAY_SIZE(names));
}

const struct type_ops type_ipc_perm_to_set = {.name = "ipc_perm", .memory = perm_to_set};
const struct type_ops type_ipc_perm = {.name = "ipc_perm", .memory = perm_filled};

static struct value *shmid_ds_memory(struct decoder *d, const struct type *t, uint64_t addr,
				     const uint8_t *bytes, size_t len)
{
	static const char *const names[] = {"shm_perm",	  "shm_segsz", "shm_cpid",  "shm_lpid",
					    "shm_nattch", "shm_atime", "shm_dtime", "shm_ctime"};
	const struct struct_desc *s = t->desc;
	const uint8_t *more;

	if (d->abi->compat) {
		s = &struct_shmid_ds_32;
		len = struct_size(d->abi, s);
		more = decode_read_new(d, addr, len, NULL);
		if (!more)
			return value_addr(d->arena, addr);
		bytes = more;
	}
	return members(d, s, addr, bytes, len, names, ARRAY_SIZE(names));
}

const struct type_ops type_shmid_ds = {.name = "shmid_ds", .memory = shmid_ds_memory};

struct value *decode_shmid_set(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const char *const names[] = {"shm_perm"};
	const struct struct_desc *s = d->abi->compat ? &struct_shmid_ds_32 : &struct_shmid_ds;
	size_t len = struct_size(d->abi, s);
	const uint8_t *bytes;
	int err;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	bytes = decode_read_new(d, n, len, &err);
	if (!bytes)
		return value_unreadable(d->arena, n, err);
	return members(d, s, n, bytes, len, names, ARRAY_SIZE(names));
}

struct value *decode_msgbuf(struct decoder *d, const struct type *t, uint64_t n)
{
	/* size in bytes of mtype, which is a __kernel_long_t */
	unsigned size = d->abi->klong_size;
	uint64_t len = 0, head[2] = {0};
	int64_t type;
	struct value *v;
	int err;

	decode_length(d, &t->len, &len);
	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	err = decode_read(d, n, head, 2 * size);
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	type = size == 4 ? (int32_t)head[0] : (int64_t)head[0];
	v = value_struct(d->arena);
	value_add_named(v, "mtype", value_int(d->arena, type));
	value_add_named(v, "mtext", decode_buffer(d, n + size, len));
	return v;
}
const struct type_ops type_msgbuf = {
	.name = "msgbuf", .number = decode_msgbuf, .fetch = decode_msgbuf};

struct value *decode_mq_name(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return n ? decode_name(d, n, PATH_MAX) : value_addr(d->arena, n);
}
const struct type_ops type_mq_name = {
	.name = "mq_name", .number = decode_mq_name, .fetch = decode_mq_name};

/* ---- ipc(2) of i386 ---- */

/*
 * Sets *msgp and *msgtyp to the arguments msgp and msgtyp of msgrcv(2). In version 0 of ipc(2),
 * both are in a struct ipc_kludge (uapi linux/ipc.h). If that struct cannot be read, returns false
 * and sets *msgp to its address.
 */
static bool msgrcv_args(const struct decoder *d, uint32_t *msgp, uint32_t *msgtyp)
{
	uint32_t kludge[2];

	*msgp = decode_arg_raw(d, 3);
	*msgtyp = decode_arg_raw(d, 4);
	if (decode_arg_raw(d, 5))
		return true;
	if (memory_read(d->memory, *msgp, kludge, sizeof(kludge)))
		return false;
	*msgp = kludge[0];
	*msgtyp = kludge[1];
	return true;
}

bool ipc_msg_is_known(const struct decoder *d)
{
	uint32_t msgp, msgtyp;

	return msgrcv_args(d, &msgp, &msgtyp);
}

bool ipc_msg_is_unknown(const struct decoder *d)
{
	return !ipc_msg_is_known(d);
}

struct value *decode_ipc_msgp(struct decoder *d, const struct type *t attr_unused,
			      uint64_t n attr_unused)
{
	static const struct type msgbuf = FN_LEN(decode_msgbuf, A1);
	uint32_t msgp, msgtyp;

	msgrcv_args(d, &msgp, &msgtyp);
	if (d->failed)
		return value_addr(d->arena, msgp);
	return decode_number(d, &msgbuf, msgp);
}

struct value *decode_ipc_msgtyp(struct decoder *d, const struct type *t attr_unused,
				uint64_t n attr_unused)
{
	uint32_t msgp, msgtyp;

	msgrcv_args(d, &msgp, &msgtyp);
	return value_int(d->arena, (int32_t)msgtyp);
}

/*
 * Decodes the struct of type t. n is the address of a union that contains the address of the
 * struct. Stores the address of the struct in *addr. If the union cannot be read, returns n as an
 * address. If the call failed or the struct cannot be read, returns NULL.
 */
static struct value *semun(struct decoder *d, uint64_t n, const struct type *t, uint32_t *addr)
{
	struct value *v;

	*addr = 0;
	if (!n || d->mode & DECODE_NO_DEREF || decode_read(d, n, addr, sizeof(*addr)) < 0)
		return value_addr(d->arena, n);
	v = d->failed ? NULL : decode_at(d, t, *addr);
	return v && v->kind == VALUE_STRUCT ? v : NULL;
}

struct value *decode_semun_ds(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type ds = STRUCT(semid_ds);
	uint32_t addr;
	struct value *v = semun(d, n, &ds, &addr);

	if (v)
		return v;
	v = value_array(d->arena);
	value_add(v, value_addr(d->arena, addr));
	return v;
}

struct value *decode_semun_info(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type info = STRUCT(seminfo);
	uint32_t addr;
	struct value *v = semun(d, n, &info, &addr);

	return v ? v : value_addr(d->arena, addr);
}

struct value *decode_ipc_shmat_ret(struct decoder *d, const struct type *t attr_unused,
				   uint64_t n attr_unused)
{
	uint32_t addr;

	if (decode_read(d, decode_arg_raw(d, 2), &addr, sizeof(addr)) < 0)
		return value_plain(d->arena, "?");
	return value_hex(d->arena, addr);
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads ipc_reads[] = {
	CUSTOM(decode_mq_name, PATH),
	CUSTOM(decode_msgbuf, BYTES(N(4096))),
	CUSTOM(decode_semun_ds, PTR(STRUCT(semid_ds))),
	CUSTOM(decode_semun_info, PTR(STRUCT(seminfo))),
	CUSTOM(decode_ipc_msgp, BYTES(N(4096))),

	CUSTOM(decode_shmid_set, STRUCT(shmid_ds)),
	CUSTOM(decode_shmid_set, STRUCT(shmid_ds_32)),

	/*
	 * ipc(2) on i386: the argument points to the message, or to
	 * a struct that contains the message's address and type.
	 */
	CUSTOM(decode_ipc_msgp, PTR(BYTES(N(4096)))),
	CUSTOM(decode_ipc_msgtyp, BYTES(N(8))),
	CUSTOM_ARG(decode_ipc_shmat_ret, 2, BYTES(N(4))),

	CUSTOM_COND(ipc_msg_is_known, 3, BYTES(N(8))),
	CUSTOM_MEMORY(type_shmid_ds, BYTES(N(128))),
	{0}};
