/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Structs: their layout in an ABI, and values of their fields. */
#include <string.h>

#include "decode/core/date.h"
#include "decode/core/decode.h"
#include "util/mem.h"

struct struct_layout {
	size_t align;
	size_t offset[]; /* of each field, then the size of it all */
};

static const struct struct_layout *struct_layout(const struct abi *abi,
						 const struct struct_desc *s);

size_t decode_size(const struct abi *abi, const struct type *t)
{
	if (t->ops == &type_struct || t->flags & TYPE_F_DESC)
		return struct_size(abi, t->desc);
	if (t->ops == &type_chars || t->ops == &type_bytes || t->ops == &type_sigset)
		return t->len.from == LEN_CONST ? t->len.n : t->max;
	if (t->ops == &type_array)
		return (t->len.from == LEN_CONST ? t->len.n : t->max) * decode_size(abi, t->elem);
	if (t->ops == &type_switch) {
		size_t size = decode_size(abi, t->other);

		for (const struct type_case *c = t->cases; c->type; c++)
			size = size_max(size, decode_size(abi, c->type));
		return size;
	}
	if (t->ops == &type_by_phase)
		return decode_size(abi, t->elem);
	if (t->ops == &type_by_abi)
		return decode_size(abi, abi->compat ? t->other : t->elem);
	if (t->ops->memory || t->ops->fetch) /* a hatch with its own size */
		return t->len.from == LEN_CONST ? t->len.n : 0;
	return decode_width(abi, t->width);
}

static size_t type_align(const struct abi *abi, const struct type *t)
{
	size_t width;

	if (t->ops == &type_struct || t->flags & TYPE_F_DESC)
		return struct_layout(abi, t->desc)->align;
	if (t->ops == &type_array)
		return type_align(abi, t->elem);
	if (t->ops == &type_switch) {
		size_t align = type_align(abi, t->other);

		for (const struct type_case *c = t->cases; c->type; c++)
			align = size_max(align, type_align(abi, c->type));
		return align;
	}
	if (t->ops == &type_by_phase)
		return type_align(abi, t->elem);
	if (t->ops == &type_by_abi)
		return type_align(abi, abi->compat ? t->other : t->elem);
	if (t->ops == &type_sigset)
		return abi->long_size;
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
		size_t align = f->align ? f->align : type_align(abi, &f->type);

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

static int field_find(const struct struct_desc *s, const char *name)
{
	for (unsigned i = 0; i < s->nfields; i++)
		if (s->fields[i].name == name || !strcmp(s->fields[i].name, name))
			return i;
	return -1;
}

static uint64_t field_load(const struct decoder *d, const struct scope *s, unsigned i)
{
	const struct type *t = &s->desc->fields[i].type;
	size_t offset = struct_offset(d->abi, s->desc, i), width = decode_width(d->abi, t->width);
	uint64_t n = 0;

	if (offset + width > s->len)
		return 0;
	memcpy(&n, s->bytes + offset, size_min(width, sizeof(n)));
	return decode_narrow(d, t, n);
}

uint64_t decode_field(const struct decoder *d, const char *field)
{
	/* If the innermost struct has no field of that name, the structs around it are searched. */
	for (const struct scope *s = d->scope; s; s = s->up) {
		int i = field_find(s->desc, field);

		if (i >= 0)
			return field_load(d, s, i);
	}
	return 0;
}

static bool is_zero(const uint8_t *bytes, size_t n)
{
	for (; n; n--)
		if (bytes[n - 1])
			return false;
	return true;
}

/* The value of field i of the struct that d->scope is. */
static struct value *field_value(struct decoder *d, unsigned i)
{
	const struct scope *s = d->scope;
	const struct type *t = &s->desc->fields[i].type;
	size_t offset = struct_offset(d->abi, s->desc, i), size = decode_size(d->abi, t);

	/* A field without a size, a flexible array, takes all that is left. */
	if (!size || size > s->len - offset)
		size = s->len - offset;
	return decode_bytes(d, t, s->addr + offset, s->bytes + offset, size);
}

/* Bytes of the smallest part of a field that can be shown by itself. */
static size_t part_size(const struct decoder *d, const struct field *f)
{
	if (f->flags & FIELD_F_PART && f->type.ops == &type_array)
		return decode_size(d->abi, f->type.elem);
	if (f->flags & FIELD_F_PART && f->type.ops == &type_struct)
		return struct_offset(d->abi, f->type.desc, 1);
	return decode_size(d->abi, &f->type);
}

static struct value *struct_memory(struct decoder *d, const struct type *t, uint64_t addr,
				   const uint8_t *bytes, size_t len)
{
	const struct struct_desc *s = t->desc;
	struct scope scope = {.up = d->scope, .desc = s, .bytes = bytes, .len = len, .addr = addr};
	struct value *v = value_struct(d->arena);
	bool only_out = d->only_out;

	d->scope = &scope;
	d->only_out = false;
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		size_t offset = struct_offset(d->abi, s, i), size = decode_size(d->abi, &f->type);
		struct value *m;

		if (offset + part_size(d, f) > len)
			continue;
		size = size_min(size, len - offset);
		if (f->flags & FIELD_F_HIDDEN || !condition_allows(d, f->when, f->cond))
			continue;
		if (f->flags & FIELD_F_NONZERO && is_zero(bytes + offset, size))
			continue;
		if (f->flags & (d->exiting ? FIELD_F_IN : FIELD_F_OUT))
			continue;
		if (only_out && !(f->flags & (FIELD_F_OUT | FIELD_F_CHANGES)))
			continue;
		if (f->flags & FIELD_F_VERBOSE && !decode_full(d)) {
			v->flags |= VALUE_F_MORE;
			continue;
		}
		m = field_value(d, i);
		if (!m)
			continue;
		value_add_named(v, f->name, m);
		if (f->flags & FIELD_F_UNNAMED)
			m->text |= TEXT_UNNAMED;
		if (only_out && f->flags & FIELD_F_AGAIN)
			m->text |= TEXT_NAMED;
	}
	if (t->flags & TYPE_F_DATE && s->nfields > 1)
		v->comment = decode_date(d, field_load(d, &scope, 0), field_load(d, &scope, 1),
					 strcmp(s->fields[1].name, "tv_usec") ? 9 : 6);
	if (t->flags & TYPE_F_MEANING)
		v->text |= TEXT_COMMENT_READS;
	d->scope = scope.up;
	return v;
}

const struct type_ops type_struct = {.name = "struct", .memory = struct_memory};

struct value *decode_member(struct decoder *d, struct value *to, const struct struct_desc *s,
			    const uint8_t *bytes, size_t len, uint64_t addr, const char *field)
{
	struct scope scope = {.up = d->scope, .desc = s, .bytes = bytes, .len = len, .addr = addr};
	int i = field_find(s, field);
	struct value *v = NULL;

	if (i < 0 || struct_offset(d->abi, s, i) + decode_size(d->abi, &s->fields[i].type) > len)
		return NULL;
	d->scope = &scope;
	v = field_value(d, i);
	d->scope = scope.up;
	return v ? value_add_named(to, s->fields[i].name, v) : NULL;
}
