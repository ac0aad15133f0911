/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/json/json_result.h"

#include "linux/syscall_desc.h"
#include "sinks/json/json_text.h"
#include "util/names.h"

/* The object "detail" while it is being written. It is omitted if it has no members. */
struct detail {
	struct strbuf *b;
	bool any;
};

static struct strbuf *detail_next(struct detail *d)
{
	strbuf_puts(d->b, d->any ? "," : ",\"detail\":{");
	d->any = true;
	return d->b;
}

static struct strbuf *detail_key(struct detail *d, const char *key)
{
	json_string(detail_next(d), key, strlen(key));
	strbuf_putc(d->b, ':');
	return d->b;
}

/* Returns the numeric result. Unlike e->ret, it is truncated to the width of the ABI. */
static int64_t result_number(const struct event *e)
{
	const struct value *v = e->ret_value;

	if (!v)
		return e->ret;
	switch ((enum value_kind)v->kind) {
	case VALUE_INT:
	case VALUE_UINT:
	case VALUE_HEX:
	case VALUE_OCT:
	case VALUE_ADDR:
	case VALUE_ENUM:
		return (int64_t)v->num;
	case VALUE_FD:
	case VALUE_PID:
		return (int)v->num;
	default:
		return e->ret;
	}
}

/*
 * Adds the meaning of the result: an address, the name of a constant or process, or the details of
 * a descriptor.
 */
static void put_meaning(struct detail *d, const struct event *e, const struct syscall_desc *desc,
			int64_t number)
{
	const struct value *v = e->ret_value;

	if (desc && desc->ret.ops == &type_hex && desc->ret.width == W_LONG) {
		/* The results of mmap, brk and similar calls are addresses. */
		json_addr(detail_key(d, "address"), (uint64_t)number);
	} else if (number > JSON_EXACT_MAX || number < -JSON_EXACT_MAX) {
		json_addr(detail_key(d, "hex"), (uint64_t)number);
	}
	if (!v)
		return;
	if (v->kind == VALUE_ENUM && value_enum_name(v)) {
		json_cstring(detail_key(d, "name"), value_enum_name(v));
	} else if (v->kind == VALUE_PID && v->str) {
		json_text_member(detail_next(d), "comm", v->str, v->len);
	} else if (v->kind == VALUE_FD && value_fd_has_details(v)) {
		detail_next(d);
		json_fd_members(d->b, v);
	}
}

/* Adds the note that follows the result in parentheses in text output. */
static void put_note(struct detail *d, const struct value *v)
{
	if (v->name) {
		json_value(detail_key(d, v->name), v);
		return;
	}
	switch ((enum value_kind)v->kind) {
	case VALUE_SEQ:
	case VALUE_STRUCT:
		value_for_each(v, m) json_value(detail_key(d, m->name ? m->name : "..."), m);
		break;
	case VALUE_ARRAY:
	case VALUE_BITSET:
		json_value(detail_key(d, "set"), v);
		break;
	case VALUE_FLAGS:
	case VALUE_OR:
		json_value(detail_key(d, "flags"), v);
		break;
	case VALUE_DATE:
		json_value(detail_key(d, "date"), v);
		break;
	case VALUE_CALL:
		json_array(detail_key(d, v->function), v);
		break;
	default:
		json_words(detail_key(d, "name"), v);
	}
}

static void put_detail(struct strbuf *b, const struct event *e, const struct syscall_desc *desc,
		       int64_t number)
{
	struct detail d = {b, false};

	if (e->ret_kind == RET_VALUE)
		put_meaning(&d, e, desc, number);
	if (e->ret_comment)
		put_note(&d, e->ret_comment);
	if (d.any)
		strbuf_putc(b, '}');
}

void json_result(struct strbuf *b, const struct event *e, const struct syscall_desc *desc)
{
	int64_t number = 0;

	strbuf_puts(b, ",\"ret\":");
	if (e->ret_kind == RET_VALUE || e->ret_kind == RET_ERROR) {
		number = e->ret_kind == RET_ERROR ? -1 : result_number(e);
		strbuf_dec(b, number);
	} else {
		strbuf_puts(b, "null");
	}
	strbuf_puts(b, ",\"error\":");
	if (e->ret_kind == RET_ERROR || e->ret_kind == RET_RESTART)
		json_name(b, errno_name(e->ret), e->ret);
	else
		strbuf_puts(b, "null");
	if (e->ret_kind == RET_NONE)
		strbuf_puts(b, ",\"status\":\"unfinished\"");
	else if (e->ret_kind == RET_RESTART)
		strbuf_puts(b, ",\"status\":\"restart\"");
	put_detail(b, e, desc, number);
}

/* Adds the notes that text output shows as "(INJECTED) (DELAYED)", without parentheses. */
static void put_tampered(struct strbuf *b, struct foreign note)
{
	struct strbuf words = {0};
	char c;

	for (size_t i = 0; (c = (char)foreign_byte(note, i)); i++)
		if (c != '(' && c != ')')
			strbuf_putc(&words, c);
	json_string(b, words.data, words.len);
	strbuf_deinit(&words);
}

void json_call_result(struct strbuf *b, const struct syscall_event *e)
{
	json_result(b, &e->base, e->desc);
	if (foreign_given(e->tampered)) {
		strbuf_puts(b, ",\"tampered\":");
		put_tampered(b, e->tampered);
	}
	if (unlikely(e->cut))
		strbuf_puts(b, ",\"cut\":true");
}
