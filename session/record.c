/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "trace/play/merger.h"
#include "trace/format/meta.h"
#include "trace/record/recorder.h"
#include "trace/record/tape.h"
#include "trace/play/trace.h"
#include "config.h"
#include "event/sched.h"
#include "linux/arch/arch.h"
#include "linux/syscall_desc.h"
#include "session/stacks.h"
#include "stack/files/map_table.h"
#include "session/state.h"
#include "util/base_name.h"
#include "util/clock.h"
#include "util/msg.h"

/*
 * Returns the file name of a group's recordings: FILE or, with --last and several groups,
 * FILE.GROUP. The caller frees it.
 */
static char *path_of(const struct options *o, unsigned group)
{
	const char *name;
	char *path;
	size_t n;

	if (o->groups.n < 2 || !o->text.limits.last)
		return mem_strdup(o->write_trace);
	name = base_name(o->groups.v[group]);
	n = strlen(o->write_trace) + strlen(name) + 16;
	path = mem_alloc(n);
	snprintf(path, n, "%s.%s", o->write_trace, name);
	/*
	 * Groups in different directories can have the same name. Add a number to the file name
	 * then.
	 */
	for (unsigned i = 0; i < group; i++)
		if (!strcmp(base_name(o->groups.v[i]), name)) {
			snprintf(path, n, "%s.%s-%u", o->write_trace, name, group + 1);
			break;
		}
	return path;
}

/*
 * Returns true if all calls that can change the tracees' descriptors are recorded before they take
 * effect. This is false if calls of other threads are not traced, or if a seccomp filter lets calls
 * run without a stop.
 */
static bool sees_descriptors(const struct session *s)
{
	const struct options *o = s->o;
	const bool starts_all = !o->pids.n && s->capture->capabilities & CAPTURE_TAMPER;

	return !o->seccomp_bpf && (o->capture.follow || starts_all);
}

static bool open_one(struct session *s, unsigned group)
{
	const struct options *o = s->o;
	char *path = path_of(o, group);
	const struct recorder_config config = {.path = path,
					       .last = o->text.limits.last,
					       .group = group,
					       .facts = s->facts,
					       .tampers = o->injections.n,
					       .follow = o->capture.follow,
					       .sees_descriptors = sees_descriptors(s),
					       .raw_stack = o->capture.stack_size,
					       .decode = s->decode};

	s->recorders[group] = recorder_create(&config, s->capture);
	free(path);
	return s->recorders[group];
}

bool record_open(struct session *s)
{
	const struct options *o = s->o;
	const unsigned n = o->text.limits.last ? (unsigned)size_max(o->groups.n, 1) : 1;

	s->facts = s->capture->facts;
	if (!o->write_trace)
		return true;
	for (; s->nrecorders < n; s->nrecorders++)
		if (!open_one(s, s->nrecorders))
			return false;
	s->recorder = s->recorders[0];
	s->capture->facts = recorder_facts(s->recorder);
	s->knows_times = true;
	return true;
}

/* Adds metadata about the options and the engine. doc/trace-format.md documents the names. */
static void add_options(struct trace_meta *m, const struct options *o, const struct capture *c)
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
	if (o->raw_stacks)
		meta_add_number(m, "raw-stacks", 1);
	if (o->secontext)
		meta_add_number(m, "secontext", 1);
	if (o->io_uring)
		meta_add_number(m, "io-uring", c->reports_requests ? META_REQUESTS : META_QUEUES);
	if (c->reports_sched)
		meta_add_number(m, "sched", 1);
	if (filter_source(&o->filter, FAULT_SOURCE))
		meta_add_number(m, "faults", 1);
	meta_add_number(m, "dump-read", o->dump_read.members.n || o->dump_read.inverted);
	meta_add_number(m, "dump-write", o->dump_write.members.n || o->dump_write.inverted);
}

/*
 * Announces a run to the sinks. The run's thread ids start at `base`. `began` is the run's start
 * time (CLOCK_REALTIME in nanoseconds).
 */
