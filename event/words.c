/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event/words.h"

#include "util/escape.h"

static void put_comment(struct strbuf *b, const char *text)
{
	strbuf_puts(b, " /* ");
	strbuf_puts(b, text);
	strbuf_puts(b, " */");
}

/* Writes n in octal with at least three digits, including the leading zero. */
static void put_octal(struct strbuf *b, uint64_t n)
{
	strbuf_printf(b, n < 0100 ? "%03llo" : "%#llo", (unsigned long long)n);
}

static bool is_decimal(const struct value *v)
{
	return v->flags & VALUE_F_SIGNED || v->text & TEXT_DECIMAL;
}

/* Writes the number of a constant that has no name. */
static void put_number(struct strbuf *b, const struct value *v)
{
	if (v->flags & VALUE_F_SIGNED)
		strbuf_dec(b, v->width == 4 ? (int32_t)v->num : (int64_t)v->num);
	else if (v->text & TEXT_DECIMAL)
		strbuf_udec(b, v->num);
	else if (v->text & TEXT_OCTAL)
		put_octal(b, v->num);
	else
		strbuf_hex(b, v->num);
}

struct names {
	struct strbuf *b;
	bool any;
};

static void put_name(void *ctx, const struct xlat_entry *e)
{
	struct names *n = ctx;

	if (n->any)
		strbuf_putc(n->b, '|');
	n->any = true;
	strbuf_puts(n->b, e->name);
}

static void see_name(void *ctx, const struct xlat_entry *e attr_unused)
{
	*(bool *)ctx = true;
}

/* Returns the table's name for zero (no flags), or NULL. */
static const char *zero_name(const struct value *v)
{
	return v->flags & VALUE_F_ZERO_NAMED ? xlat_name(v->table, 0) : NULL;
}

/*
 * Writes the names of flags, followed by the remaining bits. `any` must be true if a name has
 * already been written. Returns true if any name or bits have been written.
 */
static bool put_flags(struct strbuf *b, const struct value *v, bool any)
{
	struct names n = {b, any};
	uint64_t rest = value_flags_split(v->table, v->num, put_name, &n);
	const char *zero = v->num || any ? NULL : zero_name(v);

	if (rest) {
		if (n.any)
			strbuf_putc(b, '|');
		strbuf_hex(b, rest);
	} else if (zero) {
		strbuf_puts(b, zero);
	}
	return rest || zero || n.any;
}

/* Writes a constant from a table: its name, or its number with the table's "???" comment. */
static void put_constant(struct strbuf *b, const struct value *v)
{
	const char *name = v->kind == VALUE_ENUM ? value_enum_name(v) : zero_name(v);
	bool named = name;

	if (v->kind == VALUE_FLAGS && v->num) {
		named = false;
		value_flags_split(v->table, v->num, see_name, &named);
	}
	if (!named || v->text & TEXT_BOTH)
		put_number(b, v);
	if (named && v->text & TEXT_BOTH)
		strbuf_puts(b, " /* ");
	if (named && v->kind == VALUE_FLAGS)
		put_flags(b, v, false);
	else if (named)
		strbuf_puts(b, name);
	if (named && v->text & TEXT_BOTH)
		strbuf_puts(b, " */");
	if (!named && v->table->unknown && !(v->text & TEXT_NO_UNKNOWN) && !is_decimal(v) &&
	    (v->kind == VALUE_ENUM || v->num || v->flags & VALUE_F_ZERO_NAMED))
		put_comment(b, v->table->unknown);
}

static void put_children(struct strbuf *b, const struct value *parent, const char *between)
{
	value_for_each(parent, v)
	{
		if (v != parent->child)
			strbuf_puts(b, between);
		value_words(b, v);
	}
}

static void put_string(struct strbuf *b, const struct value *v)
{
	if (v->text & TEXT_PLAIN) {
		strbuf_add(b, v->str, v->len);
		return;
	}
	strbuf_putc(b, '"');
	escape_bytes(b, v->str, v->len, HEX_NEVER, false);
	strbuf_putc(b, '"');
}

static void put_term(struct strbuf *b, const struct value *v)
{
	switch (v->kind) {
	case VALUE_INT:
		strbuf_dec(b, v->num);
		break;
	case VALUE_UINT:
		strbuf_udec(b, v->num);
		break;
	case VALUE_OCT:
		put_octal(b, v->num);
		break;
	case VALUE_ENUM:
	case VALUE_FLAGS:
		put_constant(b, v);
		break;
	case VALUE_CALL:
		strbuf_puts(b, v->function);
		strbuf_putc(b, '(');
		put_children(b, v, ", ");
		strbuf_putc(b, ')');
		break;
	case VALUE_NAME:
		strbuf_add(b, v->str, v->len);
		break;
	case VALUE_EXPR:
		put_children(b, v, value_op_text(v->oper));
		break;
	case VALUE_STRING:
		put_string(b, v);
		break;
	default: /* other values: their numbers are written */
		strbuf_hex(b, v->num);
		break;
	}
}

void value_words(struct strbuf *b, const struct value *v)
{
	put_term(b, v);
	if (v->comment)
		put_comment(b, v->comment);
}
