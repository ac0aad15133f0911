/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_value.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "sinks/text/text_fd.h"
#include "sinks/text/text_secontext.h"
#include "sinks/text/text_spell.h"
#include "sinks/text/text_number.h"

void text_punct_colored(struct strbuf *b, const struct text_style *s, const char *text)
{
	text_color(b, s, COLOR_PUNCT);
	strbuf_puts(b, text);
	text_color(b, s, COLOR_ARG);
}

void text_name(struct strbuf *b, const struct text_style *s, const char *name)
{
	/* [INDEX]= is a position and not a name, so it is not written in the colour of names. */
	if (*name == '[') {
		text_punct(b, s, "[");
		strbuf_add(b, name + 1, strlen(name) - 2);
		text_punct(b, s, "]=");
		return;
	}
	text_color(b, s, COLOR_ARGNAME);
	strbuf_puts(b, name);
	text_punct(b, s, "=");
}

static void put_const(struct strbuf *b, const struct text_style *s, const char *name)
{
	if (unlikely(s->colors && !s->bare_names)) {
		text_color(b, s, COLOR_CONST);
		strbuf_puts(b, name);
		text_color(b, s, COLOR_ARG);
	} else {
		strbuf_puts(b, name);
	}
}

static void open_comment(struct strbuf *b, const struct text_style *s)
{
	text_color(b, s, COLOR_COMMENT);
	strbuf_puts(b, " /* ");
}

static void close_comment(struct strbuf *b, const struct text_style *s)
{
	text_color(b, s, COLOR_COMMENT);
	strbuf_puts(b, " */");
	text_color(b, s, COLOR_ARG);
}

static void put_comment(struct strbuf *b, const struct text_style *s, const char *text)
{
	open_comment(b, s);
	strbuf_puts(b, text);
	close_comment(b, s);
}

/* Writes the date and time that a number or struct represents. */
static void put_date(struct strbuf *b, const struct text_style *s, const struct value *date)
{
	char text[VALUE_DATE_TEXT];

	if (value_date_text(date, text))
		put_comment(b, s, text);
}

/* Writes a date that is not part of another value. */
static attr_noinline void put_date_alone(struct strbuf *b, const struct value *date)
{
	char text[VALUE_DATE_TEXT];

	strbuf_add(b, text, value_date_text(date, text));
}

/*
 * Returns true if `v` is a function call that fills in a member, such as inet_pton(…, &sin6_addr).
 * The member's name is omitted before the call, but not before raw bytes.
 */
static bool fills_member(const struct value *v)
{
	return (v->kind == VALUE_CALL || v->kind == VALUE_ADDRESS) && v->name &&
	       v->text & TEXT_UNNAMED;
}

static bool has_name(const struct text_style *s, const struct value *v)
{
	return !(v->text & TEXT_UNNAMED) ||
	       (fills_member(v) && s->config->const_style != CONST_ABBREV);
}

void text_child_begin(struct strbuf *b, const struct text_style *s, const struct value *child,
		      bool first)
{
	bool plain = child->kind == VALUE_ADDRESS && child->text & TEXT_PLAIN;

	if (!first && plain && child->text & TEXT_ONE_WORD)
		strbuf_puts(b, ", ");
	else if (!first)
		text_punct(b, s, ", ");
	if (!child->name || !has_name(s, child))
		return;
	if (plain) {
		strbuf_puts(b, child->name);
		strbuf_putc(b, '=');
	} else if (child->text & TEXT_WORD) {
		strbuf_puts(b, child->name);
		strbuf_putc(b, ' ');
	} else {
		text_name(b, s, child->name);
	}
}

/*
 * If a value has TEXT_1KIB, strace 7.2 writes at most NOTE_ELEMENTS_MAX bytes of the elements of an
 * array, and at most NOTE_MAX bytes of the note that contains the array.
 */
#define NOTE_ELEMENTS_MAX 995
#define NOTE_MAX	  1022

/*
 * Writes the children, separated by ", ". If the value has further children that are not in the
 * list, writes "..." after them.
 */
