/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Video for Linux: linux/videodev2.h. */
#include <string.h>

#include "decode/device.h"

struct value *v4l2_version(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_call(d->arena, "KERNEL_VERSION");

	v->num = n;
	value_add(v, value_uint(d->arena, n >> 16 & 0xffff));
	value_add(v, value_uint(d->arena, n >> 8 & 0xff));
	value_add(v, value_uint(d->arena, n & 0xff));
	return v;
}

struct value *v4l2_fourcc(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = value_call(d->arena, "v4l2_fourcc");

	v->num = n;
	for (unsigned shift = 0; shift < 32; shift += 8)
		value_add(v, kd_character(d, t, n >> shift & 0xff));
	v->comment = xlat_name(&xlat_v4l2_pixel_formats, n);
	return v;
}

static struct value *fract_memory(struct decoder *d, const struct type *t attr_unused,
				  uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	struct value *v = value_expr(d->arena, "/", 0);
	uint32_t parts[2];

	if (len < sizeof(parts))
		return NULL;
	memcpy(parts, bytes, sizeof(parts));
	v->flags |= VALUE_F_ALWAYS;
	value_add(v, value_uint(d->arena, parts[0]));
	value_add(v, value_uint(d->arena, parts[1]));
	return v;
}

const struct type_ops type_v4l2_fract = {.name = "v4l2_fract", .memory = fract_memory};

/* Where the time stamp comes from, and of what it is one: fields within the flags. */
#define TIMESTAMP_MASK	0xe000
#define TSTAMP_SRC_MASK 0x70000

struct value *v4l2_buffer_flags(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_or(d->arena, n);
	uint64_t bits = n & ~(uint64_t)(TIMESTAMP_MASK | TSTAMP_SRC_MASK);

	if (bits)
		value_add(v, value_flags(d->arena, &xlat_v4l2_buf_flags, bits));
	value_add(v, value_enum(d->arena, &xlat_v4l2_buf_timestamps, n & TIMESTAMP_MASK));
	value_add(v, value_enum(d->arena, &xlat_v4l2_buf_tstamp_sources, n & TSTAMP_SRC_MASK));
	return v;
}

struct value *v4l2_open_flags(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_or(d->arena, n);

	value_add(v, value_enum(d->arena, &xlat_open_access_modes, n & 3));
	if (n & ~3ull)
		value_add(v, value_flags(d->arena, &xlat_open_flags, n & ~3ull));
	return v;
}

/* enum v4l2_buf_type */
static bool is_type(const struct decoder *d, unsigned a, unsigned b)
{
	uint64_t type = decode_field(d, "type");

	return type == a || type == b;
}

bool v4l2_is_pix(const struct decoder *d)
{
	return is_type(d, 1, 2);
}

bool v4l2_is_overlay(const struct decoder *d)
{
	return is_type(d, 3, 8);
}

bool v4l2_is_vbi(const struct decoder *d)
{
	return is_type(d, 4, 5);
}

bool v4l2_is_mplane(const struct decoder *d)
{
	return is_type(d, 9, 10);
}

bool v4l2_is_sdr(const struct decoder *d)
{
	return is_type(d, 11, 12);
}

bool v4l2_is_meta(const struct decoder *d)
{
	return is_type(d, 13, 14);
}

bool v4l2_is_capture(const struct decoder *d)
{
	return is_type(d, 1, 9);
}

bool v4l2_is_output(const struct decoder *d)
{
	return is_type(d, 2, 10);
}

bool v4l2_is_discrete(const struct decoder *d)
{
	return decode_field(d, "type") == 1;
}

bool v4l2_is_stepwise(const struct decoder *d)
{
	return is_type(d, 2, 3);
}

bool v4l2_is_mmap(const struct decoder *d)
{
	return decode_field(d, "memory") == 1;
}

bool v4l2_is_userptr(const struct decoder *d)
{
	return decode_field(d, "memory") == 2;
}

bool v4l2_has_reserved(const struct decoder *d)
{
	const struct scope *s = d->scope;
	uint32_t last[2]; /* the struct ends with them */

	if (s->len < sizeof(last))
		return false;
	memcpy(last, s->bytes + s->len - sizeof(last), sizeof(last));
	return last[0] || last[1];
}
