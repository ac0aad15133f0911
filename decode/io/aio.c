/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/io/aio.h"

#include "decode/io/iovec.h"
#include "decode/io/uring.h"

/* ---- linux/aio_abi.h ---- */

enum {
	CMD_PREAD,
	CMD_PWRITE,
	CMD_POLL = 5,
	CMD_PREADV = 7,
	CMD_PWRITEV = 8,
};

#define FLAG_RESFD  1 /* IOCB_FLAG_RESFD */
#define FLAG_IOPRIO 2 /* IOCB_FLAG_IOPRIO */

struct value *decode_aio_opcode(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return uring_number(d, &xlat_aio_opcodes, n);
}

#define PRIORITY_SHIFT 13 /* linux/ioprio.h: IOPRIO_CLASS_SHIFT */

struct value *decode_aio_priority(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (!(decode_field(d, "aio_flags") & FLAG_IOPRIO))
		return value_int(d->arena, (int16_t)n);
	v = value_call(d->arena, "IOPRIO_PRIO_VALUE");
	v->text |= TEXT_STYLED;
	v->num = n;
	v->text |= TEXT_STYLED | TEXT_PLAIN;
	value_add(v, value_enum(d->arena, &xlat_ioprio_classes, n >> PRIORITY_SHIFT));
	value_add(v, value_uint(d->arena, n & ((1 << PRIORITY_SHIFT) - 1)));
	return v;
}

bool aio_has_offset(const struct decoder *d)
{
	uint64_t op = decode_field(d, "aio_lio_opcode");

	return op <= CMD_PWRITE || op == CMD_PREADV || op == CMD_PWRITEV;
}

/*
 * Returns true if aio_nbytes, taken as a signed number, is negative. The kernel rejects such
 * requests, and their data is not shown.
 */
static bool is_negative(const struct decoder *d)
{
	return (int64_t)decode_field(d, "aio_nbytes") < 0;
}

struct value *decode_aio_buf(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type filled = IOVEC(FIELD(aio_nbytes)), data = IOVEC_IN(FIELD(aio_nbytes));

	if (aio_has_offset(d) && is_negative(d))
		return value_hex(d->arena, n);
	switch (decode_field(d, "aio_lio_opcode")) {
	case CMD_PWRITE:
		return decode_buffer(d, n, decode_field(d, "aio_nbytes"));
	case CMD_POLL:
		return value_flags(d->arena, &xlat_poll_flags, n);
	case CMD_PREADV:
		return decode_at(d, &filled, n);
	case CMD_PWRITEV:
		return decode_at(d, &data, n);
	default:
		return value_hex(d->arena, n);
	}
}

struct value *decode_aio_resfd(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	if (decode_field(d, "aio_flags") & FLAG_RESFD)
		return decode_fd(d, (int)n);
	return value_hex(d->arena, n);
}

/* ---- linux/io_uring.h ---- */

#define SETUP_ATTACH_WQ	   0x20
#define USE_REGISTERED	   0x80000000
#define PROBE_OPS_MAX	   256 /* the kernel's limit on the number of operations */
#define PROBE_OPS_LEN_AT   1   /* offset of ops_len in struct io_uring_probe */
#define PARAMS_RESERVED_AT 28  /* offset of resv in struct io_uring_params */

static bool any_set(const uint8_t *bytes, size_t n)
{
	while (n && !bytes[n - 1])
		n--;
	return n;
}

