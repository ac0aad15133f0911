/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --json-stacks=once: each run, module and stack is an object of its own, which events refer to by
 * number. A run's number is the same wherever it is written, and no other run's; those of modules
 * and stacks are of their run.
 */
#ifndef TRACER_SINKS_JSON_JSON_ONCE_H
#define TRACER_SINKS_JSON_JSON_ONCE_H

#include "event/event.h"
#include "util/strbuf.h"

struct unwinder;

struct json_once;
/* Never NULL. json_once_destroy() frees it; NULL is fine. */
struct json_once *json_once_create(void);
void json_once_destroy(struct json_once *o);

/* Appends the line of a run to b. */
void json_once_run(struct json_once *o, struct strbuf *b, const struct run_event *e);
/* The number of the run that a thread is of; 0 if no run was told. */
uint64_t json_once_run_of(const struct json_once *o, pid_t tid);
/*
 * The number of a stack in that run. If it was not written yet, its line is appended to b, after
 * those of modules that were not written either. u names the frames.
 */
uint64_t json_once_stack(struct json_once *o, struct strbuf *b, uint64_t run, struct unwinder *u,
			 struct stack *stack);

#endif
