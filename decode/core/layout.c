/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The layout of types: sizes, field offsets, and the sources of lengths. */
#include <string.h>

#include "decode/core/decode.h"
#include "linux/arch/arch.h"
#include "util/byte_order.h"
#include "util/mem.h"

struct struct_layout {
	size_t align;
	size_t offset[]; /* offsets of the fields, then the size of the struct */
};

unsigned decode_width_of_code(const struct abi *abi, unsigned code)
{
	if (code == W_KLONG)
		return abi->klong_size;
	if (code == W_OLD_DEV)
		return abi->old_dev_size;
	return code == W_LONG ? abi->long_size : code;
}

size_t decode_room(const struct abi *abi attr_unused, const struct type *t)
{
	return t->len.from == LEN_CONST ? t->len.n : t->max;
}

size_t decode_size(const struct abi *abi, const struct type *t)
{
	if (t->flags & TYPE_F_DESC)
		return struct_size(abi, t->desc);
	if (t->ops->size)
		return t->ops->size(abi, t);
	if (t->ops->memory ||
	    /* this type reads the memory itself, because the contents determine its size */
	    t->ops->fetch)
		return t->len.from == LEN_CONST ? t->len.n : 0;
	return decode_width(abi, t->width);
}

size_t decode_align(const struct abi *abi, const struct type *t)
{
	size_t width;

	if (t->flags & TYPE_F_DESC)
		return struct_align(abi, t->desc);
	if (t->ops->align)
		return t->ops->align(abi, t);
	if (t->ops->memory || t->ops->fetch)
		return 1;
	width = decode_width(abi, t->width);
	return width == 8 ? abi->align64 : width ? width : 1;
}

static const struct struct_layout *struct_layout(const struct abi *abi, const struct struct_desc *s)
{
	struct struct_layout *l = s->layouts[abi->index];
	size_t offset = 0, end = 0;

	if (l)
		return l;
	l = mem_alloc(sizeof(*l) + (s->nfields + 1) * sizeof(l->offset[0]));
	l->align = 1;
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		bool given = f->align && (abi->packs_epoll || !(f->flags & FIELD_F_PACKED));
		size_t align = given ? f->align : decode_align(abi, &f->type);

		if (f->at)
			offset = f->at - 1;
		else if (!(f->flags & FIELD_F_SAME))
			offset = align_up(end, align);
		l->offset[i] = offset;
		l->align = size_max(l->align, align);
		end = size_max(end, offset + decode_size(abi, &f->type));
	}
	l->offset[s->nfields] = align_up(end, l->align);
	s->layouts[abi->index] = l;
	return l;
}

size_t struct_offset(const struct abi *abi, const struct struct_desc *s, unsigned field)
{
	return struct_layout(abi, s)->offset[field];
}

size_t struct_size(const struct abi *abi, const struct struct_desc *s)
{
	return struct_layout(abi, s)->offset[s->nfields];
}

size_t struct_align(const struct abi *abi, const struct struct_desc *s)
{
	return struct_layout(abi, s)->align;
}

int struct_field(const struct struct_desc *s, const char *name)
{
	/* The linker usually merges equal strings, so compare addresses first. */
	for (unsigned i = 0; i < s->nfields; i++)
		if (s->fields[i].name == name)
			return i;
	for (unsigned i = 0; i < s->nfields; i++)
		if (!strcmp(s->fields[i].name, name))
			return i;
	return -1;
}

uint64_t decode_load(const struct abi *abi, const void *bytes, size_t n)
{
	return load_uint(bytes, n, abi->arch->big_endian);
}

uint64_t scope_number(const struct decoder *d, const struct scope *s, unsigned i)
{
	const struct type *t = &s->desc->fields[i].type;
	size_t offset = struct_offset(d->abi, s->desc, i), width = decode_width(d->abi, t->width);

	if (offset + width > s->len)
		return 0;
	width = size_min(width, sizeof(uint64_t));
	return decode_narrow(d, t, decode_load(d->abi, s->bytes + offset, width));
}

uint64_t decode_field(const struct decoder *d, const char *field)
{
	/* If the innermost struct has no field with this name, search the enclosing structs. */
	for (const struct scope *s = d->scope; s; s = s->up) {
		int i = struct_field(s->desc, field);

		if (i >= 0)
			return scope_number(d, s, i);
	}
	return 0;
}

bool decode_length(const struct decoder *d, const struct length *l, uint64_t *out)
{
	uint64_t n;

	switch ((enum length_from)l->from) {
	case LEN_CONST:
		n = l->n;
		break;
	case LEN_ARG:
		n = d->ev->raw_args[l->n];
		break;
	case LEN_ARG_U32:
		n = (uint32_t)d->ev->raw_args[l->n];
		break;
	case LEN_ARG32:
		if ((int)d->ev->raw_args[l->n] < 0)
			return false;
		n = (uint32_t)d->ev->raw_args[l->n];
		break;
	case LEN_RET:
		if (!d->exiting)
			return false;
		n = d->ev->base.ret;
		break;
	case LEN_FIELD:
		n = decode_field(d, l->field);
		break;
	case LEN_DEREF: {
		uint8_t bytes[4];

		if (memory_read(d->memory, d->ev->raw_args[l->n], bytes, sizeof(bytes)) < 0)
			return false;
		n = decode_load(d->abi, bytes, sizeof(bytes));
		if ((int32_t)n < 0)
			return false;
		break;
	}
	default:
		return false;
	}
	*out = n;
	return true;
}