static attr_noinline void put_children(struct strbuf *b, const struct text_style *s,
				       const struct value *parent, bool named)
{
	/* If raw bytes are shown, too, the call does not need the name of the member. */
	const struct value *without = s->raw_shown && fills_member(parent) ? parent->last : NULL;
	bool more = parent->flags & VALUE_F_MORE, first = true;
	size_t room = parent->kind == VALUE_ARRAY ? NOTE_ELEMENTS_MAX : NOTE_MAX;
	size_t start = b->len, end;

	value_for_each(parent, v)
	{
		end = b->len;
		if (v == without)
			continue;
		if (v->text & TEXT_CLOSES) {
			strbuf_putc(b, ']');
			continue;
		}
		if (named)
			text_child_begin(b, s, v, first);
		else if (!first)
			text_punct(b, s, ", ");
		first = false;
		text_render(b, s, v);
		if (parent->text & TEXT_1KIB && b->len - start > room) {
			b->len = end;
			more = true;
			break;
		}
	}
	if (more) {
		if (!first)
			text_punct(b, s, ", ");
		text_punct(b, s, "...");
	}
}

struct flags_ctx {
	struct strbuf *b;
	const struct text_style *s;
	bool any;
};

static void put_flag(void *ctx, const struct xlat_entry *e)
{
	struct flags_ctx *f = ctx;

	if (f->any)
		text_punct(f->b, f->s, "|");
	f->any = true;
	put_const(f->b, f->s, e->name);
}

/*
 * Writes the names of the flags that are set, and the remaining bits as a number. If `continued` is
 * set, the flags are joined with a '|' to the text before them. Returns true if this function has
 * written any text or `continued` is set.
 */
static bool put_flags(struct strbuf *b, const struct text_style *s, const struct value *v,
		      bool continued)
{
	struct flags_ctx f = {b, s, continued};
	uint64_t rest = value_flags_split(v->table, v->num, put_flag, &f);
	const char *zero;

	if (rest) {
		if (f.any)
			text_punct(b, s, "|");
		strbuf_hex(b, rest);
		return true;
	}
	if (v->num || continued)
		return f.any;
	zero = v->flags & VALUE_F_ZERO_NAMED ? xlat_name(v->table, 0) : NULL;
	if (!zero)
		return false;
	put_const(b, s, zero);
	return true;
}

static bool flags_match(const struct value *v)
{
	for (uint32_t i = 0; i < v->table->n; i++) {
		uint64_t val = v->table->entries[i].val;

		if (val && (v->num & val) == val)
			return true;
	}
	return false;
}

/* Writes the children of an OR as one constant, for the comment on a raw number. */
static void put_whole_or(struct strbuf *b, const struct text_style *s, const struct value *parent)
{
	struct text_config plain = *s->config;
	struct text_style style = {&plain, s->colors, false, s->bare_names, s->numbered};
	const struct value *shown = NULL;

	plain.const_style = CONST_ABBREV;
	value_for_each(parent, v)
	{
		if (v->kind == VALUE_FLAGS && (v->num == 0 || shown)) {
			if (put_flags(b, &style, v, shown))
				shown = v;
			continue;
		}
		if (shown)
			text_punct(b, s, "|");
		text_render(b, &style, v);
		shown = v;
	}
	if (!shown)
		strbuf_putc(b, '0');
}

/*
 * Returns true if the name of a constant has no colour. Most constants with decimal numbers have no
 * colour.
 */
static bool is_plain_name(const struct value *v)
{
	return v->text & TEXT_PLAIN || (text_is_decimal(v) && !(v->text & TEXT_STYLED));
}

static void put_operator(struct strbuf *b, const struct text_style *s, const struct value *v)
{
	const char *text = value_op_text(v->oper);

	/* A separator has the colour of punctuation. An arithmetic operator has no colour. */
	if ((v->text & TEXT_STYLED || v->oper == VALUE_OP_ALTERNATIVE) &&
	    (*text == '|' || *text == ' '))
		text_punct(b, s, text);
	else
		strbuf_puts(b, text);
}

/*
 * Writes the name of a constant, unless `dry_run` is set. Returns true if the constant has a name.
 */
