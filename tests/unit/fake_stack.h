/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stack for tests of sinks, instead of the unwinder's: weak, so that the
 * library's own is not linked in beside it.
 */
#ifndef TRACER_TESTS_UNIT_FAKE_STACK_H
#define TRACER_TESTS_UNIT_FAKE_STACK_H

#include "unwind.h"
#include "util/strbuf.h"

/* A stack of two named frames and one without a name, that did not end well. */
static const struct frame fake_frames[] = {
	{.module = "/lib/libc.so.6",
	 .build_id = "00ff",
	 .symbol = "read",
	 .addr = 0x1000,
	 .offset = 0x10},
	{.module = "/bin/app",
	 .symbol = "f<int;2>",
	 .addr = 0x2000,
	 .offset = 0x20,
	 .file = "a.cc",
	 .line = 7},
	{.module = "/bin/app", .addr = 0x3000},
};

__attribute__((weak)) const struct frame *stack_frames(struct unwinder *u, struct stack *s,
						       size_t *count)
{
	(void)u, (void)s;
	*count = ARRAY_SIZE(fake_frames);
	return fake_frames;
}

__attribute__((weak)) enum stack_status stack_status(const struct stack *s, uint64_t *addr)
{
	(void)s;
	if (addr)
		*addr = 0x3000;
	return STACK_NO_CFI;
}

__attribute__((weak)) const char *stack_status_text(enum stack_status s)
{
	(void)s;
	return "no unwind information";
}

__attribute__((weak)) const char *stack_status_key(enum stack_status s)
{
	(void)s;
	return "no-cfi";
}

__attribute__((weak)) void stack_text(struct unwinder *u, struct stack *s, struct strbuf *out)
{
	(void)u, (void)s;
	strbuf_puts(out, " > /bin/app() [0x3000]\n");
}

#endif
