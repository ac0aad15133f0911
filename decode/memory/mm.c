/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/memory/mm.h"

struct value *decode_page_offset(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_hex(d->arena, n * 4096);
}
const struct type_ops type_page_offset = {.name = "page_offset", .number = decode_page_offset};

static struct value *page_in_core(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_uint(d->arena, n & 1); /* only bit 0 is defined, see mincore(2) */
}

struct value *decode_mincore(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct type pages = ARRAY(FN8(page_in_core), A0);
	uint64_t len = decode_arg_raw(d, 1), count = len / 4096 + !!(len % 4096);

	if (d->failed && count)
		return value_addr(d->arena, n);
	pages.len = (struct length)N(count);
	return decode_number(d, &pages, n);
}

struct value *decode_pages_status(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type status = ARRAY(FN32(decode_page_status), A1);

	if (d->failed && decode_arg_raw(d, 1))
		return value_addr(d->arena, n);
	return decode_number(d, &status, n);
}

struct value *decode_nodemask_filled(struct decoder *d, const struct type *t, uint64_t n)
{
	uint64_t len;

	if (d->failed && decode_length(d, &t->len, &len) && len)
		return value_addr(d->arena, n);
	return decode_nodemask(d, t, n);
}

/* linux/mempolicy.h: MPOL_MODE_FLAGS */
#define MODE_FLAGS 0xe000

struct value *decode_mempolicy(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint64_t mode = n & ~(uint64_t)MODE_FLAGS;
	struct value *v, *name;

	if (!xlat_name(&xlat_mempolicy_modes, mode))
		return value_flags(d->arena, &xlat_mempolicy_mode_flags, n);
	v = value_or(d->arena, n);
	name = value_add(v, value_word(d->arena, xlat_name(&xlat_mempolicy_modes, mode), mode));
	v->text |= TEXT_ONE_WORD;
	if (n & MODE_FLAGS) {
		v->text &= ~TEXT_ONE_WORD;
		name->text |= TEXT_PLAIN;
		value_add(v, value_flags(d->arena, &xlat_mempolicy_mode_flags, n & MODE_FLAGS));
	}
	return v;
}
const struct type_ops type_mempolicy = {.name = "mempolicy", .number = decode_mempolicy};

static struct value *mask_word(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_hex(d->arena, n);

	v->width = d->abi->long_size;
	v->text |= TEXT_PADDED;
	return v;
}

struct value *decode_nodemask(struct decoder *d, const struct type *t, uint64_t n)
{
	struct type words = ARRAY(FN(mask_word), A0);
	unsigned bits = 8 * d->abi->long_size;
	uint64_t len, count;

	if (!decode_length(d, &t->len, &len) || !n)
		return value_addr(d->arena, n);
	if (!len)
		return value_array(d->arena);
	if (len == 1 || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	count = (len - 1) / bits + !!((len - 1) % bits);
	if (len > UINT64_MAX - 63)
		return value_addr(d->arena, n);
	words.len = (struct length)N(count);
	return decode_number(d, &words, n);
}
const struct type_ops type_nodemask = {
	.name = "nodemask", .number = decode_nodemask, .fetch = decode_nodemask};

struct value *decode_page_status(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	int32_t status = n;
	const char *name = status < 0 ? xlat_name(&xlat_errnos, -(int64_t)status) : NULL;
	struct value *v;

	if (!name)
		return value_int(d->arena, status);
	v = value_word(d->arena, arena_printf(d->arena, "-%s", name), (int64_t)status);
	v->flags |= VALUE_F_SIGNED;
	return v;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads mm_reads[] = {CUSTOM(decode_mincore, BYTES(A1)),
					CUSTOM(decode_pages_status, ARRAY(INT, A1)),
					CUSTOM(decode_nodemask_filled, BYTES(A2)),
					{0}};
