/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/record.h"

#include <stdlib.h>

#include "capture/capture.h"
#include "capture/trace/merger.h"
#include "capture/trace/meta.h"
#include "capture/trace/recorder.h"
#include "capture/trace/trace.h"
#include "config.h"
#include "linux/arch/arch.h"
#include "linux/syscall_desc.h"
#include "session/stacks.h"
#include "session/state.h"
#include "util/clock.h"

bool record_open(struct session *s)
{
	const struct options *o = s->o;
	const struct recorder_config config = {.path = o->write_trace,
					       .tampers = o->injections.n,
					       .follow = o->capture.follow,
					       .decode = o->decode};

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

/* Tells the sinks of a run, whose threads have ids from base on; began is CLOCK_REALTIME in ns. */
static void tell_run(struct session *s, const struct trace_meta *m, pid_t base, int64_t began)
{
	const char *id = meta_get(m, "run");
	VEC(const char *) command = {0};
	struct run_event e = {
		.base = base,
		.time = {began / NSEC_PER_SEC, began % NSEC_PER_SEC},
		.id = id ? id : "",
		.host = meta_get(m, "host"),
		.boot = meta_get(m, "boot"),
		.kernel = meta_get(m, "kernel"),
		.machine = meta_get(m, "machine"),
		.tracer = meta_get(m, "tracer"),
	};

	vec_for_each (&m->pairs, p)
		if (!strcmp(p->name, "command"))
			*vec_push(&command) = p->text;
	e.command = command.v;
	e.command_len = command.n;
	FEED(&s->feed, run, &e);
	vec_deinit(&command);
}

static void tell_traces(struct session *s)
{
	pid_t base = 0;

	vec_for_each (&s->o->traces, t) {
		tell_run(s, trace_meta(*t), base, trace_began(*t));
		base += MERGER_RUN;
	}
}

void record_start(struct session *s)
{
	const bool told = s->feed.wants & WANTS_RUN;
	struct trace_meta m = {0};
	struct timespec now;

	if (s->o->trace && told)
		tell_traces(s);
	if (s->o->trace || !(s->recorder || told))
		return;
	meta_add_host(&m);
	add_options(&m, s->o);
	meta_add_number(&m, "started", (uint64_t)s->command);
	if (told) {
		clock_gettime(CLOCK_REALTIME, &now);
		tell_run(s, &m, 0, (int64_t)timespec_ns(now));
	}
	if (s->recorder)
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

void record_poked(struct session *s, struct tcb *tcb)
{
	if (s->recorder && s->o->injections.n)
		recorder_poked(s->recorder, tcb);
}

void record_tampered(struct session *s, struct tcb *tcb, const char *note)
{
	if (s->recorder && s->o->injections.n)
		recorder_tampered(s->recorder, tcb, note);
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
