/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "decode/device/device.h"

#define TIMER_HZ 1193182 /* frequency of the PC's timer in Hz, see ioctl_console(2) */

/*
 * Returns the pitch for a number of timer ticks per period as text, such as "440 Hz". Returns "off"
 * if there is no tone. The text may be allocated in the arena.
 */
static const char *sound_note(struct decoder *d, uint64_t ticks)
{
	if (!ticks || ticks > TIMER_HZ)
		return "off";
	return arena_printf(d->arena, "%u Hz", (unsigned)(TIMER_HZ / ticks));
}

struct value *kd_sound(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_uint(d->arena, n);

	v->comment = sound_note(d, n);
	v->text |= TEXT_COMMENT_READS;
	return v;
}

struct value *kd_tone(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	unsigned ms = n >> 16 & 0xffff, ticks = n & 0xffff;
	struct value *v, *shifted;

	if (!(uint32_t)n || !ms) {
		v = value_uint(d->arena, ticks);
	} else {
		v = value_expr(d->arena, VALUE_OP_OR, n);
		v->text |= TEXT_ALWAYS | TEXT_STYLED;
		shifted = value_expr(d->arena, VALUE_OP_SHIFT, ms << 16);
		shifted->text |= TEXT_ALWAYS;
		value_add(shifted, value_uint(d->arena, ms));
		value_add(shifted, value_uint(d->arena, 16));
		value_add(v, shifted);
		value_add(v, value_uint(d->arena, ticks));
	}
	v->text |= TEXT_COMMENT_READS;
	v->comment = "off";
	if (ms && ticks)
		v->comment = arena_printf(d->arena, "%s, %u ms", sound_note(d, ticks), ms);
	return v;
}

struct value *kd_kbd_mode(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (xlat_name(&xlat_kd_kbd_modes, (uint32_t)n)) {
		v = value_enum(d->arena, &xlat_kd_kbd_modes, (uint32_t)n);
		v->flags |= VALUE_F_SIGNED;
		return v;
	}
	v = value_int(d->arena, (int)n);
	v->comment = xlat_kd_kbd_modes.unknown;
	v->text |= TEXT_COMMENT_READS;
	return v;
}

struct value *input_keycode(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t pair[2];
	struct value *v;
	int err;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	err = decode_read(d, n, pair, sizeof(pair));
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	v = value_array(d->arena);
	value_add(v, value_uint(d->arena, pair[0]));
	value_add(v, value_enum(d->arena, &xlat_ev_keys, pair[1]));
	return v;
}

struct value *ptp_nanoseconds(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_int(d->arena, (int32_t)n);

	int64_t ns = (int32_t)n;

	if (ns)
		v->comment = arena_printf(d->arena, "%s%u.%09u s", ns < 0 ? "-" : "",
					  (unsigned)(llabs(ns) / 1000000000),
					  (unsigned)(llabs(ns) % 1000000000));
	v->text |= TEXT_COMMENT_READS;
	return v;
}

/* the cases are RTC_PARAM_FEATURES and RTC_PARAM_BACKUP_SWITCH_MODE of linux/rtc.h */
const struct type_case rtc_param_values[] = {
	CASE(0, FLAGS64(rtc_features)), CASE(2, ENUM64(rtc_backup_modes)), {0, NULL}};

static struct value *ptp_samples_memory(struct decoder *d, const struct type *t attr_unused,
					uint64_t addr, const uint8_t *bytes, size_t len)
{
	static const struct type sample = PTP_TIME;
	uint64_t count = 2 * decode_field(d, "n_samples") + 1;
	struct type array = {.ops = &type_array, .elem = &sample, .len = N(0)};

	array.len.n = size_min(count, len / decode_size(d->abi, &sample));
	return decode_bytes(d, &array, addr, bytes, len);
}

const struct type_ops type_ptp_samples = {.name = "ptp_samples", .memory = ptp_samples_memory};

struct value *epoll_microseconds(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_uint(d->arena, n);

	if (n)
		v->comment = arena_printf(d->arena, "%u.%06u s", (unsigned)(n / 1000000),
					  (unsigned)(n % 1000000));
	v->text |= TEXT_COMMENT_READS;
	return v;
}

struct value *plain_null(struct decoder *d, const struct type *t attr_unused,
			 uint64_t n attr_unused)
{
	if (!decode_arg_raw(d, 2) && d->mode & DECODE_NO_DEREF)
		d->ev->base.args[2].in = value_hex(d->arena, 0);
	return NULL;
}

struct value *more_members(struct decoder *d, const struct type *t attr_unused,
			   uint64_t n attr_unused)
{
	struct value *v = value_new(d->arena, VALUE_MORE, 0);

	v->text |= TEXT_UNNAMED;
	return v;
}

bool has_reserved(const struct decoder *d)
{
	const struct scope *s = d->scope;
	size_t at = struct_offset(d->abi, s->desc, s->desc->nfields - 1);

	for (; at < s->len; at++)
		if (s->bytes[at])
			return true;
	return false;
}

struct value *more_elements(struct decoder *d, const struct type *t attr_unused,
			    uint64_t n attr_unused)
{
	struct value *v = value_array(d->arena);

	if (decode_field(d, "nent"))
		v->flags |= VALUE_F_MORE;
	return v;
}

static struct value *uuid_memory(struct decoder *d, const struct type *t attr_unused,
				 uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char *text = arena_alloc(d->arena, 37), *p = text;

	for (size_t i = 0; i < 16 && i < len; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*p++ = '-';
		*p++ = digits[bytes[i] >> 4];
		*p++ = digits[bytes[i] & 15];
	}
	*p = '\0';
	return value_plain(d->arena, text);
}

const struct type_ops type_uuid = {.name = "uuid", .memory = uuid_memory};

const struct type_case tee_impl_caps[] = {CASE(1, FLAGS(tee_optee_caps)), {0, NULL}};
