/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event/words.h"

#include <stdio.h>
#include <sys/socket.h>

#include "util/escape.h"

static void put_comment(struct strbuf *b, const char *text)
{
	strbuf_puts(b, " /* ");
	strbuf_puts(b, text);
	strbuf_puts(b, " */");
}

/* Octal, with at least three digits, of which the leading zero is one. */
static void put_octal(struct strbuf *b, uint64_t n)
{
	strbuf_printf(b, n < 0100 ? "%03llo" : "%#llo", (unsigned long long)n);
}

static bool is_decimal(const struct value *v)
{
	return v->flags & VALUE_F_SIGNED || v->text & TEXT_DECIMAL;
}

/* The number of a constant that has no name. */
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

/* The name that the table has for zero, no flag at all; or NULL. */
static const char *zero_name(const struct value *v)
{
	return v->flags & VALUE_F_ZERO_NAMED ? xlat_name(v->table, 0) : NULL;
}

/* Writes the names of flags and the bits left over; true if it wrote any, or any bit is set. */
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

/* A constant of a table: its name, or its number with the table's "???" comment. */
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

/* An or: the children joined by |; a child of flags that are all clear is left out. */
static void put_or(struct strbuf *b, const struct value *parent)
{
	bool any = false, each = parent->text & TEXT_EACH;

	value_for_each(parent, v)
	{
		if (v->kind == VALUE_FLAGS && !v->num && !zero_name(v) && (!each || any || v->next))
			continue;
		if (v->kind == VALUE_FLAGS && !v->num && any && !each)
			continue;
		if (v->kind == VALUE_FLAGS && any && !each) {
			put_flags(b, v, true);
			continue;
		}
		if (any)
			strbuf_putc(b, '|');
		any = true;
		value_words(b, v);
	}
	if (!any)
		strbuf_putc(b, '0');
}

static void put_children(struct strbuf *b, const struct value *parent, const char *between,
			 bool named)
{
	value_for_each(parent, v)
	{
		if (v != parent->child)
			strbuf_puts(b, between);
		if (named && v->name && !(v->text & TEXT_UNNAMED)) {
			strbuf_puts(b, v->name);
			strbuf_putc(b, '=');
		}
		value_words(b, v);
	}
	if (parent->flags & VALUE_F_MORE) {
		if (parent->child)
			strbuf_puts(b, between);
		strbuf_puts(b, "...");
	}
}

static void put_enclosed(struct strbuf *b, const struct value *v, const char *open,
			 const char *between, const char *close)
{
	strbuf_puts(b, open);
	put_children(b, v, between, v->kind == VALUE_STRUCT || v->kind == VALUE_ARRAY);
	strbuf_puts(b, close);
}

static void put_string(struct strbuf *b, const struct value *v)
{
	bool hex = v->text & TEXT_HEX_STRING, nul = hex && v->text & TEXT_NUL;

	if (v->text & TEXT_PLAIN) {
		strbuf_add(b, v->str, v->len);
	} else {
		strbuf_putc(b, '"');
		escape_bytes(b, v->str, v->len + nul, hex ? HEX_ALL : HEX_NEVER, false);
		strbuf_putc(b, '"');
	}
	if (v->flags & VALUE_F_MORE || (nul && v->text & TEXT_NUL_MORE))
		strbuf_puts(b, "...");
}

static void put_address(struct strbuf *b, const struct value *v)
{
	char text[VALUE_ADDRESS_TEXT];

	value_address_text(v, text, sizeof(text));
	if (v->num == AF_INET)
		strbuf_printf(b, "inet_addr(\"%s\")", text);
	else if (v->num == AF_INET6)
		strbuf_printf(b, "inet_pton(AF_INET6, \"%s\"", text);
	else
		strbuf_puts(b, text);
	if (v->num == AF_INET6 && v->name && v->text & TEXT_UNNAMED)
		strbuf_printf(b, ", &%s", v->name);
	if (v->num == AF_INET6)
		strbuf_putc(b, ')');
}

