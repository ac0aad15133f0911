/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_dump.h"

#include "event/event.h"
#include "sinks/profile/stack_tree.h"
#include "sinks/text/text_value.h"
#include "unwind.h"
#include "util/strbuf.h"

static void put_byte(struct strbuf *b, uint8_t byte)
{
	static const char digits[] = "0123456789abcdef";
	const char text[] = {digits[byte >> 4], digits[byte & 15], ' '};

	strbuf_add(b, text, sizeof(text));
}

void text_dump(struct strbuf *b, const struct text_style *style, const struct dump *d)
{
	int digits = 5;

	if (d->value) {
		strbuf_printf(b, " %s ", d->heading);
		text_render(b, style, d->value);
		strbuf_putc(b, '\n');
		return;
	}
	if (d->is_vector) {
		strbuf_printf(b, " = %llu buffers in vector %d\n", (unsigned long long)d->total,
			      d->index);
		return;
	}
	if (d->index >= 0)
		strbuf_printf(b, " * %llu bytes in buffer %d\n", (unsigned long long)d->total,
			      d->index);
	while (digits < 16 && (d->total - 1) >> 4 * digits)
		digits++;
	for (size_t at = 0; at < d->len; at += 16) {
		strbuf_printf(b, " | %0*zx ", digits, at);
		for (size_t i = at; i < at + 16; i++) {
			if (i % 8 == 0)
				strbuf_putc(b, ' ');
			if (i < d->len)
				put_byte(b, d->bytes[i]);
			else
				strbuf_puts(b, "   ");
		}
		strbuf_putc(b, ' ');
		for (size_t i = at; i < at + 16; i++) {
			bool printable = i < d->len && d->bytes[i] >= ' ' && d->bytes[i] < 0x7f;

			strbuf_putc(b, i >= d->len ? ' ' : printable ? d->bytes[i] : '.');
		}
		strbuf_puts(b, " |\n");
	}
	if (d->unseen)
		strbuf_printf(b, " | <%llu more bytes are not shown>\n",
			      (unsigned long long)d->unseen);
	if (d->missing)
		strbuf_printf(b, " | <Cannot fetch %zu byte%s from pid %d @%#llx>\n", d->missing,
			      d->missing == 1 ? "" : "s", d->pid, (unsigned long long)d->addr);
}

void text_stack_line(struct strbuf *b, struct unwinder *unwinder, struct stack *stack)
{
	size_t n;
	const struct frame *f = stack_frames(unwinder, stack, &n);
	enum stack_status status = stack_status(stack, NULL);

	strbuf_puts(b, " @ ");
	frames_line(b, f, n);
	if (status == STACK_COMPLETE)
		return;
	strbuf_puts(b, n ? ";[" : "[");
	strbuf_puts(b, stack_status_text(status));
	strbuf_putc(b, ']');
}
