/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --json-stacks=once: writes each run, module and stack as a separate object. Events refer to these
 * objects by number. The number of a run is unique across all files. The numbers of modules and
 * stacks are unique within their run.
 */
#ifndef TRACER_SINKS_JSON_JSON_ONCE_H
#define TRACER_SINKS_JSON_JSON_ONCE_H

#include "event/event.h"
#include "util/strbuf.h"

struct unwinder;

struct json_once;
/*
 * Creates an object that knows no runs and no stacks yet. Never returns NULL. Free the result with
 * json_once_destroy(), which accepts NULL.
 */
struct json_once *json_once_create(void);
void json_once_destroy(struct json_once *o);

/* Appends the line for a run. */
void json_once_run(struct json_once *o, struct strbuf *b, const struct run_event *e);
/* Returns the number of the run that a thread belongs to, or 0 if no run was announced. */
uint64_t json_once_run_of(const struct json_once *o, pid_t tid);
/*
 * Returns the number of a stack within the run `run`. If the stack was not written before, appends
 * the lines for its new modules and then the line for the stack. `u` resolves the frames.
 */
uint64_t json_once_stack(struct json_once *o, struct strbuf *b, uint64_t run, struct unwinder *u,
			 struct stack *stack);

#endif