static bool put_meaning(struct strbuf *b, const struct text_style *s, const struct value *v,
			bool dry_run)
{
	struct text_config plain;
	struct text_style style;
	const char *name;

	switch (v->kind) {
	case VALUE_ENUM:
		name = value_enum_name(v);
		if (name && !dry_run && v->text & TEXT_PLAIN)
			strbuf_puts(b, name);
		else if (name && !dry_run)
			put_const(b, s, name);
		return name;
	case VALUE_FLAGS:
		if (dry_run)
			return v->num ? flags_match(v)
				      : v->flags & VALUE_F_ZERO_NAMED && xlat_name(v->table, 0);
		return put_flags(b, s, v, false);
	case VALUE_NAME:
		if (!dry_run) {
			if (s->bare_names || is_plain_name(v))
				strbuf_add(b, v->str, v->len);
			else {
				text_color(b, s, COLOR_CONST);
				strbuf_add(b, v->str, v->len);
				text_color(b, s, COLOR_ARG);
			}
		}
		return true;
	case VALUE_OR:
		if (!dry_run)
			put_whole_or(b, s, v);
		return true;
	default:
		if (dry_run)
			return v->kind == VALUE_CALL || v->child;
		plain = *s->config;
		plain.const_style = CONST_ABBREV;
		style = (struct text_style){.config = &plain,
					    .colors = s->colors,
					    .raw_shown = s->config->const_style == CONST_VERBOSE,
					    .numbered = s->numbered ||
							(v->kind == VALUE_EXPR &&
							 v->oper == VALUE_OP_ALTERNATIVE &&
							 s->config->const_style == CONST_VERBOSE)};
		if (v->kind == VALUE_CALL) {
			text_color(b, s, COLOR_CALL);
			strbuf_puts(b, v->function);
			text_punct(b, s, "(");
			put_children(b, v->text & (TEXT_ALWAYS | TEXT_STYLED) ? s : &style, v,
				     false);
			text_color(b, s, COLOR_PUNCT);
			strbuf_putc(b, ')');
			text_color(b, s, COLOR_RESET);
		} else {
			value_for_each(v, child)
			{
				if (child != v->child)
					put_operator(b, s, v);
				text_render(b, v->text & (TEXT_ALWAYS | TEXT_STYLED) ? s : &style,
					    child);
			}
		}
		return true;
	}
}

/* Writes a constant as a name, a number, or both. */
static attr_noinline void put_constant(struct strbuf *b, const struct text_style *s,
				       const struct value *v)
{
	struct text_style plain = {s->config, NULL, s->raw_shown, false, s->numbered}, bare;
	enum const_style style = s->config->const_style;
	const char *unknown = NULL;
	const struct text_style *meaning = s;
	bool named;

	if (v->text & TEXT_ALWAYS || (v->text & TEXT_NOT_VERBOSE && style == CONST_VERBOSE))
		style = CONST_ABBREV;
	else if (v->text & TEXT_BOTH && style == CONST_ABBREV)
		style = CONST_VERBOSE;
	if (v->kind == VALUE_OR && v->text & TEXT_PLAIN)
		s = meaning = &plain;
	if (unlikely(s->colors)) {
		bare = (struct text_style){s->config, s->colors, s->raw_shown, true, s->numbered};
		/* Modes and arithmetic expressions have the same colour as numbers. */
		if ((v->kind == VALUE_EXPR && v->oper != VALUE_OP_ALTERNATIVE &&
		     !(v->text & TEXT_STYLED)) ||
		    (v->kind == VALUE_CALL && (v->text & TEXT_PLAIN || (v->text & TEXT_ONE_WORD &&
									style != CONST_ABBREV))) ||
		    (v->kind == VALUE_OR && v->text & (TEXT_OCTAL | TEXT_ONE_WORD)))
			meaning = &plain;
		/* A constant's name that follows its number has no colour. */
		else if (style != CONST_ABBREV && v->kind != VALUE_OR && v->kind != VALUE_EXPR)
			meaning = &bare;
	}

	if (style == CONST_ABBREV && v->kind != VALUE_ENUM && v->kind != VALUE_FLAGS) {
		if (v->text & TEXT_ONE_WORD) {
			text_color(b, s, COLOR_CONST);
			put_meaning(b, s->colors ? &plain : s, v, false);
			text_color(b, s, COLOR_ARG);
		} else {
			put_meaning(b, meaning, v, false);
		}
		return;
	}
	named = put_meaning(b, s, v, style != CONST_ABBREV || v->kind == VALUE_FLAGS);
	if (style == CONST_ABBREV && named) {
		if (v->kind == VALUE_FLAGS)
			put_flags(b, s, v, false);
		return;
	}
	if (v->kind != VALUE_ENUM && v->kind != VALUE_FLAGS && v->extra)
		text_render(b, s, v->extra);
	else
		text_raw(b, v);
	if (style == CONST_RAW)
		return;
	if (named) {
		open_comment(b, s);
		put_meaning(b, meaning, v, false);
		close_comment(b, s);
		return;
	}
	if (v->kind == VALUE_ENUM ||
	    (v->kind == VALUE_FLAGS && (v->num || v->flags & VALUE_F_ZERO_NAMED)))
		unknown = v->table->unknown;
	if (unknown && !s->numbered && !(v->text & TEXT_NO_UNKNOWN) && !text_is_decimal(v))
		put_comment(b, s, unknown);
}

