/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/process/sched.h"

#include <sched.h>
#include <string.h>

#include "decode/core/note.h"

/* ---- limits and priorities ---- */

struct value *decode_rlim(struct decoder *d, const struct type *t, uint64_t n)
{
	bool wide = decode_width(d->abi, t->width) == 8;
	struct value *v;

	if (n == (wide ? UINT64_MAX : UINT32_MAX)) {
		v = value_word(d->arena, wide ? "RLIM64_INFINITY" : "RLIM_INFINITY", n);
		v->width = wide ? 8 : 4;
		v->text |= TEXT_DECIMAL;
		return v;
	}
	if (n <= 1024 || n % 1024)
		return value_uint(d->arena, n);
	v = value_expr(d->arena, VALUE_OP_TIMES, n);
	value_add(v, value_uint(d->arena, n / 1024));
	value_add(v, value_int(d->arena, 1024));
	return v;
}

#define RESET_ON_FORK ((uint64_t)SCHED_RESET_ON_FORK)

static struct value *sched_policy(struct decoder *d, uint64_t n, bool resets)
{
	struct value *v, *e;

	e = value_enum(d->arena, &xlat_schedulers, resets ? n & ~RESET_ON_FORK : n);
	e->width = 4;
	if (!resets)
		return e;
	v = value_or(d->arena, n);
	value_add(v, value_word(d->arena, "SCHED_RESET_ON_FORK", RESET_ON_FORK));
	e->text |= TEXT_NO_UNKNOWN;
	value_add(v, e);
	v->text |= TEXT_ONE_WORD;
	return v;
}

struct value *decode_ret_sched_policy(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	struct value *note;

	if ((int64_t)n >= 0 &&
	    (n & RESET_ON_FORK || xlat_name(&xlat_schedulers, n & ~RESET_ON_FORK))) {
		note = sched_policy(d, n, n & RESET_ON_FORK);
		note->text |= TEXT_ALWAYS;
		decode_note(d, note);
	}
	return value_hex(d->arena, n);
}
const struct type_ops type_ret_sched_policy = {
	.name = "ret_sched_policy", .number = decode_ret_sched_policy, .notes = true};

#define SCHED_ATTR_VER0 48 /* uapi linux/sched/types.h */
#define SCHED_ATTR_VER1 56

/*
 * Returns how many bytes of a struct sched_attr of the given size are shown: the largest version of
 * the struct that fits, or only the member `size` if no version fits.
 */
static size_t sched_attr_known(uint32_t size)
{
	return size < SCHED_ATTR_VER0	? sizeof(size)
	       : size < SCHED_ATTR_VER1 ? SCHED_ATTR_VER0
					: SCHED_ATTR_VER1;
}

struct value *decode_sched_attr_entry(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	static const struct type attr = STRUCT(sched_attr);
	uint8_t bytes[SCHED_ATTR_VER1];
	struct value *v;
	uint32_t size;
	size_t known;
	int err;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	err = decode_read(d, n, &size, sizeof(size));
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	known = size ? sched_attr_known(size) : SCHED_ATTR_VER0;
	err = decode_read(d, n, bytes,
			  size < known || known == sizeof(size) ? known
								: size_min(size, sizeof(bytes)));
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	v = decode_bytes(d, &attr, n, bytes, known);
	v->flags |= size > sizeof(bytes) ? VALUE_F_MORE : 0;
	return value_changing(d->arena, v);
}

/*
 * If the caller's struct is too large, the call fails with E2BIG, and the kernel stores the size
 * that it supports. In this case, adds that size. Otherwise, adds nothing.
 */
struct value *decode_sched_attr_exit(struct decoder *d, const struct type *t attr_unused,
				     uint64_t n)
{
	struct value *v;
	uint32_t size;

	if (!d->before || !d->failed || d->ev->base.ret != E2BIG ||
	    decode_read(d, n, &size, sizeof(size)) < 0)
		return NULL;
	v = value_struct(d->arena);
	value_add_named(v, "size", value_uint(d->arena, size));
	v = value_change(d->arena, (struct value *)d->before, v);
	v->text |= TEXT_TWICE;
	return v;
}

struct value *decode_sched_attr_filled(struct decoder *d, const struct type *t attr_unused,
				       uint64_t n)
{
	static const struct type attr = STRUCT(sched_attr_filled);
	uint32_t given = decode_arg_raw(d, 2), size;
	uint8_t bytes[SCHED_ATTR_VER1] = {0};
	int err;

	if (!n || !given || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	given = size_min(given, sizeof(bytes));
	err = decode_read(d, n, bytes, given);
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	memcpy(&size, bytes, sizeof(size));
	return decode_bytes(d, &attr, n, bytes, sched_attr_known(size));
}

/* ---- sets of CPUs ---- */

#define CPUSET_MAX (CPU_SETSIZE / 8)

struct value *decode_cpuset(struct decoder *d, const struct type *t, uint64_t addr)
{
	struct value *v = value_new(d->arena, VALUE_BITSET, 0);
	uint64_t len;
	uint8_t *bytes;
	int err;

	if (!addr || d->mode & DECODE_NO_DEREF || !decode_length(d, &t->len, &len))
		return value_addr(d->arena, addr);
	len = (uint32_t)len;
	if (len > CPUSET_MAX) {
		len = CPUSET_MAX;
		v->flags |= VALUE_F_MORE;
	}
	bytes = decode_read_new(d, addr, len, &err);
	if (!bytes)
		return value_unreadable(d->arena, addr, err);
	for (uint64_t i = 0; i < len * 8; i++)
		if (bytes[i / 8] >> (i % 8) & 1)
			value_add(v, value_uint(d->arena, i));
	return v;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads sched_reads[] = {CUSTOM(decode_sched_attr_entry, BYTES(N(256))),
					   CUSTOM(decode_sched_attr_exit, BYTES(N(4))),
					   CUSTOM(decode_sched_attr_filled, BYTES(ARG_UINT(2))),
					   CUSTOM(decode_cpuset, BYTES(A1)),
					   {0}};
