/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reports calls that began before tracing and are still running when tracing ends. The BPF programs
 * have seen neither the entries nor the returns of these calls, so the registers are read from
 * /proc. Only the time since tracer attached to the thread counts.
 */
#include <string.h>

#include "capture/bpf/engine_state.h"
#include "capture/proc/proc.h"
#include "linux/arch/abi.h"

void bpf_engine_find_old_calls(struct bpf_engine *e)
{
	const struct procfs *p = e->capture.procfs;

	for (struct thread *t = e->threads.oldest; t; t = t->newer) {
		struct syscall_regs regs = {0};

		/*
		 * Read the registers first, and check after that whether the programs have seen an
		 * event of the thread. If the programs have seen no event, the registers belong to
		 * a call that began before tracing.
		 */
		if (!(t->tcb.flags & TCB_ATTACHED) || !thread_state_call(p, t->tcb.tid, &regs) ||
		    !kernel_is_silent(e->kernel, t->tcb.tid, t->tcb.tgid))
			continue;
		regs.audit = abi_guess_audit(regs.nr, regs.sp);
		t->tcb.regs = regs;
		t->in_old_call = abi_find(regs.audit, regs.nr);
	}
}

static void count_old_call(struct bpf_engine *e, const struct thread *t, uint64_t now,
			   struct stop *stop)
{
	const struct syscall_regs *regs = &t->tcb.regs;
	const struct abi *abi = abi_find(regs->audit, regs->nr);
	/* With --live, the time up to the last list of threads has already been counted. */
	const uint64_t wall = now - (t->attached > e->listed_at ? t->attached : e->listed_at);
	const unsigned octave = wall ? 64 - (unsigned)__builtin_clzll(wall) : 0;

	memset(e->old_octaves, 0, sizeof(e->old_octaves));
	e->old_octaves[octave % COUNT_OCTAVES_N] = 1;
	e->counts = (struct capture_counts){
		.abi = abi->index,
		.nr = (unsigned)(abi_set_number(abi, regs->nr) & ~(uint64_t)abi->nr_mask),
		.tgid = t->tcb.tgid,
		.tid = t->tcb.tid,
		.octaves = e->old_octaves,
		.noctaves = COUNT_OCTAVES_N,
		.calls = 1,
		.wall = {wall, wall, wall}};
	stop->kind = STOP_COUNTS;
	stop->counts = &e->counts;
}

bool bpf_engine_report_old_call(struct bpf_engine *e, uint64_t now, struct stop *stop)
{
	struct thread *t = e->threads.oldest;

	while (t && !t->in_old_call)
		t = t->newer;
	if (!t)
		return false;
	t->in_old_call = false;
	stop_clear(stop);
	if (e->counts_calls) {
		count_old_call(e, t, now, stop);
		return true;
	}
	chunks_clear(&e->memory);
	e->regs = NULL;
	e->image.tid = t->tcb.tid;
	sleeper_clear(&e->image.sleeper, t->tcb.tid);
	e->live_used = 0;
	stream_facts_other(&e->facts);
	e->old_call = true;
	t->tcb.flags |= TCB_IN_SYSCALL;
	stop->kind = STOP_SYSCALL_ENTER;
	stop->tcb = &t->tcb;
	bpf_engine_stamp(e, stop, t->attached);
	return true;
}
