/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The places where descriptors were opened or closed, for --fd-report. A place is a call, its
 * thread and its stack. Stacks are stored as text, because their processes may have ended before
 * the report is written. Equal stacks are stored once.
 */
#ifndef TRACER_SINKS_FD_PLACES_H
#define TRACER_SINKS_FD_PLACES_H

#include "event/event.h"
#include "util/strbuf.h"

struct unwinder;

struct places;

struct place {
	/* identifies the call and its stack in struct places; 0 if the place is unknown */
	uint32_t site;
	pid_t tid;
	char comm[16]; /* name of the thread */
};

/* Creates an empty list. Never returns NULL. Free the result with places_destroy(). */
struct places *places_create(void);
void places_destroy(struct places *p);

/*
 * Returns the place of a call. `u` resolves the stack frames. If `u` is NULL, the stack is omitted.
 */
struct place places_add(struct places *p, struct unwinder *u, const struct syscall_event *e);

/*
 * place_put() appends `before`, the call and the thread. place_put_stack() appends the lines of the
 * stack. If the place is unknown, both append nothing.
 */
void place_put(const struct places *p, struct strbuf *b, const char *before,
	       const struct place *at);
void place_put_stack(const struct places *p, struct strbuf *b, const struct place *at);

/*
 * Iterates over the frames of a place's stack. Before the first call, *stack must be the result of
 * place_stack(). Each call sets *frame to the next frame, which has *len bytes. Returns false at
 * the end.
 */
const char *place_stack(const struct places *p, const struct place *at);
bool place_next_frame(const char **stack, const char **frame, size_t *len);

#endif