/* A number, and behind it in angle brackets what it stands for. */
static void put_handle(struct strbuf *b, const struct value *v)
{
	if (v->kind == VALUE_FD && v->flags & VALUE_F_ATFD && (int)v->num == -100)
		strbuf_puts(b, "AT_FDCWD");
	else
		strbuf_dec(b, v->kind == VALUE_PID ? (int)v->num : (int64_t)v->num);
	if (!v->str && !v->extra)
		return;
	strbuf_putc(b, '<');
	if (v->str)
		escape_bytes(b, v->str, v->len, HEX_NEVER, true);
	if (v->str && v->extra)
		strbuf_putc(b, '<');
	if (v->extra)
		value_words(b, v->extra);
	strbuf_puts(b, v->str && v->extra ? ">>" : ">");
	if (v->flags & VALUE_F_DELETED)
		strbuf_puts(b, "(deleted)");
}

static void put_change(struct strbuf *b, const struct value *v)
{
	const struct value *in = v->child, *out = in->next;

	value_words(b, in);
	if (!out || (!(v->text & TEXT_TWICE) && in->kind <= VALUE_ADDR && in->kind == out->kind &&
		     in->num == out->num))
		return;
	strbuf_puts(b, " => ");
	value_words(b, out);
}

static void put_expr(struct strbuf *b, const struct value *v)
{
	bool both = v->text & TEXT_BOTH;

	if (both) {
		strbuf_hex(b, v->num);
		strbuf_puts(b, " /* ");
	}
	put_children(b, v, value_op_text(v->oper), false);
	if (both)
		strbuf_puts(b, " */");
}

static void put_value(struct strbuf *b, const struct value *v)
{
	switch ((enum value_kind)v->kind) {
	case VALUE_INT:
		strbuf_dec(b, v->num);
		break;
	case VALUE_UINT:
		strbuf_udec(b, v->num);
		break;
	case VALUE_HEX:
		if (v->text & TEXT_PADDED)
			strbuf_printf(b, "%#0*llx", 2 * v->width, (unsigned long long)v->num);
		else
			strbuf_hex(b, v->num);
		break;
	case VALUE_OCT:
		if (v->text & TEXT_OCTAL)
			put_octal(b, v->num);
		else
			strbuf_printf(b, "%#llo", (unsigned long long)v->num);
		break;
	case VALUE_ADDR:
		if (v->num)
			strbuf_hex(b, v->num);
		else
			strbuf_puts(b, "NULL");
		break;
	case VALUE_ENUM:
	case VALUE_FLAGS:
		put_constant(b, v);
		break;
	case VALUE_OR:
		put_or(b, v);
		break;
	case VALUE_CALL:
		strbuf_puts(b, v->function);
		put_enclosed(b, v, "(", ", ", ")");
		break;
	case VALUE_NAME:
		strbuf_add(b, v->str, v->len);
		break;
	case VALUE_EXPR:
		put_expr(b, v);
		break;
	case VALUE_ADDRESS:
		put_address(b, v);
		break;
	case VALUE_STRING:
		put_string(b, v);
		break;
	case VALUE_STRUCT:
		put_enclosed(b, v, "{", ", ", "}");
		break;
	case VALUE_ARRAY:
		put_enclosed(b, v, "[", ", ", "]");
		break;
	case VALUE_BITSET:
		put_enclosed(b, v, v->flags & VALUE_F_INVERTED ? "~[" : "[", " ", "]");
		break;
	case VALUE_FD:
	case VALUE_PID:
		put_handle(b, v);
		break;
	case VALUE_CHANGE:
		put_change(b, v);
		break;
	case VALUE_SEQ:
		put_children(b, v, ", ", true);
		break;
	case VALUE_MORE:
		strbuf_puts(b, "...");
		break;
	case VALUE_INDEXED:
		strbuf_putc(b, '[');
		value_words(b, v->child);
		strbuf_puts(b, "]=");
		value_words(b, v->child->next);
		break;
	case VALUE_DEVICE:
	case VALUE_DATE:
	case VALUE_STATUS:
	case VALUE_PENDING:
		break;
	}
}

void value_words(struct strbuf *b, const struct value *v)
{
	if (v->comment && v->text & TEXT_COMMENT_FIRST) {
		strbuf_puts(b, "/* ");
		strbuf_puts(b, v->comment);
		strbuf_puts(b, " */ ");
	}
	put_value(b, v);
	if (v->comment && !(v->text & TEXT_COMMENT_FIRST))
		put_comment(b, v->comment);
}
