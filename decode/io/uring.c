/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/io/uring.h"

/* ---- linux/io_uring.h, linux/io_uring/query.h, linux/io_uring/zcrx.h ---- */

enum {
	OP_NOP = 0,
	OP_SENDMSG = 9,
	OP_RECVMSG,
	OP_ACCEPT = 13,
	OP_SEND = 26,
	OP_RECV,
	OP_MSG_RING = 40,
	OP_URING_CMD = 46,
	OP_SEND_ZC,
	OP_SENDMSG_ZC,
	OP_FIXED_FD_INSTALL = 54,
	OP_RECV_ZC = 58,
	OP_NOP128 = 63,
	OP_URING_CMD128
};
enum { RESTRICTION_LAST = 4 };
enum { NAPI_REGISTER_OP = 0 };
enum { CTRL_FLUSH_RQ, CTRL_EXPORT, CTRL_ARM_EVENT };

#define FILES_SKIP -2 /* IORING_REGISTER_FILES_SKIP */

struct value *decode_uring_updated_fd(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	struct value *v;

	if ((int)n != FILES_SKIP)
		return decode_fd(d, (int)n);
	v = value_word(d->arena, "IORING_REGISTER_FILES_SKIP", (int)n);
	v->flags |= VALUE_F_SIGNED;
	v->text |= TEXT_STYLED;
	return v;
}

struct value *uring_number(struct decoder *d, const struct xlat *names, uint64_t n)
{
	struct value *v;

	if (xlat_name(names, n)) {
		v = value_enum(d->arena, names, n);
		v->text |= TEXT_DECIMAL;
		return v;
	}
	v = value_uint(d->arena, n);
	v->comment = names->unknown;
	v->text |= TEXT_COMMENT_READS;
	return v;
}

struct value *decode_uring_op(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return uring_number(d, &xlat_io_uring_ops, n);
}

struct value *decode_uring_socket_op(struct decoder *d, const struct type *t attr_unused,
				     uint64_t n)
{
	return uring_number(d, &xlat_socket_uring_ops, n);
}

struct value *decode_uring_restriction(struct decoder *d, const struct type *t attr_unused,
				       uint64_t n)
{
	struct value *v = value_enum(d->arena, &xlat_io_uring_restrictions, n);
	unsigned op = decode_field(d, "register_op");

	if (n >= RESTRICTION_LAST)
		v->comment = arena_printf(d->arena, op ? "op: %#x" : "op: 0", op);
	return v;
}

struct value *decode_uring_napi_param(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	if (decode_field(d, "opcode") == NAPI_REGISTER_OP)
		return value_enum(d->arena, &xlat_io_uring_napi_trackings, n);
	return value_hex(d->arena, n);
}

/* ---- struct io_uring_sqe ---- */

static uint64_t sqe_op(const struct decoder *d)
{
	return decode_field(d, "opcode");
}

/* Returns true if the submission entry is an IORING_OP_URING_CMD on a socket. */
bool sqe_is_socket_cmd(const struct decoder *d)
{
	uint64_t op = sqe_op(d);
	char protocol[32];

	return (op == OP_URING_CMD || op == OP_URING_CMD128) &&
	       fact_fd_protocol(d->facts, d->tid, (int)decode_field(d, "fd"), protocol,
				sizeof(protocol));
}

bool sqe_has_offset(const struct decoder *d)
{
	return !sqe_is_socket_cmd(d);
}

struct value *decode_sqe_ioprio(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	switch (sqe_op(d)) {
	case OP_SENDMSG:
	case OP_RECVMSG:
	case OP_SEND:
	case OP_RECV:
	case OP_SEND_ZC:
	case OP_SENDMSG_ZC:
	case OP_RECV_ZC:
		return value_flags(d->arena, &xlat_io_uring_recvsend_flags, n);
	case OP_ACCEPT:
		return value_flags(d->arena, &xlat_io_uring_accept_flags, n);
	default:
		return value_uint(d->arena, n);
	}
}

#define RW_ATTR_PI 1 /* IORING_RW_ATTR_FLAG_PI */

struct value *decode_sqe_attr(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type pi = STRUCT(io_uring_attr_pi);

	return decode_field(d, "attr_type_mask") & RW_ATTR_PI ? decode_at(d, &pi, n)
							      : value_addr(d->arena, n);
}

#define SQE_SIZE 64

