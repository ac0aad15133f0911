/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --json-stacks=once: each run, module and stack is a separate object that events refer to by
 * number. A run has the same unique number in every file. Numbers of modules and stacks are unique
 * within their run.
 */
#ifndef TRACER_SINKS_JSON_JSON_ONCE_H
#define TRACER_SINKS_JSON_JSON_ONCE_H

#include "event/event.h"
#include "util/strbuf.h"

struct unwinder;

struct json_once;
/* Never NULL. json_once_destroy() frees it and accepts NULL. */
struct json_once *json_once_create(void);
void json_once_destroy(struct json_once *o);

/* Appends the line of a run to b. */
void json_once_run(struct json_once *o, struct strbuf *b, const struct run_event *e);
/* Returns the number of a thread's run; 0 if no run was announced. */
uint64_t json_once_run_of(const struct json_once *o, pid_t tid);
/*
 * Returns the number of a stack in that run. If it was not written yet, appends its line to b,
 * after the lines of new modules. u names the frames.
 */
uint64_t json_once_stack(struct json_once *o, struct strbuf *b, uint64_t run, struct unwinder *u,
			 struct stack *stack);

#endif
