/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_request.h"

#include "linux/xlat.h"
#include "sinks/text/text_call.h"

void text_request(struct strbuf *b, const struct text_style *s, const struct syscall_event *e)
{
	const struct ring_request *r = e->base.request;
	bool first = true;

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
	strbuf_puts(b, " /* ");
	for (unsigned bit = 0; bit < 8; bit++) {
		const char *name = xlat_name(&xlat_io_uring_sqe_flags, 1u << bit);

		if (!(r->flags & 1u << bit))
			continue;
		strbuf_puts(b, first ? "" : "|");
		strbuf_puts(b, name ? name : "IOSQE_???");
		first = false;
	}
	if (r->chain)
		strbuf_printf(b, "%schain #%llu", first ? "" : ", ", (unsigned long long)r->chain);
	if (r->punted)
		strbuf_puts(b, first && !r->chain ? "punted" : ", punted");
	strbuf_puts(b, " */");
}
