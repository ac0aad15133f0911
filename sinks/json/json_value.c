/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes values, arguments and results as JSON. */
#include <sys/wait.h>

#include "linux/syscall_desc.h"
#include "sinks/json/json_text.h"
#include "event/words.h"

static const char truncated_mark[] = "{\"truncated\":true}";

/* A list that is being written. Inserts the commas. */
struct list {
	struct strbuf *b;
	bool any;
};

static struct strbuf *list_next(struct list *l)
{
	if (l->any)
		strbuf_putc(l->b, ',');
	l->any = true;
	return l->b;
}

static void list_word(struct list *l, const char *s, size_t n)
{
	json_string(list_next(l), s, n);
}

static void put_flag(void *ctx, const struct xlat_entry *e)
{
	list_word(ctx, e->name, strlen(e->name));
}

static void list_flags(struct list *l, const struct value *v)
{
	uint64_t rest = value_flags_split(v->table, v->num, put_flag, l);
	const char *zero = NULL;

	if (rest)
		json_addr(list_next(l), rest);
	else if (!v->num && !l->any && v->flags & VALUE_F_ZERO_NAMED)
		zero = xlat_name(v->table, 0);
	if (zero)
		list_word(l, zero, strlen(zero));
}

void json_words(struct strbuf *b, const struct value *v)
{
	struct strbuf words = {0};

	value_words(&words, v);
	json_string(b, words.data ? words.data : "", words.len);
	strbuf_deinit(&words);
}

/*
 * Adds the children of an OR expression to an array of names. Unnamed children become strings too.
 */
static void list_or(struct list *l, const struct value *parent)
{
	value_for_each(parent, v)
	{
		const char *name;

		switch (v->kind) {
		case VALUE_FLAGS:
			list_flags(l, v);
			break;
		case VALUE_OR:
			list_or(l, v);
			break;
		case VALUE_ENUM:
			name = xlat_name(v->table, v->num);
			if (name)
				list_word(l, name, strlen(name));
			else
				json_addr(list_next(l), v->num);
			break;
		case VALUE_NAME:
			list_word(l, v->str, v->len);
			break;
		default:
			json_words(list_next(l), v);
		}
	}
}

static void put_key(struct list *l, const char *key)
{
	json_string(list_next(l), key, strlen(key));
	strbuf_putc(l->b, ':');
}

static void put_index_key(struct list *l, unsigned i)
{
	strbuf_putc(list_next(l), '"');
	strbuf_udec(l->b, i);
	strbuf_puts(l->b, "\":");
}

/*
 * Writes the members of a struct, beginning with the index *index, and advances *index. The members
 * of nested sequences are written as members of the struct.
 */
static void list_members(struct list *l, const struct value *parent, unsigned *index)
{
	value_for_each(parent, v)
	{
		unsigned at = (*index)++;

		if (v->kind == VALUE_SEQ && !v->name) {
			list_members(l, v, index);
			continue;
		}
		if (v->kind == VALUE_MORE && !v->name) {
			strbuf_puts(list_next(l), "\"...\":true");
			continue;
		}
		if (v->name)
			put_key(l, v->name);
		else
			put_index_key(l, at);
		json_value(l->b, v);
	}
	if (parent->flags & VALUE_F_MORE)
		strbuf_puts(list_next(l), "\"...\":true");
}

static void put_struct(struct strbuf *b, const struct value *v)
{
	struct list l = {b, false};
	unsigned index = 0;

	strbuf_putc(b, '{');
	list_members(&l, v, &index);
	strbuf_putc(b, '}');
}

void json_array(struct strbuf *b, const struct value *parent)
{
	struct list l = {b, false};

	strbuf_putc(b, '[');
	value_for_each(parent, v) json_value(list_next(&l), v);
	if (parent->flags & VALUE_F_MORE)
		strbuf_puts(list_next(&l), truncated_mark);
	strbuf_putc(b, ']');
}

static void put_call(struct strbuf *b, const struct value *v)
{
	if (v->child && !v->child->next) {
		/* Write only the number, for example 80 for htons(80). */
		json_value(b, v->child);
		return;
	}
	strbuf_putc(b, '{');
	json_string(b, v->function, strlen(v->function));
	strbuf_putc(b, ':');
	json_array(b, v);
	strbuf_putc(b, '}');
}

static void put_expr(struct strbuf *b, const struct value *v)
{
	if (value_op_is_arithmetic(v->oper))
		json_uint(b, v->num);
	else if (v->oper == VALUE_OP_BESIDE && v->child == v->last)
		json_value(b, v->child);
	else if (v->oper == VALUE_OP_BESIDE)
		json_array(b, v);
	else
		json_words(b, v);
}

static void put_address(struct strbuf *b, const struct value *v)
{
	char text[VALUE_ADDRESS_TEXT];

	json_string(b, text, value_address_text(v, text, sizeof(text)));
}

static void put_device(struct strbuf *b, const struct value *v)
{
	strbuf_puts(b, "{\"makedev\":[");
	json_uint(b, value_device_major(v));
	strbuf_putc(b, ',');
	json_uint(b, value_device_minor(v));
	strbuf_puts(b, "]}");
}

