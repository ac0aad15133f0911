/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls with several messages: sendmmsg(2), recvmmsg(2). */
#include <string.h>

#include "decode/core/note.h"
#include "linux/families.h"

#define VLEN_MAX 1024 /* UIO_MAXIOV, the kernel's limit */

/*
 * Returns an array with the msg_namelen of each message, up to the first message that cannot be
 * read.
 */
static struct value *name_lengths(struct decoder *d, uint64_t addr, uint64_t count)
{
	size_t size = struct_size(d->abi, &struct_mmsghdr);
	struct value *v = value_array(d->arena);
	uint32_t len;

	for (uint64_t i = 0; i < size_min(count, VLEN_MAX); i++) {
		if (decode_read(d, addr + i * size + d->abi->long_size, &len, sizeof(len)) < 0)
			break;
		value_add(v, value_int(d->arena, (int)len));
	}
	return v;
}

struct value *net_mmsg_before(struct decoder *d, const struct type *t attr_unused,
			      uint64_t n attr_unused)
{
	uint64_t addr = decode_arg_raw(d, 1);

	if (addr && !(d->mode & DECODE_NO_DEREF))
		d->state->before[1] = name_lengths(d, addr, (uint32_t)decode_arg_raw(d, 2));
	return NULL;
}

static int64_t name_before(const struct decoder *d, size_t index)
{
	const struct value *all = d->state->before[1];

	if (!all)
		return 0;
	value_for_each(all, v) if (!index--) return v->num;
	return 0;
}

static struct value *element(struct decoder *d, uint64_t addr, const uint8_t *bytes, bool received)
{
	size_t size = struct_size(d->abi, &struct_mmsghdr);
	size_t index = (addr - decode_arg_raw(d, 1)) / size;
	struct value *v = value_struct(d->arena);
	uint32_t len;

	if (received && index >= (uint32_t)decode_arg_raw(d, 2))
		return value_new(d->arena, VALUE_MORE, 0);
	memcpy(&len, bytes + struct_size(d->abi, &struct_msghdr), sizeof(len));
	value_add_named(
		v, "msg_hdr",
		net_msghdr(d, bytes, addr, len, received ? name_before(d, index) : NET_SENT));
	if (!d->failed && index < (uint64_t)d->ev->base.ret)
		value_add_named(v, "msg_len", value_uint(d->arena, len));
	return v;
}

static struct value *sent_memory(struct decoder *d, const struct type *t attr_unused, uint64_t addr,
				 const uint8_t *bytes, size_t len attr_unused)
{
	return element(d, addr, bytes, false);
}

static struct value *received_memory(struct decoder *d, const struct type *t attr_unused,
				     uint64_t addr, const uint8_t *bytes, size_t len attr_unused)
{
	return element(d, addr, bytes, true);
}

static const struct type_ops sent_ops = {.name = "mmsg_sent", .memory = sent_memory};
static const struct type_ops received_ops = {.name = "mmsg_received", .memory = received_memory};

struct value *net_mmsg_sent(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type all = ARRAY(STRUCTFN(sent_ops, mmsghdr), A2);
	uint32_t count = decode_arg_raw(d, 2);
	struct type some = all;
	struct value *v;

	if (d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	some.len = (struct length)N(size_min(count, VLEN_MAX));
	v = decode_number(d, &some, n);
	if (count > VLEN_MAX && v->kind == VALUE_ARRAY && v->last && v->last->kind != VALUE_MORE)
		v->flags |= VALUE_F_MORE;
	return v;
}

struct value *net_mmsg_received(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type all = ARRAY(STRUCTFN(received_ops, mmsghdr), RET);
	uint32_t count = decode_arg_raw(d, 2);
	struct type some = all;

	if (d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	/*
	 * If the result is larger than the array, decode one element more: received_memory() shows
	 * it as "...".
	 */
	some.len = (struct length)N(size_min((uint64_t)count + 1, d->ev->base.ret));
	return decode_number(d, &some, n);
}

/* Adds a note with the remaining timeout of recvmmsg(2), or "Timeout" if the result is 0. */
struct value *net_mmsg_left(struct decoder *d, const struct type *t attr_unused,
			    uint64_t n attr_unused)
{
	static const struct type ts = STRUCT(timespec), ts64 = STRUCT(timespec64);
	bool is64 = !d->abi->compat || d->ev->row == ROW_recvmmsg_time64;
	struct value *v;

	if (d->failed)
		return NULL;
	if (!d->ev->base.ret) {
		decode_note(d, value_plain(d->arena, "Timeout"));
		return NULL;
	}
	if (!decode_arg_raw(d, 4) || d->mode & DECODE_NO_DEREF)
		return NULL;
	v = decode_number(d, is64 ? &ts64 : &ts, decode_arg_raw(d, 4));
	v->name = "left";
	decode_note(d, v);
	return NULL;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads mmsg_reads[] = {
	CUSTOM(net_mmsg_sent, ARRAY(STRUCT(mmsghdr), ARG_UINT(2))),
	CUSTOM(net_mmsg_received, ARRAY(STRUCT(mmsghdr), ARG_UINT(2))),
	CUSTOM_ARG(net_mmsg_before, 1, ARRAY(STRUCT(mmsghdr), ARG_UINT(2))),
	CUSTOM_ARG(net_mmsg_left, 4, STRUCT(timespec64)),
	CUSTOM(net_mmsg_sent, ARRAY(STRUCT(mmsghdr), RET)),
	CUSTOM(net_mmsg_received, ARRAY(STRUCT(mmsghdr), RET)),
	{0}};
