/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where descriptors were opened or closed, for --fd-report: the call, its thread and its stack.
 * Stacks are stored as text, because they are shown after their processes are gone. Equal stacks
 * are stored once.
 */
#ifndef TRACER_SINKS_FD_PLACES_H
#define TRACER_SINKS_FD_PLACES_H

#include "event/event.h"
#include "util/strbuf.h"

struct unwinder;

struct places;

struct place {
	/* number of the call and its stack in struct places, or 0 if there is none */
	uint32_t site;
	pid_t tid;
	char comm[16]; /* as in struct event */
};

/* Never NULL; places_destroy() frees it. */
struct places *places_create(void);
void places_destroy(struct places *p);

/* Returns the place of a call. u names its frames; if NULL, the stack is omitted. */
struct place places_add(struct places *p, struct unwinder *u, const struct syscall_event *e);

/*
 * place_put() appends `before`, the call and the thread to b. place_put_stack() appends the lines
 * of the stack.
 */
void place_put(const struct places *p, struct strbuf *b, const char *before,
	       const struct place *at);
void place_put_stack(const struct places *p, struct strbuf *b, const struct place *at);

#endif
