/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts records of context switches, wake-ups and page faults to events of the sources "sched"
 * and "fault" (event/sched.h).
 */
#include "event/sched.h"

#include <string.h>

#include "capture/bpf/engine_state.h"
#include "capture/bpf/map_values.h"
#include "capture/bpf/setup.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"

/* Returns a VALUE_NAME with this name. `name` is not copied. */
static struct value *new_name(struct arena *arena, const char *name)
{
	struct value *v = value_new(arena, VALUE_NAME, 0);

	v->str = name;
	v->len = strlen(name);
	return v;
}

static const char *context_of(uint32_t bits)
{
	return bits & WAKING_INTERRUPT ? SCHED_INTERRUPT
	       : bits & WAKING_RING    ? SCHED_RING
	       : bits & WAKING_KERNEL  ? SCHED_KERNEL
				       : SCHED_THREAD;
}

/*
 * Returns true if the syscall `row` (ROW_*) can remove a descriptor. If the descriptor is the last
 * one of its file, the kernel may close the file after the call has ended. Since Linux 6.6,
 * close(2) closes its own file before it ends. But if that file is a socket whose unread messages
 * contain descriptors (SCM_RIGHTS of unix(7)), their files are still closed after the call.
 */
static bool removes_descriptors(int row)
{
	switch (row) {
	case ROW_close:
	case ROW_close_range:
	case ROW_dup2:
	case ROW_dup3:
	case ROW_execve:
	case ROW_execveat:
		return true;
	}
	return false;
}

/*
 * Returns the name of the call with which the waker *w woke another thread, or NULL if the call is
 * unknown.
 */
static const char *call_of(const struct waking *w)
{
	const struct abi *abi;
	int row;

	if (!(w->bits & (WAKING_IN_CALL | WAKING_AFTER_CALL)))
		return NULL;
	abi = w->bits & WAKING_COMPAT ? abi_find(setup_compat_audit(), w->nr) : abi_native();
	row = abi ? abi_row(abi, w->nr) : -1;
	if (row < 0 || (w->bits & WAKING_AFTER_CALL && !removes_descriptors(row)))
		return NULL;
	return syscall_descs[row].name;
}

static struct value *waker_value(struct bpf_engine *e, const struct waking *w)
{
	struct arena *arena = &e->event_arena;
	struct value *v = value_new(arena, VALUE_STRUCT, 0);
	const char *call = call_of(w), *name = w->comm;
	const struct thread *waker = NULL;
	size_t n;

	if (w->bits & WAKING_NAMED) {
		waker = threads_find(&e->threads, (pid_t)w->tid);
		name = waker ? waker->comm : "";
	}
	n = strnlen(name, sizeof(w->comm));

	value_add_named(v, "pid", value_int(arena, w->tgid));
	value_add_named(v, "tid", value_int(arena, w->tid));
	value_add_named(v, "comm", value_string(arena, arena_strndup(arena, name, n), n));
	value_add_named(v, "context", new_name(arena, context_of(w->bits)));
	if (call)
		value_add_named(v, "call", new_name(arena, call));
	return v;
}

static void add_arg(struct event *event, const char *name, struct value *v)
{
	event->args[event->nargs++] = (struct arg){.name = name, .in = v};
}

static void describe_switch(struct bpf_engine *e, const struct switch_record *r)
{
	struct event *event = &e->event;
	const uint64_t end = r->head.time;
	const bool blocked = r->state != 'R';
	uint64_t woken = r->off_at;
	const char letter[] = {(char)r->state, '\0'};

	if (blocked)
		woken = r->waking.at ? size_max(r->waking.at, r->off_at) : end;
	if (woken > end)
		woken = end;
	*event = (struct event){.source = SCHED_SOURCE,
				.name = SCHED_SWITCH,
				.has_duration = true,
				.duration = timespec_of((int64_t)(end - r->off_at))};
	add_arg(event, "state", new_name(&e->event_arena, arena_strdup(&e->event_arena, letter)));
	add_arg(event, "blocked_ns", value_uint(&e->event_arena, woken - r->off_at));
	add_arg(event, "runnable_ns", value_uint(&e->event_arena, end - woken));
	if (!blocked || !r->waking.at)
		return;
	add_arg(event, "waker", waker_value(e, &r->waking));
	if (r->waking.bits & WAKING_SIGNAL)
		add_arg(event, "signal_pending", value_uint(&e->event_arena, 1));
}

static void describe_fault(struct bpf_engine *e, const struct fault_record *r)
{
	const uint64_t end = r->head.time;

	e->event = (struct event){.source = FAULT_SOURCE,
				  .name = FAULT_MAJOR,
				  .has_duration = r->begin && r->begin <= end,
				  .duration = timespec_of((int64_t)(end - r->begin))};
	add_arg(&e->event, "address", value_addr(&e->event_arena, r->addr));
	add_arg(&e->event, "ip", value_addr(&e->event_arena, r->ip));
}

bool bpf_engine_report_sched(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	const struct record *r = e->record;

	e->record = NULL;
	/* Ignore a switch after the thread's exit was recorded. */
	if (!t || t->tcb.flags & TCB_ENDED)
		return false;
	arena_reset(&e->event_arena);
	if (r->kind == RECORD_SWITCH) {
		describe_switch(e, (const struct switch_record *)r);
	} else if (r->kind == RECORD_FAULT) {
		describe_fault(e, (const struct fault_record *)r);
		stop->has_stack = e->regs;
	} else {
		const struct waking_record *w = (const struct waking_record *)r;

		e->event = (struct event){.source = SCHED_SOURCE, .name = SCHED_WAKING};
		add_arg(&e->event, "woken", value_int(&e->event_arena, w->woken));
	}
	stop->kind = STOP_EVENT;
	stop->tcb = &t->tcb;
	stop->event = &e->event;
	return true;
}