/* The bit that PTRACE_O_TRACESYSGOOD adds to the signal, see ptrace(2). */
#define SYSCALL_TRAP 0x80

static void put_condition(struct strbuf *b, const struct text_style *s, const struct value *v)
{
	int status = v->num;

	strbuf_putc(b, '{');
	if (WIFSTOPPED(status)) {
		strbuf_puts(b, "WIFSTOPPED(s) && WSTOPSIG(s) == ");
		text_render(b, s, v->child);
		if (WSTOPSIG(status) & SYSCALL_TRAP)
			strbuf_puts(b, " | 0x80");
	} else if (WIFSIGNALED(status)) {
		strbuf_puts(b, "WIFSIGNALED(s) && WTERMSIG(s) == ");
		text_render(b, s, v->child);
		if (WCOREDUMP(status))
			strbuf_puts(b, " && WCOREDUMP(s)");
	} else if (WIFEXITED(status)) {
		strbuf_puts(b, "WIFEXITED(s) && WEXITSTATUS(s) == ");
		text_render(b, s, v->child);
	} else {
		strbuf_puts(b, "WIFCONTINUED(s)");
	}
	strbuf_putc(b, '}');
}

/*
 * Writes a wait status such as {WIFSTOPPED(s) && WSTOPSIG(s) == SIGTRAP}|PTRACE_EVENT_EXEC<<16. The
 * braces have no colour.
 */
static attr_noinline void put_status(struct strbuf *b, const struct text_style *s,
				     const struct value *v)
{
	struct text_config named = *s->config;
	struct text_style condition = {.config = &named};
	const struct value *event = value_member(v, "event");
	unsigned rest = value_status_rest(v);

	named.const_style = CONST_ABBREV;
	put_condition(b, &condition, v);
	if (event) {
		text_punct(b, s, "|");
		text_render(b, s, event);
		strbuf_puts(b, "<<16");
	}
	if (rest) {
		text_punct(b, s, "|");
		strbuf_hex(b, rest);
	}
}

/* Writes an address or a device. */
static attr_noinline void put_spelled(struct strbuf *b, const struct text_style *s,
				      const struct value *v)
{
	struct text_spelled room;

	put_constant(b, s, text_spell(&room, v));
}

static attr_noinline void put_each(struct strbuf *b, const struct text_style *s,
				   const struct value *parent)
{
	bool any = false;

	value_for_each(parent, v)
	{
		bool zero = v->kind == VALUE_FLAGS && !v->num,
		     named = v->flags & VALUE_F_ZERO_NAMED;

		if (zero && !named && (any || v->next))
			continue;
		if (any)
			text_punct(b, s, "|");
		any = true;
		/* As in strace 7.2, -X raw omits a zero that has a name. */
		if (!zero || !named || s->config->const_style != CONST_RAW)
			text_render(b, s, v);
	}
	if (!any)
		strbuf_putc(b, '0');
}

static attr_noinline void put_string(struct strbuf *b, const struct text_style *s,
				     const struct value *v)
{
	enum hex_strings hex = v->text & TEXT_HEX_STRING ? HEX_ALL : s->config->hex_strings;
	bool more = v->flags & VALUE_F_MORE, abstract = v->text & TEXT_ABSTRACT;
	const char *str = v->str + abstract;
	size_t len = v->len - abstract;

	if (abstract)
		strbuf_putc(b, '@');

	if (v->text & TEXT_NUL && (hex == HEX_ALL || hex == HEX_NON_ASCII)) {
		more |= v->text & TEXT_NUL_MORE;
		len++;
	}
	if (v->text & TEXT_PLAIN) {
		bool unknown = len == 3 && !memcmp(v->str, "???", len);

		if (unknown)
			text_color(b, s, COLOR_ERROR);
		strbuf_add(b, v->str, len);
		if (unknown)
			text_color(b, s, COLOR_ARG);
	} else {
		strbuf_putc(b, '"');
		escape_bytes(b, str, len, hex, false);
		strbuf_putc(b, '"');
	}
	if (more)
		text_punct(b, s, "...");
}

