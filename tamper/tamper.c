/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tamper/tamper.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"
#include "capture/capture.h"
#include "query/query.h"
#include "syscall.h"
#include "util/mem.h"
#include "util/msg.h"

#define COUNTS (ABI_COUNT * SYSCALL_SET_MAX)

/* The state of a thread whose calls are tampered with. */
struct tamper_thread {
	unsigned *counts; /* number of calls so far, indexed by injection, ABI and syscall number */
	const struct injection
		*now; /* the injection that applies to the current syscall, or NULL */
	bool result;  /* true if the result was replaced */
	bool args;    /* true if memory that arguments point to was changed */
};

struct tamper {
	const struct injection *injections;
	size_t n;
};

struct tamper *tamper_create(const struct injection *injections, size_t n)
{
	struct tamper *t = mem_zalloc(sizeof(*t));

	t->injections = injections;
	t->n = n;
	return t;
}

void tamper_destroy(struct tamper *t)
{
	free(t);
}

void tamper_forget(struct tamper *t attr_unused, struct tcb *tcb)
{
	struct tamper_thread *th = tcb->tamper_data;

	if (!th)
		return;
	free(th->counts);
	free(th);
	tcb->tamper_data = NULL;
}

static struct tamper_thread *thread_of(const struct tamper *t, struct tcb *tcb)
{
	struct tamper_thread *th = tcb->tamper_data;

	if (!th) {
		th = tcb->tamper_data = mem_zalloc(sizeof(*th));
		th->counts = mem_zalloc(t->n * COUNTS * sizeof(th->counts[0]));
	}
	return th;
}

/* Counts this call in *count. Returns true if when= selects the call. */
static bool injection_hits(const struct injection *inj, unsigned *count)
{
	unsigned n = ++*count;

	if (n < inj->first || n > inj->last)
		return false;
	return n == inj->first || (inj->step && (n - inj->first) % inj->step == 0);
}

/* Returns the type of the argument in the argument register with the index arg, or NULL. */
static const struct type *argument_type(const struct syscall_event *ev, unsigned arg)
{
	unsigned reg = 0;

	for (unsigned i = 0; ev->desc && i < ev->desc->nargs; i++) {
		const struct arg_desc *a = &ev->desc->args[i];
		unsigned at = a->reg ? a->reg - 1u : reg;

		if (a->phase >= PHASE_HOOK_ENTER)
			continue;
		if (at == arg)
			return &a->type;
		syscall_arg(ev, a, &reg);
	}
	return NULL;
}

/*
 * If the argument is a path that was written at entry, prints the same message as strace about a
 * path that cannot be read. Readable memory ends at addr + n, so only the first n bytes of the path
 * were written. These bytes contain no NUL.
 */
static void report_short_path(const struct injection_poke *p, const struct syscall_event *ev,
			      uint64_t addr, size_t n)
{
	const struct type *t = argument_type(ev, p->arg);

	if (p->at_exit || !t || !(t->flags & TYPE_F_PATH) || memchr(p->bytes, 0, n))
		return;
	msg("umovestr: short read (%zu < %d) @%#llx: Bad address", n, PATH_MAX,
	    (unsigned long long)addr);
}

static void poke_one(const struct injection_poke *p, struct tcb *tcb, struct tamper_thread *th)
{
	const struct syscall_event *ev = tcb->syscall;
	unsigned nargs = syscall_arg_count(ev);
	ssize_t n;

	if (p->arg >= nargs) {
		msg("poke_tcb: Failed to tamper with process %d: requested to tamper with "
		    "argument #%u, but system call '%s' has only %u arguments",
		    tcb->tid, p->arg + 1, ev->base.name, nargs);
		return;
	}
	n = tcb_write(tcb, ev->raw_args[p->arg], p->bytes, p->n);
	if (n <= 0) {
		msg("poke_tcb: Failed to tamper with process %d: couldn't poke", tcb->tid);
		return;
	}
	th->args = true;
	if ((size_t)n < p->n) {
		msg("upoken: pid:%d short write (%zd < %zu) @%#llx", tcb->tid, n, p->n,
		    (unsigned long long)ev->raw_args[p->arg]);
		report_short_path(p, ev, ev->raw_args[p->arg], (size_t)n);
	}
}

