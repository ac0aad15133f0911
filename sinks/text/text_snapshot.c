/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_snapshot.h"

#include "sinks/text/text_call.h"
#include "sinks/text/text_leader.h"

static void put_arg(struct strbuf *b, const struct text_style *s, const struct syscall_event *call,
		    unsigned i)
{
	const struct arg *a = &call->base.args[i];

	if (!a->out && !a->in)
		return;
	text_arg_begin(b, s, call, i);
	text_render(b, s, a->out ? a->out : a->in);
}

static void put_waits(struct strbuf *b, const struct text_style *s, const struct snapshot *e)
{
	if (e->holder) {
		strbuf_puts(b, ", lock held by ");
		strbuf_dec(b, e->holder);
	}
	if (e->joined) {
		strbuf_puts(b, ", waits for thread ");
		strbuf_dec(b, e->joined);
		strbuf_puts(b, " to end");
	}
	if (e->watched) {
		strbuf_puts(b, ", watches ");
		text_render(b, s, e->watched);
	}
}

void text_running_call(struct strbuf *b, const struct text_style *s,
		       const struct syscall_event *call)
{
	strbuf_puts(b, call->base.name);
	text_punct(b, s, "(");
	for (unsigned i = 0; i < call->base.nargs; i++)
		put_arg(b, s, call, i);
	text_color(b, s, COLOR_PUNCT);
	strbuf_putc(b, ')');
	text_color(b, s, COLOR_RESET);
}

void text_snapshot(struct strbuf *b, const struct text_style *s, const struct syscall_event *call)
{
	const struct snapshot *e = call->snapshot;

	strbuf_puts(b, e->in_call ? "--- in " : "--- ");
	if (e->in_call)
		text_running_call(b, s, call);
	else
		strbuf_puts(b, call->base.name);
	if (e->in_call && e->knows_asleep) {
		strbuf_puts(b, " for at least ");
		strbuf_udec(b, call->base.duration.tv_sec);
		text_fraction(b, call->base.duration.tv_nsec, UNIT_MS);
		strbuf_puts(b, " s");
	}
	put_waits(b, s, e);
	if (e->in_call && e->state == 'T')
		strbuf_puts(b, ", stopped");
	if (e->unstoppable)
		strbuf_puts(b, ", cannot be interrupted");
	strbuf_puts(b, " ---");
}