static void report_run(struct session *s, const struct trace_meta *m, pid_t base, int64_t began)
{
	VEC(struct foreign) command = {0};
	struct run_event e = {
		.base = {.kind = EVENT_RUN,
			 .name = "run",
			 .time = {began / NSEC_PER_SEC, began % NSEC_PER_SEC}},
		.first_tid = base,
		.id = meta_get(m, "run"),
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
	feed_event(&s->feed, &e.base);
	vec_deinit(&command);
}

static void report_traces(struct session *s)
{
	pid_t base = 0;

	vec_for_each (&s->o->traces, t) {
		report_run(s, trace_meta(*t), base, trace_began(*t));
		base += MERGER_RUN;
	}
}

void record_start(struct session *s)
{
	const bool reported = s->feed.wants & WANTS_RUN;
	struct trace_meta m = {0};
	struct timespec now;
	int64_t began;

	if (s->o->trace && reported)
		report_traces(s);
	if (s->o->trace || !(s->recorder || reported))
		return;
	meta_add_host(&m);
	add_options(&m, s->o, s->capture);
	if (s->capture->address_mask)
		meta_add_number(&m, "address-mask", s->capture->address_mask);
	meta_add_number(&m, "started", (uint64_t)s->command);
	clock_gettime(CLOCK_REALTIME, &now);
	began = (int64_t)timespec_ns(now);
	for (unsigned i = 0; i < s->nrecorders; i++)
		began = recorder_start(s->recorders[i], &m);
	if (reported)
		report_run(s, &m, 0, began);
	meta_deinit(&m);
}

/* Returns the recorder of a control group, or the first recorder if the group has none. */
static struct recorder *recorder_of(const struct session *s, unsigned group)
{
	return s->recorders[group < s->nrecorders ? group : 0];
}

/* Returns the control group to which a stop belongs, or CAPTURE_GROUP_ANY. */
static unsigned group_of(const struct stop *stop)
{
	if (stop->tcb)
		return stop->tcb->group;
	return stop->kind == STOP_LOST ? stop->group : CAPTURE_GROUP_ANY;
}

void record_stop(struct session *s, struct stop *stop)
{
	const unsigned group = group_of(stop);

	for (unsigned i = 1; group == CAPTURE_GROUP_ANY && i < s->nrecorders; i++) {
		recorder_stop(s->recorders[i], stop);
		recorder_done(s->recorders[i], stop);
	}
	s->recorder = recorder_of(s, group);
	recorder_stop(s->recorder, stop);
}

void record_forget(struct session *s, struct tcb *tcb)
{
	if (s->recorder)
		recorder_forget(recorder_of(s, tcb->group), tcb);
}

static void write_kept(struct session *s, struct recorder *r, const char *why)
{
	struct tape_written w;
	int err = recorder_write_kept(r, &w);

	if (err)
		s->error = 1;
	else if (w.path && !(s->o->quiet & QUIET_EXIT))
		msg("%s: wrote the last %zu of %llu calls to '%s'", why, w.calls,
		    (unsigned long long)w.all_calls, w.path);
}

void record_write_kept(struct session *s, const char *why)
{
	for (unsigned i = 0; s->o->text.limits.last && i < s->nrecorders; i++)
		write_kept(s, s->recorders[i], why);
}

void record_done(struct session *s, const struct stop *stop)
{
	recorder_done(s->recorder, stop);
	if (likely(!*s->crashed))
		return;
	write_kept(s, s->recorder, s->crashed);
	*s->crashed = '\0';
}

void record_poked(struct session *s, struct tcb *tcb)
{
	if (s->recorder && s->o->injections.n)
		recorder_poked(s->recorder, tcb);
}

void record_tampered(struct session *s, struct tcb *tcb, struct foreign note)
{
	if (s->recorder && s->o->injections.n)
		recorder_tampered(s->recorder, tcb, note);
}

static struct stack *end_recorded_walk(struct session *s, struct stack *stack)
{
	recorder_walks(s->recorder, false);
	recorder_stack(s->recorder, s->unwinder, stack);
	return stack;
}

/*
 * Records the stack in raw form, if that is possible. Stacks of processes with a language runtime
 * must be recorded as frames, because the frames of the program's own language can be read only
 * while the thread is stopped. Sets *raw to true if the stack was recorded in raw form, otherwise
 * to false. Returns true if the stack must be walked now: because it was not recorded, because it
 * will be shown, or because --fail-on or --stop-on needs it.
 */
static bool record_raw(struct session *s, struct tcb *tcb, bool *raw)
{
	struct map_table *maps;

	*raw = false;
	if (!s->o->raw_stacks)
		return true;
	maps = stacks_maps(s->stacks, tcb);
	*raw = !unwind_runs_language(s->unwinder, tcb->tid, tcb->memory, maps);
	if (!*raw) {
		map_table_put(maps);
		return true;
	}
	recorder_raw(s->recorder, s->unwinder, tcb, maps);
	return s->watch || (s->o->shows_stacks && !s->o->record_only);
}

/*
 * Ends a stack walk whose result is only displayed. The memory that such a walk reads is not
 * recorded. Returns `stack`.
 */
static struct stack *end_display_walk(struct session *s, struct stack *stack)
{
	recorder_walks(s->recorder, false);
	return stack;
}

struct stack *record_stack(struct session *s, struct tcb *tcb)
{
	bool raw;

	if (likely(!s->recorder))
		return stacks_capture(s->stacks, tcb);
	if (!record_raw(s, tcb, &raw))
		return NULL;
	recorder_walks(s->recorder, true);
	if (raw)
		return end_display_walk(s, stacks_capture(s->stacks, tcb));
	return end_recorded_walk(s, stacks_capture(s->stacks, tcb));
}

struct stack *record_stack_syscall(struct session *s, struct tcb *tcb, bool started)
{
	bool raw;

	if (likely(!s->recorder))
		return stacks_capture_syscall(s->stacks, tcb, started);
	if (!record_raw(s, tcb, &raw))
		return NULL;
	recorder_walks(s->recorder, true);
	if (raw)
		return end_display_walk(s, stacks_capture_syscall(s->stacks, tcb, started));
	return end_recorded_walk(s, stacks_capture_syscall(s->stacks, tcb, started));
}

static void stop_after_error(struct session *s)
{
	s->error = 1;
	s->ended = s->discards_rest = true;
}

void record_flush(struct session *s)
{
	for (unsigned i = 0; i < s->nrecorders; i++)
		if (recorder_flush(s->recorders[i]) < 0)
			stop_after_error(s);
}

void record_end(struct session *s)
{
	for (unsigned i = 0; i < s->nrecorders; i++)
		recorder_end(s->recorders[i], &s->stop);
	record_write_kept(s, "the end");
}

/* Prints a message such as "wrote 1 call of 1 process, 123 bytes, to 'trace'". */
static void print_recorded(const struct session *s, const struct recorder_totals *t)
{
	const char *unit = t->bytes < 10000 ? "bytes" : t->bytes < 10000000 ? "kB" : "MB";
	const uint64_t size = t->bytes < 10000	    ? t->bytes
			      : t->bytes < 10000000 ? t->bytes / 1000
						    : t->bytes / 1000000;
	char lost[64] = "";

	if (t->lost)
		snprintf(lost, sizeof(lost), ", %" PRIu64 " event%s lost", t->lost,
			 t->lost == 1 ? "" : "s");
	msg("wrote %" PRIu64 " call%s of %" PRIu64 " process%s, %" PRIu64 " %s%s, to '%s'",
	    t->calls, t->calls == 1 ? "" : "s", t->processes, t->processes == 1 ? "" : "es", size,
	    unit, lost, s->o->write_trace);
}

void record_close(struct session *s)
{
	struct recorder_totals totals;

	for (unsigned i = 0; i < s->nrecorders; i++) {
		if (recorder_close(s->recorders[i], &totals) < 0)
			stop_after_error(s);
		else if (s->o->print_recorded)
			print_recorded(s, &totals);
	}
	if (s->capture)
		s->capture->facts = s->facts;
	s->nrecorders = 0;
	s->recorder = NULL;
}
