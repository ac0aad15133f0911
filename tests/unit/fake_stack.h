/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A fake stack for tests of sinks, in place of the unwinder. The functions are weak, so that the
 * linker does not also link the library's own versions.
 */
#ifndef TRACER_TESTS_UNIT_FAKE_STACK_H
#define TRACER_TESTS_UNIT_FAKE_STACK_H

#include "unwind.h"
#include "util/strbuf.h"

/*
 * The frames of a fake stack. The last frame has no name. fake_stack_bad is a stack with these
 * frames that ends with an error.
 */
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

struct fake_stack {
	const struct frame *frames;
	size_t n;
	enum stack_status status;
};

static struct fake_stack fake_stack_bad attr_unused = {fake_frames, ARRAY_SIZE(fake_frames),
						       STACK_NO_CFI};

/* Converts a fake stack to the type that events use. */
#define FAKE_STACK(fake) ((struct stack *)(fake))

__attribute__((weak)) const struct frame *stack_frames(struct unwinder *u, struct stack *s,
						       size_t *count)
{
	struct fake_stack *fake = (struct fake_stack *)s;

	(void)u;
	*count = fake->n;
	return fake->frames;
}

__attribute__((weak)) enum stack_status stack_status(const struct stack *s, uint64_t *addr)
{
	if (addr)
		*addr = 0x3000;
	return ((const struct fake_stack *)s)->status;
}

__attribute__((weak)) const char *stack_status_text(enum stack_status s)
{
	return s == STACK_COMPLETE ? "complete" : "no unwind information";
}

__attribute__((weak)) const char *stack_status_key(enum stack_status s)
{
	return s == STACK_COMPLETE ? "complete" : "no-cfi";
}

__attribute__((weak)) void stack_text(struct unwinder *u, struct stack *s, struct strbuf *out)
{
	(void)u, (void)s;
	strbuf_puts(out, " > /bin/app() [0x3000]\n");
}

#endif
