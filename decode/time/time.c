/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/time/time.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "decode/core/note.h"

static struct value *remaining(struct decoder *d, uint64_t addr)
{
	static const struct type ts = STRUCT(timespec), ts64 = STRUCT(timespec64);
	bool wide = d->ev->row == ROW_clock_nanosleep_time64;

	if (d->ev->base.ret_kind != RET_RESTART)
		return value_addr(d->arena, addr);
	return decode_at(d, wide ? &ts64 : &ts, addr);
}

struct value *decode_remaining(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return remaining(d, n);
}

struct value *decode_clock_remaining(struct decoder *d, const struct type *t attr_unused,
				     uint64_t n)
{
	/*
	 * If the time is absolute, the kernel does not store a remaining time. Like strace 7.2,
	 * treats any flag as TIMER_ABSTIME.
	 */
	if ((uint32_t)decode_arg_raw(d, 1))
		return value_addr(d->arena, n);
	return remaining(d, n);
}

struct value *decode_ret_time(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *date = value_date(d->arena, (int64_t)n, 0, 0);

	if (date)
		decode_note(d, date);
	return value_uint(d->arena, n);
}

static const struct type ptr_to_time = PTR(TIME);

struct value *decode_time_arg(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = decode_number(d, &ptr_to_time, n);

	/*
	 * Like strace 7.2, shows a signed number, but calculates the date of a 32-bit number as if
	 * it were unsigned.
	 */
	if (v->kind == VALUE_ARRAY && v->child)
		v->child->extra =
			value_date(d->arena,
				   d->abi->klong_size == 4 ? (int64_t)(uint32_t)v->child->num
							   : (int64_t)v->child->num,
				   0, 0);
	return v;
}

struct value *decode_ret_timex(struct decoder *d, const struct type *t, uint64_t n)
{
	/* Show the name of the clock state only if the struct timex can be read. */
	uint64_t at = decode_arg_raw(d, t->len.n);
	size_t size = struct_size(d->abi, t->shape);
	const char *name = xlat_name(&xlat_time_states, n);

	if (name && !(d->mode & DECODE_NO_DEREF) && at && decode_read_new(d, at, size, NULL))
		decode_note(d, value_plain(d->arena, name));
	return value_uint(d->arena, n);
}

/* ---- struct sigevent ---- */

bool sigevent_has_value(const struct decoder *d)
{
	uint64_t value = 0;

	memcpy(&value, d->scope->bytes, size_min(d->abi->long_size, d->scope->len));
	return value;
}

static int sigevent_notify(const struct decoder *d)
{
	return decode_field(d, "sigev_notify");
}

struct value *decode_sigev_signo(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	switch (sigevent_notify(d)) {
	case SIGEV_SIGNAL:
	case SIGEV_THREAD:
	case SIGEV_THREAD_ID:
		return decode_signo(d, (int)n);
	default:
		return value_uint(d->arena, (uint32_t)n);
	}
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads time_reads[] = {CUSTOM(decode_time_arg, LONG),
					  CUSTOM(decode_remaining, STRUCT(timespec64)),
					  CUSTOM(decode_clock_remaining, STRUCT(timespec64)),
					  {0}};
