/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/json/json_stack.h"

#include "sinks/json/json_text.h"

void json_frame(struct strbuf *b, const struct frame *f)
{
	strbuf_puts(b, ",\"addr\":");
	json_addr(b, f->addr);
	strbuf_putc(b, ',');
	if (f->symbol)
		json_text_member(b, "symbol", f->symbol, strlen(f->symbol));
	else
		strbuf_puts(b, "\"symbol\":null");
	if (f->symbol && !f->language && f->offset <= (uint64_t)JSON_EXACT_MAX) {
		strbuf_puts(b, ",\"offset\":");
		strbuf_udec(b, f->offset);
	}
	if (f->language) {
		strbuf_puts(b, ",\"language\":");
		json_cstring(b, f->language);
		strbuf_putc(b, ',');
		json_text_member(b, "function", f->symbol, strlen(f->symbol));
		if (f->task) {
			strbuf_putc(b, ',');
			json_text_member(b, "task", f->task, strlen(f->task));
		}
	}
	if (f->file) {
		strbuf_putc(b, ',');
		json_text_member(b, "file", f->file, strlen(f->file));
		strbuf_puts(b, ",\"line\":");
		strbuf_udec(b, f->line);
		if (f->column) {
			strbuf_puts(b, ",\"column\":");
			strbuf_udec(b, f->column);
		}
	}
	if (f->missing) {
		strbuf_puts(b, ",\"missing\":");
		json_string(b, f->missing, strlen(f->missing));
	}
	if (f->inlined)
		strbuf_puts(b, ",\"inlined\":true");
	if (f->by == FRAME_BY_FP)
		strbuf_puts(b, ",\"by_frame_pointer\":true");
}

void json_stack_status(struct strbuf *b, const struct stack *stack)
{
	uint64_t end = 0;
	enum stack_status status = stack_status(stack, &end);

	strbuf_puts(b, ",\"stack_status\":");
	json_cstring(b, stack_status_key(status));
	if (status != STACK_COMPLETE) {
		strbuf_puts(b, ",\"stack_end\":");
		json_addr(b, end);
	}
}

void json_stack(struct strbuf *b, struct unwinder *u, struct stack *stack)
{
	const struct frame *f;
	size_t n;

	f = stack_frames(u, stack, &n);
	strbuf_puts(b, ",\"stack\":[");
	for (size_t i = 0; i < n; i++, f++) {
		strbuf_puts(b, i ? ",{" : "{");
		if (f->module)
			json_text_member(b, "module", f->module, strlen(f->module));
		else
			strbuf_puts(b, "\"module\":null");
		if (f->build_id) {
			strbuf_puts(b, ",\"build_id\":");
			json_string(b, f->build_id, strlen(f->build_id));
		}
		json_frame(b, f);
		strbuf_putc(b, '}');
	}
	strbuf_putc(b, ']');
	json_stack_status(b, stack);
}