static void put_date(struct strbuf *b, const struct value *v)
{
	char text[VALUE_DATE_TEXT];

	json_string(b, text, value_date_text(v, text));
}

/*
 * Writes a wait status: {"exited":3}, {"killed":"SIGSEGV","core_dumped":true} or
 * {"stopped":…,"event":…}.
 */
static void put_status(struct strbuf *b, const struct value *v)
{
	struct list l = {b, false};
	int status = v->num;

	strbuf_putc(b, '{');
	value_for_each(v, m)
	{
		put_key(&l, m->name);
		json_value(b, m);
	}
	if (WIFSIGNALED(status))
		strbuf_puts(list_next(&l),
			    WCOREDUMP(status) ? "\"core_dumped\":true" : "\"core_dumped\":false");
	/* The bit that PTRACE_O_TRACESYSGOOD adds to the signal, see ptrace(2). */
	if (WIFSTOPPED(status) && WSTOPSIG(status) & 0x80)
		strbuf_puts(list_next(&l), "\"syscall\":true");
	if (WIFCONTINUED(status))
		strbuf_puts(list_next(&l), "\"continued\":true");
	if (value_status_rest(v)) {
		put_key(&l, "rest");
		json_addr(b, value_status_rest(v));
	}
	strbuf_putc(b, '}');
}

/* Writes the details of a descriptor. Each member has the same type in all events. */
static void put_known(struct strbuf *b, const struct value *v)
{
	struct list l = {b, false};

	strbuf_putc(b, '{');
	value_for_each(v, m)
	{
		if (m->kind == VALUE_STRING) {
			json_text_member(list_next(&l), m->name, m->str, m->len);
			continue;
		}
		put_key(&l, m->name);
		if (m->kind == VALUE_ENUM && !value_enum_name(m))
			strbuf_printf(b, "\"%llu\"", (unsigned long long)m->num);
		else
			json_value(b, m);
	}
	strbuf_putc(b, '}');
}

static void json_secontext(struct strbuf *b, const struct secontext *s)
{
	json_text_member(b, "secontext", s->context, strlen(s->context));
	if (s->expected && strcmp(s->context, s->expected) != 0) {
		strbuf_putc(b, ',');
		json_text_member(b, "secontext_expected", s->expected, strlen(s->expected));
	}
}

void json_fd_members(struct strbuf *b, const struct value *v)
{
	if (v->str)
		json_text_member(b, "path", v->str, v->len);
	if (v->secontext) {
		if (v->str)
			strbuf_putc(b, ',');
		json_secontext(b, v->secontext);
	}
	if (v->extra) {
		if (v->str || v->secontext)
			strbuf_putc(b, ',');
		json_cstring(b, v->extra->name);
		strbuf_putc(b, ':');
		json_value(b, v->extra);
	}
	if (v->flags & VALUE_F_DELETED)
		strbuf_puts(b, ",\"deleted\":true");
	if (v->err == -ESTALE)
		strbuf_puts(b, ",\"late\":true");
}

/* Writes a path with its contexts. */
static void put_path(struct strbuf *b, const struct value *v)
{
	strbuf_putc(b, '{');
	json_text_member(b, "path", v->str, v->len);
	strbuf_putc(b, ',');
	json_secontext(b, v->secontext);
	strbuf_putc(b, '}');
}

static void put_fd(struct strbuf *b, const struct value *v)
{
	bool detail = value_fd_has_details(v);

	if (detail)
		strbuf_puts(b, "{\"fd\":");
	if (v->flags & VALUE_F_ATFD && (int)v->num == -100)
		strbuf_puts(b, "\"AT_FDCWD\"");
	else
		strbuf_dec(b, (int)v->num);
	if (!detail)
		return;
	strbuf_putc(b, ',');
	json_fd_members(b, v);
	strbuf_putc(b, '}');
}

static void put_change(struct strbuf *b, const struct value *v)
{
	const struct value *in = v->child, *out = in ? in->next : NULL;

	if (!in) {
		strbuf_puts(b, "null");
	} else if (!out ||
		   (in->kind <= VALUE_ADDR && in->kind == out->kind && in->num == out->num)) {
		json_value(b, in);
	} else {
		strbuf_puts(b, "{\"in\":");
		json_value(b, in);
		strbuf_puts(b, ",\"out\":");
		json_value(b, out);
		strbuf_putc(b, '}');
	}
}

/* Returns the reason why memory that may be valid was not read, or NULL for other errors. */
static const char *unread_reason(int err)
{
	switch (err) {
	case -ENODATA:
		return "not_captured";
	case -ETIMEDOUT:
		return "not_in_time";
	default:
		return NULL;
	}
}

static void put_unread(struct strbuf *b, uint64_t addr, const char *reason)
{
	strbuf_puts(b, "{\"address\":");
	json_addr(b, addr);
	strbuf_puts(b, ",\"");
	strbuf_puts(b, reason);
	strbuf_puts(b, "\":true}");
}