static void poke(const struct injection *inj, struct tcb *tcb, bool at_exit,
		 struct tamper_thread *th)
{
	for (size_t i = inj->pokes.n; i-- > 0;) {
		const struct injection_poke *p = &inj->pokes.v[i];

		if (p->at_exit == at_exit)
			poke_one(p, tcb, th);
	}
}

static bool applies(const struct injection *inj, const struct syscall_event *ev)
{
	return syscall_set_has(&inj->set, ev->abi, ev->set_nr) &&
	       (!inj->condition || query_eval_call(inj->condition, ev, false, NULL) == TRUTH_YES);
}

uint64_t tamper_enter(struct tamper *t, struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;
	struct tamper_thread *th = thread_of(t, tcb);
	const struct injection *inj = NULL;
	size_t at;

	th->now = NULL;
	th->result = th->args = false;
	if (ev->row < 0)
		return 0;
	/* If several injections match this call, the last of them on the command line applies. */
	for (size_t i = t->n; i-- > 0 && !inj;)
		if (applies(&t->injections[i], ev))
			inj = &t->injections[i];
	if (!inj)
		return 0;
	at = (inj - t->injections) * COUNTS + ev->abi->index * SYSCALL_SET_MAX +
	     (ev->set_nr & ~(uint64_t)ev->abi->nr_mask);
	if (!injection_hits(inj, &th->counts[at]))
		return 0;
	th->now = inj;
	/* As in strace 7.2, no signal is sent if the entry is delayed. */
	if (inj->actions & INJECT_SIGNAL && !(inj->actions & INJECT_DELAY_ENTER))
		tcb->restart_signal = inj->signal;
	if (inj->actions & (INJECT_ERROR | INJECT_RETVAL)) {
		int nr = inj->actions & INJECT_SYSCALL ? abi_number(ev->abi, inj->row) : -1;

		th->result = tcb_set_nr(tcb, (uint64_t)(int64_t)nr) == 0;
	}
	if (inj->actions & INJECT_POKE_ENTER)
		poke(inj, tcb, false, th);
	return inj->actions & INJECT_DELAY_ENTER ? inj->delay_enter_ns : 0;
}

bool tamper_poked(const struct tcb *tcb)
{
	const struct tamper_thread *th = tcb->tamper_data;

	return th->args;
}

uint64_t tamper_exit(struct tamper *t, struct tcb *tcb)
{
	struct syscall_event *ev = tcb->syscall;
	struct tamper_thread *th = thread_of(t, tcb);
	const struct injection *inj = th->now;
	const char *note = NULL;
	bool delayed;

	if (!inj)
		return 0;
	th->now = NULL;
	if (th->result) {
		int64_t ret =
			inj->actions & INJECT_ERROR ? -(int64_t)inj->error : (int64_t)inj->retval;

		if (tcb_set_ret(tcb, ret) == 0) {
			tcb->regs.ret = ret;
			tcb->regs.is_error = inj->actions & INJECT_ERROR;
		}
	}
	if (inj->actions & INJECT_POKE_EXIT)
		poke(inj, tcb, true, th);
	delayed = inj->actions & (INJECT_DELAY_ENTER | INJECT_DELAY_EXIT);
	if (th->result && th->args)
		note = delayed ? "(INJECTED: args, retval) (DELAYED)" : "(INJECTED: args, retval)";
	else if (th->result)
		note = delayed ? "(INJECTED) (DELAYED)" : "(INJECTED)";
	else if (th->args)
		note = delayed ? "(INJECTED: args) (DELAYED)" : "(INJECTED: args)";
	else if (delayed)
		note = "(DELAYED)";
	ev->tampered = foreign(note);
	return inj->actions & INJECT_DELAY_EXIT ? inj->delay_exit_ns : 0;
}
