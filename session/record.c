/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/record.h"

#include <stdlib.h>

#include "capture/capture.h"
#include "capture/trace/meta.h"
#include "capture/trace/recorder.h"
#include "config.h"
#include "linux/arch/arch.h"
#include "linux/syscall_desc.h"
#include "session/stacks.h"
#include "session/state.h"

bool record_open(struct session *s)
{
	const struct options *o = s->o;
	const struct recorder_config config = {
		.path = o->write_trace, .follow = o->capture.follow, .decode = o->decode};

	if (!o->write_trace)
		return true;
	s->recorder = recorder_create(&config, s->capture);
	s->knows_times = true;
	return s->recorder;
}

/* What reading wants to know, and what a reader may. The names are in doc/trace-format.md. */
static void add_options(struct trace_meta *m, const struct options *o)
{
	meta_add(m, "tracer", PACKAGE_VERSION);
	meta_add(m, "arch", arch_native->name);
	meta_add_number(m, "rows", syscall_desc_count);
	for (char *const *word = o->line; word && *word; word++)
		meta_add(m, "option", *word);
	for (char *const *word = o->argv; word && *word; word++)
		meta_add(m, "command", *word);
	meta_add_number(m, "follow", o->capture.follow);
	meta_add_number(m, "strings", size_max(o->decode.string_limit, RECORD_STRINGS));
	meta_add_number(m, "stacks", o->stacks);
	meta_add_number(m, "dump-read", o->dump_read.members.n || o->dump_read.inverted);
	meta_add_number(m, "dump-write", o->dump_write.members.n || o->dump_write.inverted);
}

void record_start(struct session *s)
{
	struct trace_meta m = {0};

	if (!s->recorder)
		return;
	meta_add_host(&m);
	add_options(&m, s->o);
	meta_add_number(&m, "started", (uint64_t)s->command);
	recorder_start(s->recorder, &m);
	meta_deinit(&m);
}

void record_stop(struct session *s, const struct stop *stop)
{
	recorder_stop(s->recorder, stop, &s->time, &s->mono);
}

void record_done(struct session *s, const struct stop *stop)
{
	recorder_done(s->recorder, stop);
}

static struct stack *recorded(struct session *s, struct stack *stack)
{
	recorder_walks(s->recorder, false);
	recorder_stack(s->recorder, s->unwinder, stack);
	return stack;
}

struct stack *record_stack(struct session *s, struct tcb *tcb)
{
	if (likely(!s->recorder))
		return stacks_capture(s->stacks, tcb);
	recorder_walks(s->recorder, true);
	return recorded(s, stacks_capture(s->stacks, tcb));
}

struct stack *record_stack_syscall(struct session *s, struct tcb *tcb, bool started)
{
	if (likely(!s->recorder))
		return stacks_capture_syscall(s->stacks, tcb, started);
	recorder_walks(s->recorder, true);
	return recorded(s, stacks_capture_syscall(s->stacks, tcb, started));
}

static void failed(struct session *s)
{
	s->error = 1;
	s->ended = true;
}

void record_flush(struct session *s)
{
	if (s->recorder && recorder_flush(s->recorder) < 0)
		failed(s);
}

void record_end(struct session *s)
{
	if (s->recorder)
		recorder_end(s->recorder, &s->time, &s->mono);
}

void record_close(struct session *s)
{
	if (recorder_close(s->recorder) < 0)
		failed(s);
	s->recorder = NULL;
}