void json_value(struct strbuf *b, const struct value *v)
{
	struct list l = {b, false};
	const char *name;

	switch ((enum value_kind)v->kind) {
	case VALUE_INT:
		json_int(b, v->num);
		break;
	case VALUE_UINT:
	case VALUE_HEX:
	case VALUE_OCT:
		json_uint(b, v->num);
		break;
	case VALUE_ADDR:
		if (unread_reason(v->err))
			put_unread(b, v->num, unread_reason(v->err));
		else if (v->num)
			json_addr(b, v->num);
		else
			strbuf_puts(b, "null");
		break;
	case VALUE_ENUM:
		name = value_enum_name(v);
		if (name)
			json_string(b, name, strlen(name));
		else if (v->flags & VALUE_F_SIGNED)
			json_int(b, v->num);
		else
			json_uint(b, v->num);
		break;
	case VALUE_FLAGS:
		strbuf_putc(b, '[');
		list_flags(&l, v);
		strbuf_putc(b, ']');
		break;
	case VALUE_OR:
		strbuf_putc(b, '[');
		list_or(&l, v);
		strbuf_putc(b, ']');
		break;
	case VALUE_CALL:
		put_call(b, v);
		break;
	case VALUE_NAME:
		json_string(b, v->str, v->len);
		break;
	case VALUE_EXPR:
		put_expr(b, v);
		break;
	case VALUE_ADDRESS:
		put_address(b, v);
		break;
	case VALUE_DEVICE:
		put_device(b, v);
		break;
	case VALUE_DATE:
		put_date(b, v);
		break;
	case VALUE_STATUS:
		put_status(b, v);
		break;
	case VALUE_STRING:
		if (unlikely(v->secontext))
			put_path(b, v);
		else if (v->flags & VALUE_F_MORE)
			json_truncated(b, v->str, v->len);
		else
			json_bytes(b, v->str, v->len);
		break;
	case VALUE_STRUCT:
		put_struct(b, v);
		break;
	case VALUE_SOCKET:
	case VALUE_DEVICE_FILE:
		put_known(b, v);
		break;
	case VALUE_ARRAY:
		json_array(b, v);
		break;
	case VALUE_BITSET:
		if (v->flags & VALUE_F_INVERTED)
			strbuf_puts(b, "{\"not\":");
		json_array(b, v);
		if (v->flags & VALUE_F_INVERTED)
			strbuf_putc(b, '}');
		break;
	case VALUE_FD:
		put_fd(b, v);
		break;
	case VALUE_PID:
		if (!v->str) {
			strbuf_dec(b, (int)v->num);
			break;
		}
		strbuf_puts(b, "{\"pid\":");
		strbuf_dec(b, (int)v->num);
		strbuf_putc(b, ',');
		json_text_member(b, "comm", v->str, v->len);
		strbuf_putc(b, '}');
		break;
	case VALUE_CHANGE:
		put_change(b, v);
		break;
	case VALUE_SEQ:
		if (v->child && v->child->name)
			put_struct(b, v);
		else
			json_array(b, v);
		break;
	case VALUE_MORE:
		if (unread_reason(v->err))
			put_unread(b, v->num, unread_reason(v->err));
		else
			strbuf_puts(b, truncated_mark);
		break;
	case VALUE_INDEXED:
		strbuf_puts(b, "{\"index\":");
		json_value(b, v->child);
		strbuf_puts(b, ",\"value\":");
		json_value(b, v->child->next);
		strbuf_putc(b, '}');
		break;
	case VALUE_PENDING:
		strbuf_puts(b, "null");
		break;
	}
}

void json_args(struct strbuf *b, const struct event *e)
{
	struct list l = {b, false};

	strbuf_putc(b, '{');
	for (unsigned i = 0; i < e->nargs; i++) {
		const struct arg *a = &e->args[i];
		const struct value *v = a->out ? a->out : a->in;

		if (!v)
			continue;
		if (v->kind == VALUE_SEQ && v->child && v->child->name) {
			/* One decoder has produced several arguments, as a VALUE_SEQ. */
			unsigned index = i;

			list_members(&l, v, &index);
			continue;
		}
		if (a->name && *a->name)
			put_key(&l, a->name);
		else
			put_key(&l, (char[]){'a', 'r', 'g', '1' + i, 0});
		json_value(b, v);
	}
	strbuf_putc(b, '}');
}

void json_ret(struct strbuf *b, const struct event *e, const struct syscall_desc *desc)
{
	if (e->ret_kind == RET_ERROR) {
		strbuf_puts(b, "-1");
	} else if (e->ret_kind != RET_VALUE) {
		strbuf_puts(b, "null");
	} else if (desc && desc->ret.ops == &type_hex && desc->ret.width == W_LONG) {
		/* The results of mmap, brk and similar calls are addresses. */
		json_addr(b, e->ret);
	} else if (e->ret_value) {
		json_value(b, e->ret_value);
	} else {
		json_int(b, e->ret);
	}
}
