/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/raw_walks.h"

#include <stdlib.h>

#include "capture/capture.h"
#include "trace/play/player.h"
#include "trace/play/trace.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"
#include "session/stacks.h"
#include "util/mem.h"

struct raw_walks {
	struct trace *trace;
	struct capture *player;
	struct stacks *stacks;
	struct stop stop; /* the stop that the player reported last */
	/*
	 * number of the record of `stop`; if `stop` has no record, the number of the last record
	 * before it
	 */
	uint64_t number;
	struct stack *stack;
};

struct raw_walks *raw_walks_open(const char *path, const char *sysroot,
				 const struct unwind_config *config)
{
	const struct player_config how = {.from = INT64_MIN, .to = INT64_MAX, .sysroot = sysroot};
	struct trace *t = trace_open(path);
	struct raw_walks *w;

	if (!t)
		return NULL;
	w = mem_zalloc(sizeof(*w));
	w->trace = t;
	w->player = player_create(t, &how);
	w->stacks = stacks_create(config, w->player->maps, w->player->files, true);
	return w;
}

/* Frees the data of the last stop. */
static void release_stop(struct raw_walks *w)
{
	stack_release(w->stack);
	w->stack = NULL;
	if (w->stop.kind == STOP_EXITED || w->stop.kind == STOP_VANISHED)
		stacks_forget(w->stacks, w->stop.tcb);
	w->stop = (struct stop){.kind = STOP_NONE};
}

void raw_walks_close(struct raw_walks *w)
{
	if (!w)
		return;
	release_stop(w);
	for (struct tcb *tcb = capture_next(w->player, NULL, OLDEST_FIRST); tcb;
	     tcb = capture_next(w->player, tcb, OLDEST_FIRST))
		stacks_forget(w->stacks, tcb);
	capture_end(w->player);
	stacks_destroy(w->stacks);
	capture_destroy(w->player);
	trace_destroy(w->trace);
	free(w);
}

struct unwinder *raw_walks_unwinder(const struct raw_walks *w)
{
	return stacks_unwinder(w->stacks);
}

/*
 * Advances to the next stop and applies the effect of that stop on address spaces. Returns false if
 * the trace has no more stops.
 */
static bool advance(struct raw_walks *w)
{
	struct stop *stop = &w->stop;

	release_stop(w);
	capture_wait(w->player, stop, NULL);
	if (stop->kind == STOP_NONE)
		return false;
	w->number = player_stops(w->player);
	if (!stop->tcb)
		return true;
	stacks_attach(w->stacks, stop->tcb);
	if (stop->kind == STOP_MAPPING)
		stacks_mapping(stop->tcb, stop->addr, stop->length);
	else if (stop->kind == STOP_EXEC)
		stacks_exec(w->stacks, stop->tcb);
	else if (stop->kind == STOP_FORK && stop->child)
		stacks_fork(w->stacks, stop->tcb, stop->child, stop->child_shares_mm);
	return true;
}

/* Returns true if the thread has just returned from a successful execve. */
static bool has_started(const struct stop *stop)
{
	const struct syscall_regs *regs = &stop->tcb->regs;
	const struct abi *abi = abi_find(regs->audit, regs->nr);
	const int row = abi ? abi_row(abi, regs->nr) : -1;

	return stop->kind == STOP_SYSCALL_EXIT && !regs->is_error &&
	       (row == ROW_execve || row == ROW_execveat);
}

struct stack *raw_walks_at(struct raw_walks *w, uint64_t number)
{
	while (w->number < number)
		if (!advance(w))
			return NULL;
	if (w->number != number || !w->stop.tcb || w->stack)
		return NULL;
	w->stack = w->stop.kind == STOP_SYSCALL_ENTER || w->stop.kind == STOP_SYSCALL_EXIT
			   ? stacks_capture_syscall(w->stacks, w->stop.tcb, has_started(&w->stop))
			   : stacks_capture(w->stacks, w->stop.tcb);
	return w->stack;
}
