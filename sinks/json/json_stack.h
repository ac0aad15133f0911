/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes stacks as JSON. All functions append to `b`. */
#ifndef TRACER_SINKS_JSON_JSON_STACK_H
#define TRACER_SINKS_JSON_JSON_STACK_H

#include "unwind.h"
#include "util/strbuf.h"

/* Appends the members of a frame except for its module: ,"addr":…,"symbol":… */
void json_frame(struct strbuf *b, const struct frame *f);
/* Appends the members ,"stack_status":"…" and, if the stack is incomplete, "stack_end". */
void json_stack_status(struct strbuf *b, const struct stack *stack);
/* Appends the members ,"stack":[…],"stack_status":"…". `u` resolves the frames. */
void json_stack(struct strbuf *b, struct unwinder *u, struct stack *stack);

#endif
