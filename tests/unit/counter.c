/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "counter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/capture.h"
#include "event/event.h"
#include "stack/files/map_table.h"
#include "util/mem.h"

#define COUNTER_CAPABILITIES (CAPTURE_TIMES | CAPTURE_STACKS)

struct counter {
	struct capture capture;
	struct tcb tcb;
	unsigned at; /* number of stops reported so far */
	bool traced;
	struct arena arena; /* allocates the values of `event` */
	struct event event;
};

static struct counter *counter_of(const struct capture *c)
{
	return container_of(c, struct counter, capture);
}

static int counter_attach(struct capture *c, pid_t pid, unsigned *attached)
{
	struct counter *n = counter_of(c);

	if (pid != COUNTER_THREAD)
		return -ESRCH;
	n->tcb = (struct tcb){
		.tid = pid, .tgid = pid, .capture = c, .flags = TCB_ATTACHED, .facts = c->facts};
	n->traced = true;
	*attached = 1;
	return 0;
}

static void count(struct counter *n, unsigned i)
{
	char word[16];

	snprintf(word, sizeof(word), "w<%u>", i);
	arena_reset(&n->arena);
	n->event = (struct event){
		.source = "counter",
		.name = i % 2 ? "odd" : "even",
		.nargs = 2,
		.args = {{.name = "count", .in = value_uint(&n->arena, i)},
			 {.name = "word",
			  .in = value_string(&n->arena, arena_strdup(&n->arena, word),
					     strlen(word))}},
	};
	if (i + 1 < COUNTER_EVENTS)
		return;
	n->event.has_duration = true;
	n->event.duration = (struct timespec){0, 1000000};
	n->event.ret_kind = RET_ERROR;
	n->event.ret = ENOENT;
}

static void counter_wait(struct capture *c, struct stop *stop,
			 const struct timespec *deadline attr_unused)
{
	struct counter *n = counter_of(c);
	unsigned at = n->at++;

	*stop = (struct stop){.kind = STOP_NONE};
	if (!n->traced || at > COUNTER_EVENTS + 1)
		return;
	stop->tcb = &n->tcb;
	stop->time = 1700000000000000000 + (int64_t)at * 1000000;
	stop->mono = 100000000000 + (int64_t)at * 1000000;
	if (!at) {
		stop->kind = STOP_NEW;
	} else if (at <= COUNTER_EVENTS) {
		count(n, at - 1);
		stop->kind = STOP_EVENT;
		stop->event = &n->event;
		stop->has_stack = at == COUNTER_EVENTS;
	} else {
		stop->kind = STOP_EXITED;
		n->traced = false;
	}
}

static const struct recorded_stack *counter_stack(const struct tcb *tcb attr_unused)
{
	static char name[] = "/bin/counter";
	static struct mapping mapping = {.executable = true, .refs = 1, .name = name};
	static const struct recorded_frame frame = {.addr = 0x1234,
						    .mapping = &mapping,
						    .named = true,
						    .symbol = "counter_function",
						    .offset = 4};
	static const struct recorded_stack stack = {.n = 1, .frames = &frame};

	return &stack;
}

static void counter_resume(struct tcb *tcb attr_unused)
{
}

static int counter_detach(struct tcb *tcb)
{
	counter_of(tcb->capture)->traced = false;
	return 0;
}

static void counter_interrupt(struct capture *c attr_unused)
{
}

static size_t counter_count(const struct capture *c)
{
	return counter_of(c)->traced;
}

static struct tcb *counter_find(const struct capture *c, pid_t tid)
{
	struct counter *n = counter_of(c);

	return n->traced && tid == COUNTER_THREAD ? &n->tcb : NULL;
}

static struct tcb *counter_next(const struct capture *c, const struct tcb *prev,
				enum capture_order order attr_unused)
{
	return prev ? NULL : counter_find(c, COUNTER_THREAD);
}

static pid_t counter_tgid(const struct tcb *tcb)
{
	return tcb->tid;
}

static void counter_end(struct capture *c attr_unused)
{
}

static void counter_destroy(struct capture *c)
{
	struct counter *n = counter_of(c);

	arena_reset(&n->arena);
	free(n);
}

static const struct capture_ops counter_ops = {
	.attach = counter_attach,
	.wait = counter_wait,
	.resume = counter_resume,
	.detach = counter_detach,
	.interrupt = counter_interrupt,
	.count = counter_count,
	.find = counter_find,
	.next = counter_next,
	.tgid = counter_tgid,
	.stack = counter_stack,
	.end = counter_end,
	.destroy = counter_destroy,
};

static struct capture *counter_create(const struct capture_config *config attr_unused)
{
	struct counter *n = mem_zalloc(sizeof(*n));

	n->capture = (struct capture){
		.ops = &counter_ops, .name = "counter", .capabilities = COUNTER_CAPABILITIES};
	return &n->capture;
}

const struct engine counter_engine = {"counter", COUNTER_CAPABILITIES, counter_create};