/*
 * Writes the details of a descriptor other than its path, such as pid:12, signalfd:[HUP] or char
 * 1:3.
 */
static void put_detail(struct strbuf *b, const struct text_style *s, const struct value *v)
{
	const struct text_style plain = {.config = s->config, .raw_shown = s->raw_shown};
	bool named = v->name && !(v->text & TEXT_UNNAMED);

	if (named) {
		strbuf_puts(b, v->name);
		strbuf_putc(b, ':');
	}
	text_render(b, named ? &plain : s, v);
}

static attr_noinline void put_fd(struct strbuf *b, const struct text_style *s,
				 const struct value *v)
{
	enum const_style style = s->config->const_style;
	bool cwd = v->flags & VALUE_F_ATFD && (int)v->num == -100;

	if (!cwd || style != CONST_ABBREV)
		strbuf_dec(b, v->num);
	if (cwd && style == CONST_ABBREV)
		put_const(b, s, "AT_FDCWD");
	else if (cwd && style == CONST_VERBOSE)
		put_comment(b, s, "AT_FDCWD");
	if (!v->str && !v->extra)
		return;
	text_punct(b, s, "<");
	if (v->str)
		escape_bytes(b, v->str, v->len, s->config->hex_strings, true);
	if (v->str && v->extra)
		text_punct(b, s, "<");
	if (v->extra)
		put_detail(b, s, v->extra);
	if (v->str && v->extra)
		text_punct(b, s, ">");
	text_punct(b, s, ">");
	if (v->flags & VALUE_F_DELETED)
		strbuf_puts(b, "(deleted)");
}

/* Writes the contexts of the file of a string or descriptor. */
static attr_noinline void put_secontext(struct strbuf *b, const struct text_style *s,
					const struct secontext *c)
{
	strbuf_putc(b, ' ');
	text_punct(b, s, "[");
	text_secontext(b, s->config, c->context, c->expected);
	text_punct(b, s, "]");
}

static bool is_number(const struct value *v)
{
	return v->kind <= VALUE_ADDR;
}

static attr_noinline void put_change(struct strbuf *b, const struct text_style *s,
				     const struct value *v)
{
	if (!v->child)
		return;
	text_render(b, s, v->child);
	text_change_rest(b, s, v);
}

void text_change_rest(struct strbuf *b, const struct text_style *s, const struct value *v)
{
	const struct value *in = v->child, *out = in->next;

	if (!out || (!(v->text & TEXT_TWICE) && is_number(in) && in->kind == out->kind &&
		     in->num == out->num))
		return;
	text_punct(b, s, " => ");
	text_render(b, s, out);
}

static attr_noinline void put_bitset(struct strbuf *b, const struct text_style *s,
				     const struct value *parent)
{
	const struct text_style plain = {s->config, NULL, s->raw_shown, false, s->numbered};
	const struct text_style *set = parent->text & TEXT_PLAIN ? &plain : s;

	if (parent->extra && s->config->const_style == CONST_RAW) {
		text_render(b, s, parent->extra);
		return;
	}
	if (parent->flags & VALUE_F_INVERTED)
		strbuf_putc(b, '~');
	text_punct(b, set, "[");
	value_for_each(parent, v)
	{
		if (v != parent->child)
			text_punct(b, set, " ");
		text_render(b, set, v);
	}
	if (parent->flags & VALUE_F_MORE) {
		if (parent->child)
			text_punct(b, set, " ");
		text_punct(b, set, "...");
	}
	text_punct(b, set, "]");
	if (parent->extra && s->config->const_style == CONST_VERBOSE) {
		open_comment(b, s);
		text_render(b, s, parent->extra);
		close_comment(b, s);
	}
}

static attr_noinline void put_braced(struct strbuf *b, const struct text_style *s,
				     const struct value *v, const char *open, const char *close)
{
	const struct text_style plain = {s->config, NULL, s->raw_shown, false, s->numbered};

	/* All parts of {WIFEXITED(s) && WEXITSTATUS(s) == 3} have the same colour. */
	if (v->text & TEXT_PLAIN ||
	    (v->child && v->child->text & TEXT_UNNAMED && v->child->kind == VALUE_EXPR))
		s = &plain;
	text_punct(b, s, open);
	put_children(b, s, v, true);
	text_punct(b, s, close);
}

