/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Structs and the values of their fields. */
#include <string.h>

#include "decode/core/decode.h"

static bool is_zero(const uint8_t *bytes, size_t n)
{
	for (; n; n--)
		if (bytes[n - 1])
			return false;
	return true;
}

/* Returns the value of field i of the struct in d->scope. */
static struct value *field_value(struct decoder *d, unsigned i)
{
	const struct scope *s = d->scope;
	const struct type *t = &s->desc->fields[i].type;
	size_t offset = struct_offset(d->abi, s->desc, i), size = decode_size(d->abi, t);

	/*
	 * A field without a size (a flexible array) extends to the end of the bytes that were read.
	 */
	if (!size || size > s->len - offset)
		size = s->len - offset;
	return decode_bytes(d, t, s->addr + offset, s->bytes + offset, size);
}

/*
 * Returns the number of bytes of a field that must have been read so that the field can be shown.
 */
static size_t part_size(const struct decoder *d, const struct field *f)
{
	if (f->flags & FIELD_F_PART && f->type.ops == &type_array)
		return decode_size(d->abi, f->type.elem);
	if (f->flags & FIELD_F_PART && f->type.ops == &type_struct)
		return decode_size(d->abi, &f->type.desc->fields[0].type);
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
		v->extra =
			value_date(d->arena, scope_number(d, &scope, 0), scope_number(d, &scope, 1),
				   strcmp(s->fields[1].name, "tv_usec") ? 9 : 6);
	if (t->flags & TYPE_F_MEANING)
		v->text |= TEXT_COMMENT_READS;
	d->scope = scope.up;
	return v;
}

static size_t type_struct_size(const struct abi *abi, const struct type *t)
{
	return struct_size(abi, t->desc);
}

static size_t type_struct_align(const struct abi *abi, const struct type *t)
{
	return struct_align(abi, t->desc);
}

const struct type_ops type_struct = {.name = "struct",
				     .memory = struct_memory,
				     .size = type_struct_size,
				     .align = type_struct_align};

struct value *decode_member(struct decoder *d, struct value *to, const struct struct_desc *s,
			    const uint8_t *bytes, size_t len, uint64_t addr, const char *field)
{
	struct scope scope = {.up = d->scope, .desc = s, .bytes = bytes, .len = len, .addr = addr};
	int i = struct_field(s, field);
	struct value *v = NULL;

	if (i < 0 || struct_offset(d->abi, s, i) + decode_size(d->abi, &s->fields[i].type) > len)
		return NULL;
	d->scope = &scope;
	v = field_value(d, i);
	d->scope = scope.up;
	return v ? value_add_named(to, s->fields[i].name, v) : NULL;
}
