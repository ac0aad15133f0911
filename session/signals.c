/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/signals.h"

#include "capture/capture.h"
#include "select/filter.h"
#include "session/emit.h"
#include "session/record.h"
#include "session/state.h"
#include "session/watch.h"
#include "syscall.h"
#include "util/names.h"

/*
 * Captures the stack of the code that a signal interrupts. Returns NULL if the stack is not needed.
 */
static struct stack *signal_stack(struct session *s, struct tcb *tcb)
{
	return s->unwinder && (s->o->text.stacks || s->recorder || s->watch) ? record_stack(s, tcb)
									     : NULL;
}

void on_signal(struct session *s, struct tcb *tcb, const struct stop *stop)
{
	const char *name = signal_name(stop->sig);
	struct signal_event e = {.base = {.kind = EVENT_SIGNAL, .name = name ? name : "signal"},
				 .sig = stop->sig,
				 .has_info = stop->has_info};
	const bool shown = filter_signal(&s->o->filter, stop->sig);
	struct arena arena = {0};

	if (tcb->flags & TCB_WAIT_EXECVE || !(shown || s->watch))
		return;
	emit_stamp(s, &e.base, tcb);
	emit_secontext(s, &e.base, tcb);
	if (stop->has_info) {
		e.info = stop->info;
		e.base.args[0].name = "info";
		e.base.args[0].in = syscall_decode_siginfo(tcb, &s->decode, &arena, &stop->info);
		e.base.nargs = 1;
	}
	e.base.stack = signal_stack(s, tcb);
	if (shown && filter_event(&s->o->filter, s->unwinder, &e.base))
		feed_event(&s->feed, &e.base);
	if (s->watch)
		watch_event(s, &e.base);
	stack_release(e.base.stack);
	arena_reset(&arena);
}

void on_group_stop(struct session *s, struct tcb *tcb, int sig)
{
	struct stack *stack;

	if (!filter_signal(&s->o->filter, sig))
		return;
	stack = signal_stack(s, tcb);
	emit_process(s, tcb, PROCESS_STOPPED, sig, false, stack);
	stack_release(stack);
}
