/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_request.h"

#include "linux/xlat.h"
#include "sinks/text/text_call.h"

struct list {
	struct strbuf *b;
	const char *separator; /* the text to write before the next name */
};

static void put_flag(void *ctx, const struct xlat_entry *e)
{
	struct list *l = ctx;

	strbuf_printf(l->b, "%s%s", l->separator, e->name);
	l->separator = "|";
}

void text_request(struct strbuf *b, const struct text_style *s, const struct syscall_event *e)
{
	const struct ring_request *r = e->base.request;
	struct list list = {.b = b, .separator = " /* "};
	uint64_t unknown;

	strbuf_puts(b, "io_uring(");
	if (r->ring == RING_UNKNOWN)
		strbuf_putc(b, '?');
	else
		strbuf_dec(b, r->ring < 0 ? -1 - r->ring : r->ring);
	strbuf_puts(b, ")#");
	strbuf_udec(b, r->number);
	strbuf_putc(b, ' ');
	text_call(b, s, e);
	if (!r->flags && !r->chain && !r->punted)
		return;
	unknown = value_flags_split(&xlat_io_uring_sqe_flags, r->flags, put_flag, &list);
	if (unknown)
		strbuf_printf(b, "%s%#llx", list.separator, (unsigned long long)unknown);
	if (r->chain)
		strbuf_printf(b, "%schain #%llu", r->flags ? ", " : list.separator,
			      (unsigned long long)r->chain);
	if (r->punted)
		strbuf_printf(b, "%spunted", r->flags || r->chain ? ", " : list.separator);
	strbuf_puts(b, " */");
}
