/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/ipc/futex.h"

#include <linux/futex.h>

struct value *decode_futex_op(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint64_t op = n & ~(uint64_t)FUTEX_CLOCK_REALTIME;
	struct value *v;

	if (n & FUTEX_CLOCK_REALTIME && xlat_name(&xlat_futex_ops, op)) {
		switch (op & ~(uint64_t)FUTEX_PRIVATE_FLAG) {
		case FUTEX_WAIT:
		case FUTEX_WAIT_BITSET:
		case FUTEX_WAIT_REQUEUE_PI:
			v = value_or(d->arena, n);
			value_add(v, value_word(d->arena, xlat_name(&xlat_futex_ops, op), op));
			value_add(v, value_word(d->arena, "FUTEX_CLOCK_REALTIME",
						FUTEX_CLOCK_REALTIME));
			v->text |= TEXT_ONE_WORD;
			return v;
		}
	}
	if (n == (FUTEX_FD | FUTEX_PRIVATE_FLAG))
		return value_word(d->arena, "FUTEX_FD|FUTEX_PRIVATE_FLAG", n);
	v = value_enum(d->arena, &xlat_futex_ops, n);
	v->width = 4;
	return v;
}
const struct type_ops type_futex_op = {.name = "futex_op", .number = decode_futex_op};

static struct value *shifted(struct decoder *d, const struct xlat *x, unsigned n, int shift,
			     const char *unknown)
{
	struct value *v = value_expr(d->arena, VALUE_OP_SHIFT, (uint64_t)n << shift), *raw;
	struct value *e = value_add(v, value_enum(d->arena, x, n));

	v->text |= TEXT_NOT_VERBOSE | TEXT_STYLED;
	e->text |= TEXT_NO_UNKNOWN;
	value_add(v, value_int(d->arena, shift));
	if (xlat_name(x, n)) {
		/* Like strace 7.2, treats all operations as unknown with -X raw. */
		raw = value_expr(d->arena, VALUE_OP_SHIFT, v->num);
		raw->text |= TEXT_ALWAYS;
		value_add(raw, value_hex(d->arena, n));
		value_add(raw, value_int(d->arena, shift));
		raw->comment = unknown;
		v->extra = raw;
	} else {
		v->text |= TEXT_ALWAYS;
		v->comment = unknown;
	}
	return v;
}

/* Shows FUTEX_OP() of linux/futex.h, which encodes an operation on *uaddr2 and a comparison. */
struct value *decode_futex_wake_op(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_or(d->arena, n), *arg;
	unsigned op = n >> 28 & 0xf;

	if (op & FUTEX_OP_OPARG_SHIFT) {
		arg = value_add(v, value_expr(d->arena, VALUE_OP_SHIFT, (uint64_t)8 << 28));
		arg->text |= TEXT_ALWAYS | TEXT_STYLED;
		value_add(arg, value_word(d->arena, "FUTEX_OP_OPARG_SHIFT", FUTEX_OP_OPARG_SHIFT));
		value_add(arg, value_int(d->arena, 28));
	}
	value_add(v, shifted(d, &xlat_futex_wake_ops, op & 7, 28, "FUTEX_OP_???"));
	arg = value_add(v, value_expr(d->arena, VALUE_OP_SHIFT, n & 0xfff000));
	arg->text |= TEXT_ALWAYS;
	value_add(arg, value_hex(d->arena, n >> 12 & 0xfff));
	value_add(arg, value_int(d->arena, 12));
	value_add(v, shifted(d, &xlat_futex_wake_cmps, n >> 24 & 0xf, 24, "FUTEX_OP_CMP_???"));
	value_add(v, value_hex(d->arena, n & 0xfff));
	v->text |= TEXT_EACH;
	return v;
}
