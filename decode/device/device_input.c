/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ioctl requests of input devices (linux/input.h). The number of such a request includes the size
 * of its data.
 */
#include <string.h>

#include "decode/device/device.h"

/* _IOC_NR() of the requests that get data, such as EVIOCGNAME(). */
enum {
	NR_NAME = 0x06,
	NR_UNIQ = 0x08,
	NR_PROP = 0x09,
	NR_MTSLOTS = 0x0a,
	NR_KEY = 0x18,
	NR_LED = 0x19,
	NR_SND = 0x1a,
	NR_SW = 0x1b,
	NR_BIT = 0x20,
	NR_ABS = 0x40,
	NR_ABS_END = 0x80,
	NR_SET_ABS = 0xc0
};

/* linux/input-event-codes.h: EV_* */
enum { EV_KEY = 0x01, EV_SW = 0x05, EV_LED = 0x11, EV_SND = 0x12, EV_PWR = 0x16 };

#define BITS_SHOWN   4
#define ABSINFO_OLD  20 /* size of struct input_absinfo without its last member, resolution */
#define ABSINFO_SIZE 24

/* The bitmap of each event type. */
static const struct bits {
	uint8_t type;
	/*
	 * number of the last bit (EV_MAX, KEY_MAX and so on), which is not shown, as in strace 7.2
	 */
	uint16_t n;
	const struct xlat *names;
} bits_of_types[] = {
	{0x00, 0x1f, &xlat_ev_bits},   {EV_KEY, 0x2ff, &xlat_ev_keys},	{0x02, 0x0f, &xlat_ev_rels},
	{0x03, 0x3f, &xlat_ev_abs},    {0x04, 0x07, &xlat_ev_mscs},	{EV_SW, 0x11, &xlat_ev_sws},
	{EV_LED, 0x0f, &xlat_ev_leds}, {EV_SND, 0x07, &xlat_ev_snds},	{0x14, 0x01, &xlat_ev_reps},
	{0x15, 0x7f, &xlat_ff_bits},   {0x17, 0x01, &xlat_ff_statuses},
};
static const struct bits bits_props = {0, 0x1f, &xlat_ev_props};

static const struct bits *bits_of(unsigned type)
{
	for (size_t i = 0; i < ARRAY_SIZE(bits_of_types); i++)
		if (bits_of_types[i].type == type)
			return &bits_of_types[i];
	return NULL;
}

/*
 * Shows a bitmap that the kernel stored in an array of longs. The result of the call is the size of
 * the bitmap in bytes.
 */
static struct value *bitmap(struct decoder *d, uint64_t addr, const struct bits *b)
{
	static const struct type word = HEXLONG;
	const struct type words = {.ops = &type_array, .elem = &word, .len = N(UINT32_MAX)};
	size_t nbits, size, names = 0;
	struct value *v;
	uint8_t *bytes;

	if (!b || d->ev->base.ret <= 0 || !addr || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, addr);
	nbits = size_min((uint64_t)d->ev->base.ret * 8, b->n);
	size = align_up((nbits + 7) / 8, d->abi->long_size);
	bytes = decode_read_new(d, addr, size, NULL);
	if (!bytes)
		return value_addr(d->arena, addr);
	v = value_new(d->arena, VALUE_BITSET, 0);
	for (size_t i = 0; i < nbits; i++) {
		if (!(bytes[i / 8] >> i % 8 & 1))
			continue;
		if (names++ == BITS_SHOWN && !decode_full(d)) {
			v->flags |= VALUE_F_MORE;
			break;
		}
		value_add(v, value_enum(d->arena, b->names, i));
	}
	v->extra = decode_bytes(d, &words, addr, bytes, size);
	return v;
}

static struct value *absinfo(struct decoder *d, uint64_t addr, size_t size)
{
	static const struct type info = STRUCT(input_absinfo);
	size_t known = size < ABSINFO_SIZE ? ABSINFO_OLD : ABSINFO_SIZE;
	struct value *v;
	uint8_t *bytes;

	if (size < ABSINFO_OLD || !addr || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, addr);
	bytes = decode_read_new(d, addr, size_min(size, ABSINFO_SIZE), NULL);
	if (!bytes)
		return value_addr(d->arena, addr);
	v = decode_bytes(d, &info, addr, bytes, known);
	if (size > known)
		v->flags |= VALUE_F_MORE;
	return v;
}

static struct value *slots(struct decoder *d, uint64_t addr, size_t size)
{
	static const struct type code = ENUM(ev_abs_mt);
	static const struct type elem = INT;
	struct type values = {.ops = &type_array, .elem = &elem, .len = N(0)};
	struct value *v, *first;

	if (size < sizeof(uint32_t))
		return value_addr(d->arena, addr);
	first = decode_at(d, &code, addr);
	if (first->kind == VALUE_ADDR)
		return first;
	v = value_struct(d->arena);
	value_add_named(v, "code", first);
	values.len.n = size / sizeof(uint32_t) - 1;
	value_add_named(v, "values", decode_at(d, &values, addr + sizeof(uint32_t)));
	return v;
}

static struct value *answer(struct decoder *d, unsigned nr, size_t size, uint64_t n)
{
	const struct type power = PTR(INT);

	if (nr >= NR_NAME && nr <= NR_UNIQ)
		return decode_buffer(d, n, d->ev->base.ret);
	switch (nr) {
	case NR_PROP:
		return bitmap(d, n, &bits_props);
	case NR_MTSLOTS:
		return slots(d, n, size);
	case NR_KEY:
		return bitmap(d, n, bits_of(EV_KEY));
	case NR_LED:
		return bitmap(d, n, bits_of(EV_LED));
	case NR_SND:
		return bitmap(d, n, bits_of(EV_SND));
	case NR_SW:
		return bitmap(d, n, bits_of(EV_SW));
	case NR_BIT + EV_PWR:
		return decode_number(d, &power, n);
	}
	return nr < NR_ABS ? bitmap(d, n, bits_of(nr - NR_BIT)) : absinfo(d, n, size);
}

/* Returns true if the kernel stores data for this request, which input_request_exit() shows. */
static bool is_answered(uint32_t op)
{
	unsigned nr = op & 0xff;

	return op >> 30 == 2 &&
	       ((nr >= NR_NAME && nr <= NR_MTSLOTS) || (nr >= NR_KEY && nr <= NR_SW) ||
		(nr >= NR_BIT && nr < NR_ABS_END));
}

struct value *input_request_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t op = decode_arg_raw(d, 1);
	unsigned direction = op >> 30, nr = op & 0xff;

	if (direction == 1 && nr >= NR_SET_ABS)
		return absinfo(d, n, op >> 16 & 0x3fff);
	if (is_answered(op))
		return NULL;
	return direction == 1 || direction == 2 ? value_addr(d->arena, n) : value_hex(d->arena, n);
}

struct value *input_request_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t op = decode_arg_raw(d, 1);

	if (!is_answered(op))
		return NULL;
	return d->failed ? value_addr(d->arena, n) : answer(d, op & 0xff, op >> 16 & 0x3fff, n);
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads input_reads[] = {
	CUSTOM(input_keycode, BYTES(N(40))),
	CUSTOM_OPS(input_request_entry, REQUEST_SIZE(PLAN_OWN_ARG, PLAN_WHOLE)),
	CUSTOM_OPS(input_request_exit, REQUEST_SIZE(PLAN_OWN_ARG, PLAN_WHOLE)),
	{0}};
