/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Number types that show bit fields, or one particular value, in a special way. */
#include "decode/core/decode.h"
#include "decode/core/note.h"

static struct value *named_number(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct type *other = t->elem;
	struct value *v;

	n = decode_narrow(d, other, n);
	if (n != decode_narrow(d, other, t->len.n))
		return decode_number(d, other, n);
	v = value_word(d->arena, t->text, n);
	v->width = decode_width(d->abi, other->width);
	if (other->is_signed) {
		v->flags |= VALUE_F_SIGNED;
		v->text |= TEXT_STYLED;
	}
	return v;
}

const struct type_ops type_named = {.name = "named", .number = named_number};

/* ---- parts ---- */

/* Shows a shifted number as NUMBER<<name or NUMBER<<shift. */
static struct value *shifted(struct decoder *d, const struct part *p, uint64_t bits)
{
	struct value *v = value_expr(d->arena, VALUE_OP_SHIFT, bits), *by;

	value_add(v, value_uint(d->arena, bits >> p->shift));
	by = value_add(v, p->name ? value_word(d->arena, p->name, p->shift)
				  : value_uint(d->arena, p->shift));
	if (p->text & TEXT_STYLED) {
		by->flags |= VALUE_F_SIGNED;
		by->text |= TEXT_STYLED;
	}
	return v;
}

static struct value *part_value(struct decoder *d, const struct part *p, uint64_t bits)
{
	const struct type *type = p->elsewhere && !d->abi->maps_low ? p->elsewhere : p->type;

	if (p->times)
		return shifted(d, p, bits);
	if (!type)
		return value_word(d->arena, p->name, bits);
	return decode_number(d, type, bits >> p->shift);
}

static bool part_is_shown(const struct part *p, uint64_t bits, bool first)
{
	if (!p->type && !p->times)
		return bits == p->is;
	if (p->named)
		return xlat_name(p->type->xlat, bits >> p->shift);
	return bits || !p->set || p->always || (p->or_else && first);
}

static struct value *parts_number(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct parts_style *style = t->parts->style;
	struct value *v = style->function ? value_call(d->arena, style->function)
					  : value_new(d->arena, VALUE_OR, n);
	const struct part *last = NULL;
	const uint64_t known = style->open ? abi_open_flags(d->abi, n) : n;
	uint64_t left = known;

	for (unsigned i = 0; i < t->parts->n; i++) {
		const struct part *p = &t->parts->rows[i];
		uint64_t bits = p->mask ? known & p->mask : left;

		if (!part_is_shown(p, bits, !v->child))
			continue;
		left &= ~(p->mask ? p->mask : left);
		value_add(v, part_value(d, p, bits));
		/* The hints of parts apply only if more than one part is shown. */
		if (last)
			v->last->text |= p->text;
		if (last && v->child->next == v->last)
			v->child->text |= last->text;
		last = p;
	}
	if (last && v->child == v->last && (last->lone || (last->lone_zero && !n)))
		return v->child;
	v->num = n;
	v->width = decode_width(d->abi, t->width);
	v->text |= style->text;
	v->flags |= style->flags;
	if (style->raw)
		v->extra = decode_number(d, style->raw, n);
	return v;
}

const struct type_ops type_parts = {.name = "parts", .number = parts_number};

/* ---- results with a note ---- */

static void see(void *any, const struct xlat_entry *e attr_unused)
{
	*(bool *)any = true;
}

/* Returns true if the number, or a flag in it, has a name. */
static bool is_named(const struct value *v)
{
	bool any = false;

	switch ((enum value_kind)v->kind) {
	case VALUE_ENUM:
		return value_enum_name(v);
	case VALUE_FLAGS:
		value_flags_split(v->table, v->num, see, &any);
		return any;
	case VALUE_NAME:
	case VALUE_OR:
		return true;
	default:
		return false;
	}
}

static struct value *result_note_number(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct result_note *about = t->note;
	struct value *note = decode_number(d, &about->type, n);

	note->name = about->name;
	note->text |= about->text;
	if (about->when == NOTE_ALWAYS || (about->when == NOTE_SET ? n != 0 : is_named(note)))
		decode_note(d, note);
	return about->decimal ? value_uint(d->arena, n) : value_hex(d->arena, n);
}

const struct type_ops type_result_note = {
	.name = "result_note", .number = result_note_number, .notes = true};