struct value *decode_sqe_cmd(struct decoder *d, const struct type *t attr_unused,
			     uint64_t n attr_unused)
{
	const struct type bytes = ARRAY(HEX8, N(SQE_SIZE));

	return decode_at(d, &bytes, d->scope->addr + SQE_SIZE);
}

static const struct type zcrx_ctrl = STRUCT(zcrx_ctrl);

struct value *decode_zcrx_ctrl_entry(struct decoder *d, const struct type *t attr_unused,
				     uint64_t n)
{
	struct value *v = decode_at(d, &zcrx_ctrl, n);
	const struct value *op = value_member(v, "op");

	if (op && op->num == CTRL_EXPORT)
		v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *decode_zcrx_ctrl_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	d->only_out = true;
	v = d->failed ? NULL : decode_at(d, &zcrx_ctrl, n);
	d->only_out = false;
	return value_extended(d->arena, d->before, v);
}

/* ---- IORING_REGISTER_QUERY ---- */

#define QUERIES_MAX 1024 /* limit on the length of the list, which may be cyclic */

static const struct type *query_type(uint64_t op)
{
	static const struct type types[] = {STRUCT(io_uring_query_opcode),
					    STRUCT(io_uring_query_zcrx), STRUCT(io_uring_query_scq),
					    STRUCT(io_uring_query_zcrx_event)};
	static const struct type address = ADDR64;

	return op < ARRAY_SIZE(types) ? &types[op] : &address;
}

static struct value *query_data(struct decoder *d, uint64_t op, uint64_t addr)
{
	const struct type *t = query_type(op);

	return t->ops->memory ? decode_at(d, t, addr) : value_addr(d->arena, addr);
}

struct value *decode_uring_query(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type head = STRUCT(io_uring_query_hdr);
	size_t size = struct_size(d->abi, head.desc);
	size_t limit =
		decode_full(d) ? QUERIES_MAX : size_min(d->config->string_limit, QUERIES_MAX);
	struct value *first = NULL, *last = NULL, *v;

	for (size_t i = 0;; i++) {
		uint8_t *bytes = NULL;
		uint64_t next, data;

		if (n && i < limit && !(d->mode & DECODE_NO_DEREF))
			bytes = decode_read_new(d, n, size, NULL);
		v = bytes ? decode_bytes(d, &head, n, bytes, size) : value_addr(d->arena, n);
		if (i == limit && n && !(d->mode & DECODE_NO_DEREF) &&
		    decode_read_new(d, n, size, NULL))
			v->comment = "...";
		if (last)
			value_add_named(last, "next_entry", v);
		else
			first = v;
		if (!bytes)
			return first;
		data = value_member(v, "query_data")->num;
		if (data && value_member(v, "size")->num)
			value_add_named(v, "query_data",
					query_data(d, value_member(v, "query_op")->num, data));
		next = *(const uint64_t *)bytes;
		last = v;
		n = next;
	}
}

/* ---- the memory that the decoders above read ---- */

/* Size in bytes of struct io_uring_query_hdr (linux/io_uring/query.h): next_entry, query_data, … */
#define QUERY_SIZE 40
#define QUERY_NEXT(of)                                                                             \
	{                                                                                          \
		.place = PLAN_POINTER, .parent = (of), .pointer = 8, .count = {.n = QUERY_SIZE }   \
	}
#define QUERY_DATA(of)                                                                             \
	{                                                                                          \
		.place = PLAN_POINTER, .parent = (of), .offset = 8, .pointer = 8, .count = {       \
			.n = 64                                                                    \
		}                                                                                  \
	}

const struct custom_reads uring_reads[] = {
	CUSTOM(decode_zcrx_ctrl_entry, STRUCT(zcrx_ctrl)),
	CUSTOM(decode_zcrx_ctrl_exit, STRUCT(zcrx_ctrl)),
	/* The first five entries of the list, and the data that each of them requests. */
	CUSTOM_OPS(decode_uring_query, {.arg = PLAN_OWN_ARG, .count = {.n = QUERY_SIZE}},
		   QUERY_NEXT(0), QUERY_NEXT(1), QUERY_NEXT(2), QUERY_NEXT(3), QUERY_DATA(0),
		   QUERY_DATA(1), QUERY_DATA(2), QUERY_DATA(3), QUERY_DATA(4)),
	CUSTOM(decode_sqe_cmd, BYTES(N(SQE_SIZE))),
	CUSTOM(decode_sqe_attr, STRUCT(io_uring_attr_pi)),
	{0}};