static attr_noinline void put_pid(struct strbuf *b, const struct text_style *s,
				  const struct value *v)
{
	strbuf_dec(b, (int)v->num);
	if (likely(!v->str))
		return;
	text_punct(b, s, "<");
	escape_bytes(b, v->str, v->len, s->config->hex_strings, true);
	text_punct(b, s, ">");
}

static attr_noinline void put_indexed(struct strbuf *b, const struct text_style *s,
				      const struct value *v)
{
	text_punct(b, s, "[");
	text_render(b, s, v->child);
	text_punct(b, s, "]=");
	text_render(b, s, v->child->next);
}

/* Writes a value, but not its comment and its date. */
static void put_value(struct strbuf *b, const struct text_style *s, const struct value *v)
{
	switch ((enum value_kind)v->kind) {
	case VALUE_INT:
		strbuf_dec(b, v->num);
		break;
	case VALUE_UINT:
		strbuf_udec(b, v->num);
		break;
	case VALUE_HEX:
		text_hex(b, v);
		break;
	case VALUE_OCT:
		text_octal(b, v);
		break;
	case VALUE_ADDR:
		if (v->num)
			strbuf_hex(b, v->num);
		else
			strbuf_puts(b, "NULL");
		break;
	case VALUE_OR:
		if (v->text & TEXT_EACH ||
		    (v->text & TEXT_NOT_VERBOSE && s->config->const_style == CONST_VERBOSE)) {
			put_each(b, s, v);
			break;
		}
		/* fallthrough */
	case VALUE_ENUM:
	case VALUE_FLAGS:
	case VALUE_CALL:
	case VALUE_NAME:
	case VALUE_EXPR:
		put_constant(b, s, v);
		break;
	case VALUE_ADDRESS:
	case VALUE_DEVICE:
		put_spelled(b, s, v);
		break;
	case VALUE_DATE:
		put_date_alone(b, v);
		break;
	case VALUE_STATUS:
		put_status(b, s, v);
		break;
	case VALUE_STRING:
		put_string(b, s, v);
		if (unlikely(v->secontext))
			put_secontext(b, s, v->secontext);
		break;
	case VALUE_STRUCT:
		put_braced(b, s, v, "{", "}");
		break;
	case VALUE_ARRAY:
		put_braced(b, s, v, "[", "]");
		break;
	case VALUE_BITSET:
		put_bitset(b, s, v);
		break;
	case VALUE_FD:
		put_fd(b, s, v);
		if (unlikely(v->secontext))
			put_secontext(b, s, v->secontext);
		break;
	case VALUE_SOCKET:
		text_socket(b, v, s->config->hex_strings);
		break;
	case VALUE_DEVICE_FILE:
		text_device_file(b, v);
		break;
	case VALUE_PID:
		put_pid(b, s, v);
		break;
	case VALUE_CHANGE:
		put_change(b, s, v);
		break;
	case VALUE_SEQ:
		put_children(b, s, v, true);
		break;
	case VALUE_MORE:
		text_punct(b, s, "...");
		break;
	case VALUE_INDEXED:
		put_indexed(b, s, v);
		break;
	case VALUE_PENDING:
		break;
	}
}

static attr_noinline void put_commented(struct strbuf *b, const struct text_style *s,
					const struct value *v)
{
	if (v->comment && v->text & TEXT_COMMENT_FIRST) {
		strbuf_puts(b, "/* ");
		strbuf_puts(b, v->comment);
		strbuf_puts(b, " */ ");
	}
	put_value(b, s, v);
	if (v->text & TEXT_COMMENT_READS && s->config->const_style == CONST_RAW)
		return;
	if (v->comment && !(v->text & TEXT_COMMENT_FIRST))
		put_comment(b, s, v->comment);
	if (v->extra && v->extra->kind == VALUE_DATE)
		put_date(b, s, v->extra);
}

void text_render(struct strbuf *b, const struct text_style *s, const struct value *v)
{
	if (unlikely(v->comment || v->extra))
		put_commented(b, s, v);
	else
		put_value(b, s, v);
}

void text_value(struct strbuf *out, const struct value *v, const struct text_config *config)
{
	struct text_style s = {.config = config};

	text_render(out, &s, v);
}
