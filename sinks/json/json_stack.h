/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stacks as JSON. All functions append to b. */
#ifndef TRACER_SINKS_JSON_JSON_STACK_H
#define TRACER_SINKS_JSON_JSON_STACK_H

#include "unwind.h"
#include "util/strbuf.h"

/* The members of a frame except for its module, to follow another member: ,"addr":…,"symbol":… */
void json_frame(struct strbuf *b, const struct frame *f);
/* The members ,"stack_status":"…" and, if the walk did not complete, "stack_end". */
void json_stack_status(struct strbuf *b, const struct stack *stack);
/* The members ,"stack":[…],"stack_status":"…". u names the frames. */
void json_stack(struct strbuf *b, struct unwinder *u, struct stack *stack);

#endif
