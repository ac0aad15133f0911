/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/json/json_once.h"

#include <stdlib.h>

#include "sinks/json/json_stack.h"
#include "sinks/json/json_text.h"
#include "sinks/json/once.h"
#include "util/vec.h"

/*
 * Maximum total size in bytes of the stacks, and of the modules, per generation. There are two
 * generations. A stack of 20 frames takes about 1,500 bytes.
 */
#define STACKS_LIMIT  (16u << 20)
#define MODULES_LIMIT (1u << 20)

/* A run. The ids of its threads begin at `base` and end before the next run's base. */
struct run {
	pid_t base;
	uint64_t number;
};

struct json_once {
	VEC(struct run) runs;
	struct once stacks, modules;
	struct strbuf stack, module; /* buffers for the strings to look up */
};

struct json_once *json_once_create(void)
{
	struct json_once *o = mem_zalloc(sizeof(*o));

	o->stacks.limit = STACKS_LIMIT;
	o->modules.limit = MODULES_LIMIT;
	return o;
}

void json_once_destroy(struct json_once *o)
{
	if (!o)
		return;
	once_deinit(&o->stacks);
	once_deinit(&o->modules);
	strbuf_deinit(&o->stack);
	strbuf_deinit(&o->module);
	vec_deinit(&o->runs);
	free(o);
}

/*
 * Returns the first 52 random bits of a run's id. A double can represent 52 bits exactly. In a
 * version 4 UUID (RFC 4122), these bits are the first 12 hexadecimal digits and the digit after the
 * version.
 */
static uint64_t run_number(struct foreign id)
{
	uint64_t n = 0;

	for (size_t i = 0, digits = 0; foreign_given(id) && digits < 14; i++) {
		char c = (char)foreign_byte(id, i);
		unsigned v = c >= '0' && c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;

		if (!c)
			break;
		if (v > 15 || digits++ == 12)
			continue;
		n = n << 4 | v;
	}
	return n;
}

static void put_text(struct strbuf *b, const char *key, struct foreign text)
{
	if (!foreign_given(text))
		return;
	strbuf_putc(b, ',');
	json_foreign_member(b, key, text);
}

void json_once_run(struct json_once *o, struct strbuf *b, const struct run_event *e)
{
	uint64_t number = run_number(e->id);

	*vec_push(&o->runs) = (struct run){e->first_tid, number};
	strbuf_puts(b, "{\"type\":\"run\",\"time\":");
	json_time(b, &e->base.time, 6);
	strbuf_puts(b, ",\"run\":");
	strbuf_udec(b, number);
	put_text(b, "run_id", e->id);
	put_text(b, "host", e->host);
	put_text(b, "boot", e->boot);
	put_text(b, "kernel", e->kernel);
	put_text(b, "machine", e->machine);
	put_text(b, "tracer", e->tracer);
	strbuf_puts(b, ",\"command\":[");
	for (size_t i = 0; i < e->command_len; i++) {
		if (i)
			strbuf_putc(b, ',');
		json_foreign(b, e->command[i]);
	}
	strbuf_puts(b, "]}\n");
}

uint64_t json_once_run_of(const struct json_once *o, pid_t tid)
{
	uint64_t number = o->runs.n ? o->runs.v[0].number : 0;

	for (size_t i = 1; i < o->runs.n && tid >= o->runs.v[i].base; i++)
		number = o->runs.v[i].number;
	return number;
}

static uint64_t module_number(struct json_once *o, struct strbuf *b, uint64_t run,
			      const struct frame *f)
{
	uint64_t number;
	bool added;

	o->module.len = 0;
	strbuf_puts(&o->module, "{\"type\":\"module\",\"run\":");
	strbuf_udec(&o->module, run);
	put_text(&o->module, "module", foreign(f->module));
	if (f->build_id)
		put_text(&o->module, "build_id", foreign(f->build_id));
	number = once_number(&o->modules, o->module.data, o->module.len, &added);
	if (added) {
		strbuf_add(b, o->module.data, o->module.len);
		strbuf_puts(b, ",\"module_id\":");
		strbuf_udec(b, number);
		strbuf_puts(b, "}\n");
	}
	return number;
}

/*
 * Sets o->stack to the text of a stack without its number. Two stacks are equal if their texts are
 * equal. Appends the lines of new modules to `b`.
 */
static void put_frames(struct json_once *o, struct strbuf *b, uint64_t run, struct unwinder *u,
		       struct stack *stack)
{
	struct strbuf *s = &o->stack;
	const struct frame *f;
	size_t n;

	f = stack_frames(u, stack, &n);
	s->len = 0;
	strbuf_puts(s, "{\"type\":\"stack\",\"run\":");
	strbuf_udec(s, run);
	strbuf_puts(s, ",\"stack\":[");
	for (size_t i = 0; i < n; i++, f++) {
		strbuf_puts(s, i ? ",{\"module_id\":" : "{\"module_id\":");
		if (f->module)
			strbuf_udec(s, module_number(o, b, run, f));
		else
			strbuf_puts(s, "null");
		json_frame(s, f);
		strbuf_putc(s, '}');
	}
	strbuf_putc(s, ']');
	json_stack_status(s, stack);
}

uint64_t json_once_stack(struct json_once *o, struct strbuf *b, uint64_t run, struct unwinder *u,
			 struct stack *stack)
{
	uint64_t number;
	bool added;

	put_frames(o, b, run, u, stack);
	number = once_number(&o->stacks, o->stack.data, o->stack.len, &added);
	if (added) {
		strbuf_add(b, o->stack.data, o->stack.len);
		strbuf_puts(b, ",\"stack_id\":");
		strbuf_udec(b, number);
		strbuf_puts(b, "}\n");
	}
	return number;
}
