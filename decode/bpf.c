/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bpf(2) */
#include "decode/bpf.h"

#define ATTR_SIZE_MAX 4096 /* the kernel takes no longer one: a page */
#define F_REPLACE     4	   /* BPF_F_REPLACE */
#define F_NUMA_NODE   4	   /* BPF_F_NUMA_NODE */
#define CORE_RELOS_AT 128  /* the offset of core_relos, which its count is shown with */

bool bpf_replaces(const struct decoder *d)
{
	return decode_field(d, "flags") & F_REPLACE;
}

bool bpf_has_numa_node(const struct decoder *d)
{
	return decode_field(d, "map_flags") & F_NUMA_NODE;
}

bool bpf_has_core_relos(const struct decoder *d)
{
	return (uint32_t)decode_arg_raw(d, 2) > CORE_RELOS_AT;
}

bool bpf_never(const struct decoder *d)
{
	(void)d;
	return false;
}

struct value *decode_bpf_version(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = value_call(d->arena, "KERNEL_VERSION");

	(void)t;
	v->num = n;
	value_add(v, value_uint(d->arena, (uint32_t)n >> 16));
	value_add(v, value_uint(d->arena, n >> 8 & 0xff));
	value_add(v, value_uint(d->arena, n & 0xff));
	return v;
}

struct value *decode_bpf_attr(struct decoder *d, const struct type *t, uint64_t addr)
{
	const struct struct_desc *s = t->extra;
	const struct type type = {.ops = &type_struct, .desc = s};
	uint32_t size = decode_arg_raw(d, 2);
	size_t known = struct_end(d->abi, s), used;
	uint8_t *bytes;
	struct value *v, *inner;

	if (!addr || !size || size > ATTR_SIZE_MAX)
		return value_addr(d->arena, addr);
	bytes = arena_zalloc(d->arena, ATTR_SIZE_MAX);
	if (decode_read(d, addr, bytes, size))
		return value_addr(d->arena, addr);
	inner = decode_bytes(d, &type, addr, bytes, struct_cut(d->abi, s, size));
	v = inner;
	if (t->len.field) {
		v = value_struct(d->arena);
		value_add_named(v, t->len.field, inner);
	}
	for (used = size; used > known && !bytes[used - 1];)
		used--;
	if (used <= known)
		return v;
	if (!decode_full(d)) {
		v->flags |= VALUE_F_MORE;
		return v;
	}
	inner = value_string(d->arena, bytes + known, size - known);
	inner->flags |= VALUE_F_HEX_STRING;
	inner->comment = arena_printf(d->arena, "bytes %zu..%u", known, size - 1);
	value_add_named(v, "extra_data", inner);
	return v;
}
