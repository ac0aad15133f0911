/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_call.h"

#include <string.h>

#include "sinks/text/text_part.h"
#include "sinks/text/text_result.h"
#include "util/escape.h"
#include "util/names.h"
#include "util/utf8.h"

/*
 * Writes "NAME=" for argument `i`. If the syscall is unknown, its arguments are called arg1, arg2
 * and so on.
 */
static attr_noinline void put_name(struct strbuf *b, const struct text_style *s,
				   const struct arg *a, unsigned i)
{
	text_name(b, s, a->name ? a->name : (char[]){'a', 'r', 'g', '1' + i, 0});
}

void text_arg_begin(struct strbuf *b, const struct text_style *s, const struct syscall_event *e,
		    unsigned i)
{
	const struct arg *a = &e->base.args[i];
	const struct value *v = a->in ? a->in : a->out;

	if (i)
		text_punct(b, s, ", ");
	if (likely(!s->config->arg_names && !(v && v->text & TEXT_NAMED)))
		return;
	/*
	 * The name is NULL if the syscall is unknown, and "" if the argument is always shown
	 * without a name.
	 */
	if ((a->name && !*a->name) || (v && v->text & TEXT_UNNAMED))
		return;
	put_name(b, s, a, i);
}

/*
 * Appends argument `i`. Returns false if the argument is incomplete because the call did not
 * return.
 */
static bool put_arg(struct strbuf *b, const struct text_style *s, const struct syscall_event *e,
		    unsigned i)
{
	const struct arg *a = &e->base.args[i];
	bool open = a->in && a->in->flags & VALUE_F_OPEN, returned = e->base.ret_kind != RET_NONE;
	const struct value *v = returned && a->out ? a->out : a->in;
	struct text_part part;

	if (!v)
		return returned;
	text_arg_begin(b, s, e, i);
	if (!open) {
		text_render(b, s, v);
		return true;
	}
	text_open(b, s, a->in, &part);
	if (returned)
		text_go_on(b, s, a->in, v, &part);
	return returned;
}

void text_call(struct strbuf *b, const struct text_style *s, const struct syscall_event *e)
{
	bool whole = e->base.ret_kind != RET_NONE || !e->exit_shows;

	text_color(b, s, COLOR_SYSCALL);
	strbuf_puts(b, e->base.name);
	text_punct(b, s, "(");
	for (unsigned i = 0; i < e->base.nargs; i++) {
		if (put_arg(b, s, e, i))
			continue;
		whole = false;
		break;
	}
	if (!whole)
		strbuf_puts(b, " <unfinished ...>");
	text_punct(b, s, ") ");
	text_call_result(b, s, e);
}

/*
 * Appends a name that may come from an untrusted trace. Escapes it, so that it cannot end the line.
 */
static void put_name_of(struct strbuf *b, const char *name)
{
	escape_name(b, name, strlen(name));
}

/* Writes the values of an event from another source: {waker=12, woken=13}. */
static void put_values(struct strbuf *b, const struct text_style *s, const struct event *e)
{
	text_punct(b, s, "{");
	for (unsigned i = 0; i < e->nargs; i++) {
		const struct arg *a = &e->args[i];

		if (i)
			text_punct(b, s, ", ");
		put_name_of(b, a->name);
		text_punct(b, s, "=");
		text_render(b, s, a->in);
	}
	text_punct(b, s, "}");
}

void text_other(struct strbuf *b, const struct text_style *s, const struct event *e)
{
	strbuf_puts(b, "--- ");
	put_name_of(b, e->source);
	if (strcmp(e->name, e->source)) {
		strbuf_putc(b, ' ');
		put_name_of(b, e->name);
	}
	if (e->nargs) {
		strbuf_putc(b, ' ');
		put_values(b, s, e);
	}
	if (e->ret_kind != RET_NONE) {
		strbuf_putc(b, ' ');
		text_result(b, s, e);
	}
	strbuf_puts(b, " ---");
}

void text_resumed(struct strbuf *b, const struct syscall_event *e)
{
	strbuf_puts(b, "<... ");
	strbuf_puts(b, e->base.name);
	strbuf_puts(b, " resumed>");
}

void text_signal_name(struct strbuf *b, int sig)
{
	const char *name = signal_name(sig);

	if (name)
		strbuf_puts(b, name);
	else
		strbuf_dec(b, sig);
}

void text_lost(struct strbuf *b, const struct lost_event *e)
{
	strbuf_puts(b, "--- lost ");
	strbuf_udec(b, e->count);
	strbuf_puts(b, e->count == 1 ? " event: " : " events: ");
	escape_foreign(b, e->cause);
	strbuf_puts(b, " ---");
}

size_t text_width(const struct text_style *s, const struct strbuf *b, size_t start)
{
	size_t width = 0;

	if (likely(!s->colors && s->config->hex_strings != HEX_NOT_UTF8))
		return b->len - start;
	for (; start < b->len; start++) {
		if (b->data[start] == '\033')
			while (start < b->len && b->data[start] != 'm')
				start++;
		else
			width += utf8_columns(b->data[start]);
	}
	return width;
}
