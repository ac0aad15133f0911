/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_result.h"

#include "event/event.h"
#include "event/wakeup.h"
#include "sinks/text/text_value.h"
#include "util/escape.h"
#include "util/names.h"

/*
 * Writes the note after a result. If the note requires it, constants are shown by name in all
 * styles.
 */
static attr_noinline void put_note(struct strbuf *b, const struct text_style *style,
				   const struct value *note)
{
	struct text_config named = *style->config;
	struct text_style plain = {.config = style->config};

	if (note->text & TEXT_COMMENT_READS && named.const_style == CONST_RAW)
		return;
	if (note->text & TEXT_ALWAYS && note->kind != VALUE_CALL) {
		named.const_style = CONST_ABBREV;
		plain.config = &named;
	}
	strbuf_putc(b, ' ');
	text_color(b, style, COLOR_RETVAL);
	strbuf_putc(b, '(');
	if (note->name) {
		strbuf_puts(b, note->name);
		strbuf_putc(b, ' ');
	}
	text_render(b, &plain, note);
	strbuf_putc(b, ')');
	text_color(b, style, COLOR_RESET);
}

static void put_equals(struct strbuf *b, const struct text_style *style)
{
	if (likely(!style->colors)) {
		strbuf_puts(b, "= ");
		return;
	}
	text_color(b, style, COLOR_PUNCT);
	strbuf_putc(b, '=');
	text_color(b, style, COLOR_RESET);
	text_color(b, style, COLOR_RESET);
	strbuf_putc(b, ' ');
	text_color(b, style, COLOR_RETVAL);
}

/* Writes a failed call's result, for example "-1 ENOENT (No such file or directory)". */
static attr_noinline void put_error(struct strbuf *b, const struct text_style *style,
				    const struct event *e)
{
	const char *name = errno_name(e->ret);

	strbuf_puts(b, e->ret_kind == RET_ERROR ? "-1" : "?");
	text_color(b, style, COLOR_RESET);
	strbuf_putc(b, ' ');
	text_color(b, style, COLOR_ERROR);
	if (!name) {
		strbuf_puts(b, "(errno ");
		strbuf_dec(b, e->ret);
		strbuf_putc(b, ')');
		return;
	}
	strbuf_puts(b, name);
	text_color(b, style, COLOR_RESET);
	strbuf_putc(b, ' ');
	text_color(b, style, COLOR_ERROR);
	strbuf_putc(b, '(');
	/*
	 * errno_text() describes how the kernel restarts a call, so it is used only for
	 * RET_RESTART.
	 */
	strbuf_puts(b, e->ret_kind == RET_ERROR ? errno_description(e->ret) : errno_text(e->ret));
	strbuf_putc(b, ')');
}

static attr_noinline void put_tampered(struct strbuf *b, const struct text_style *style,
				       struct foreign note)
{
	strbuf_putc(b, ' ');
	text_color(b, style, COLOR_RETVAL);
	escape_foreign(b, note);
	text_color(b, style, COLOR_RESET);
}

void text_result(struct strbuf *b, const struct text_style *style, const struct event *e)
{
	put_equals(b, style);
	switch (e->ret_kind) {
	case RET_NONE:
		strbuf_putc(b, '?');
		break;
	case RET_VALUE:
		if (e->ret_value)
			text_render(b, style, e->ret_value);
		else
			strbuf_dec(b, e->ret);
		break;
	case RET_ERROR:
	case RET_RESTART:
		put_error(b, style, e);
		break;
	}
	text_color(b, style, COLOR_RESET);
	if (unlikely(e->ret_comment))
		put_note(b, style, e->ret_comment);
}

void text_call_result(struct strbuf *b, const struct text_style *style,
		      const struct syscall_event *e)
{
	text_result(b, style, &e->base);
	if (unlikely(foreign_given(e->tampered)))
		put_tampered(b, style, e->tampered);
}

void text_waker(struct strbuf *b, const struct text_style *style, const struct wakeup *w)
{
	const char *cause = wake_cause_name(w->cause);

	if (!w->tid) {
		strbuf_printf(b, ", woken %s %s%s", w->cause == WAKE_OUTSIDE ? "from" : "by", cause,
			      w->inferred ? " (inferred)" : "");
		return;
	}
	strbuf_printf(b, ", woken by %d<", (int)w->tid);
	escape_bytes(b, w->comm, strnlen(w->comm, sizeof(w->comm)), style->config->hex_strings,
		     true);
	strbuf_printf(b, "> (%s%s)", cause, w->inferred ? ", inferred" : "");
}