struct value *decode_uring_params_entry(struct decoder *d, const struct type *t attr_unused,
					uint64_t n)
{
	const struct struct_desc *s = &struct_io_uring_params;
	size_t size = struct_size(d->abi, s);
	const struct value *flags;
	struct value *v;
	uint8_t *bytes;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	bytes = decode_read_new(d, n, size, NULL);
	if (!bytes)
		return value_addr(d->arena, n);
	v = value_struct(d->arena);
	flags = decode_member(d, v, s, bytes, size, n, "flags");
	decode_member(d, v, s, bytes, size, n, "sq_thread_cpu");
	decode_member(d, v, s, bytes, size, n, "sq_thread_idle");
	if (flags && flags->num & SETUP_ATTACH_WQ)
		decode_member(d, v, s, bytes, size, n, "wq_fd");
	if (any_set(bytes + PARAMS_RESERVED_AT, 12))
		decode_member(d, v, s, bytes, size, n, "resv");
	v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *decode_uring_params_exit(struct decoder *d, const struct type *t attr_unused,
				       uint64_t n)
{
	static const char *const set_by_kernel[] = {"sq_entries", "cq_entries", "features",
						    "sq_off", "cq_off"};
	const struct struct_desc *s = &struct_io_uring_params;
	size_t size = struct_size(d->abi, s);
	uint8_t *bytes = decode_read_new(d, n, size, NULL);
	struct value *v;

	if (!bytes)
		return value_addr(d->arena, n);
	v = value_struct(d->arena);
	for (size_t i = 0; i < ARRAY_SIZE(set_by_kernel) && !d->failed; i++)
		decode_member(d, v, s, bytes, size, n, set_by_kernel[i]);
	return value_extended(d->arena, d->before, v);
}

struct value *decode_uring_fd(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	if (decode_arg_raw(d, 1) & USE_REGISTERED)
		return value_uint(d->arena, n);
	return decode_fd(d, (int)n);
}
const struct type_ops type_uring_fd = {.name = "uring_fd", .number = decode_uring_fd};

/*
 * Reads a struct io_uring_probe with as many operations as the caller requested. Sets *size to the
 * total size in bytes. Returns NULL if the struct cannot be read.
 */
static uint8_t *probe_read(struct decoder *d, uint64_t n, size_t *size)
{
	uint32_t asked = decode_arg_raw(d, 3);

	*size = struct_size(d->abi, &struct_io_uring_probe) +
		asked * struct_size(d->abi, &struct_io_uring_probe_op);
	if (!n || asked > PROBE_OPS_MAX || d->mode & DECODE_NO_DEREF)
		return NULL;
	return decode_read_new(d, n, *size, NULL);
}

/* Shows a struct io_uring_probe with only the first `count` operations. */
static struct value *probe_value(struct decoder *d, uint64_t n, const uint8_t *bytes,
				 uint32_t count)
{
	const struct type head = STRUCT(io_uring_probe);
	struct type ops = ARRAY(STRUCT(io_uring_probe_op), N(0));
	size_t head_size = struct_size(d->abi, &struct_io_uring_probe);
	struct value *v = decode_bytes(d, &head, n, bytes, head_size);

	ops.len.n = count;
	value_add_named(v, "ops", decode_number(d, &ops, n + head_size));
	return v;
}

struct value *decode_uring_probe_entry(struct decoder *d, const struct type *t attr_unused,
				       uint64_t n)
{
	size_t size;
	uint8_t *bytes = probe_read(d, n, &size);

	if (!bytes)
		return value_addr(d->arena, n);
	if (!any_set(bytes, size))
		return NULL; /* the caller must pass zeros, so nothing is shown */
	return value_changing(d->arena, probe_value(d, n, bytes, decode_arg_raw(d, 3)));
}

struct value *decode_uring_probe_exit(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	uint32_t asked = decode_arg_raw(d, 3), known;
	size_t size;
	uint8_t *bytes = probe_read(d, n, &size);
	struct value *v;

	if (!bytes)
		return value_addr(d->arena, n);
	if (d->failed)
		return d->before ? NULL : value_addr(d->arena, n);
	known = bytes[PROBE_OPS_LEN_AT];
	v = probe_value(d, n, bytes, known < asked ? known : asked);
	if (v->last->kind == VALUE_ARRAY && known > asked)
		v->last->flags |= VALUE_F_MORE;
	return d->before ? value_change(d->arena, (struct value *)d->before, v) : v;
}

/*
 * Shows the worker counts at address n, with their names. If a count cannot be read, its address is
 * the last element of the list.
 */
static struct value *worker_counts(struct decoder *d, uint64_t n)
{
	const struct type counts = ARRAY(UINT, ARG_UINT(3));
	struct value *v = decode_number(d, &counts, n), *named;
	uint64_t i = 0;

	if (v->kind != VALUE_ARRAY)
		return v;
	named = value_array(d->arena);
	named->flags = v->flags;
	value_for_each(v, count)
	{
		struct value *copy = arena_alloc(d->arena, sizeof(*copy));

		*copy = *count;
		copy->next = NULL;
		if (count->kind == VALUE_MORE) {
			value_add(named, copy);
			break;
		}
		/* [IO_WQ_BOUND]=1 */
		value_add(named,
			  value_indexed(d->arena, uring_number(d, &xlat_io_uring_iowq_acct, i++),
					copy));
	}
	return named;
}

struct value *decode_uring_workers_entry(struct decoder *d, const struct type *t attr_unused,
					 uint64_t n)
{
	struct value *v = worker_counts(d, n);

	if (v->kind != VALUE_ARRAY)
		return v;
	/* The kernel stores counts only if there are some and all of them can be read. */
	if (v->child ? v->last->kind != VALUE_MORE : v->flags & VALUE_F_MORE)
		value_add(v = value_changing(d->arena, v), value_pending(d->arena));
	return v;
}

struct value *decode_uring_workers_exit(struct decoder *d, const struct type *t attr_unused,
					uint64_t n)
{
	struct value *v = worker_counts(d, n);

	if (v->kind != VALUE_ARRAY)
		return v;
	return value_change(d->arena, (struct value *)d->before,
			    d->failed ? value_addr(d->arena, n) : v);
}

#define CPU_BYTES_MAX 128 /* sizeof(cpu_set_t); bytes after these are ignored */

struct value *decode_cpu_bits(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t given = decode_arg_raw(d, 3), size = size_min(given, CPU_BYTES_MAX);
	struct value *v = value_new(d->arena, VALUE_BITSET, 0);
	uint8_t *bytes;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	bytes = decode_read_new(d, n, size, NULL);
	if (!bytes)
		return value_addr(d->arena, n);
	if (given > size)
		v->flags |= VALUE_F_MORE;
	for (size_t i = 0; i < size * 8; i++)
		if (bytes[i / 8] >> i % 8 & 1)
			value_add(v, value_uint(d->arena, i));
	return v;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads aio_reads[] = {
	CUSTOM(decode_uring_params_entry, STRUCT(io_uring_params)),
	CUSTOM(decode_uring_params_exit, STRUCT(io_uring_params)),
	CUSTOM(decode_uring_probe_entry, BYTES(N(16 + 8 * 256))),
	CUSTOM(decode_uring_probe_exit, BYTES(N(16 + 8 * 256))),
	CUSTOM(decode_uring_workers_entry, ARRAY(UINT, ARG_UINT(3))),
	CUSTOM(decode_uring_workers_exit, ARRAY(UINT, ARG_UINT(3))),
	CUSTOM(decode_cpu_bits, BYTES(ARG_UINT(3))),
	CUSTOM(decode_aio_buf, BYTES(FIELD(aio_nbytes))),
	CUSTOM(decode_aio_buf, ARRAY(STRUCT(iovec_data), FIELD(aio_nbytes))),
	{0}};
