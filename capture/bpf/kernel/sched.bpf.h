/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Context switches, wake-ups and page faults of traced threads. The program for wake-ups is loaded
 * only if setup.sched or setup.wakers is set, the other programs only if setup.sched is set. The
 * kernel runs the programs for context switches and wake-ups with interrupts disabled, so they do
 * not interrupt each other.
 */
#ifndef TRACER_CAPTURE_BPF_KERNEL_SCHED_H
#define TRACER_CAPTURE_BPF_KERNEL_SCHED_H

#include "capture/bpf/kernel/threads.bpf.h"

/* From linux/sched.h. */
#define PF_EXITING	     0x4
#define PF_IO_WORKER	     0x10
#define PF_KTHREAD	     0x200000
#define TASK_INTERRUPTIBLE   0x1
#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_STOPPED	     0x4
#define TASK_TRACED	     0x8
#define TASK_DEAD	     0x80
/*
 * From linux/preempt.h: the bits of the preempt count that are set in softirqs and in the handlers
 * of interrupts and NMIs.
 */
#define IN_INTERRUPT 0xff0100
/*
 * Size of a kernel stack. Some kernels have larger ones, for example with KASAN. is_interrupted()
 * then mistakes the part of a thread's stack above the lowest 16 KiB for the stack of an interrupt
 * handler.
 */
#define KERNEL_STACK 16384
/* The kernel stores this instead of a syscall number when an interrupt arrives in user mode. */
#define NO_CALL 0xffffffff

/*
 * Returns true if a softirq or an interrupt handler has interrupted the current thread. `on_stack`
 * is the address of an object on the current kernel stack. `nr` is the lower half of the register
 * with the syscall number. On some machines, BPF programs cannot read the preempt count. There,
 * this function checks whether `on_stack` is outside of the thread's kernel stack. That check does
 * not detect an interrupt of user mode, which is recognized by the `nr` NO_CALL.
 */
static __always_inline bool is_interrupted(struct task_struct *task, uint64_t on_stack, uint32_t nr)
{
	if (bpf_core_field_exists(task->thread_info.preempt_count))
		return task->thread_info.preempt_count & IN_INTERRUPT;
	return on_stack - (uint64_t)task->stack >= KERNEL_STACK || nr == NO_CALL;
}

/* Returns true if the time that a thread in this state spends off the CPU is recorded. */
static __always_inline bool is_sched_wanted(const struct thread_state *state)
{
	return setup.sched == WANTED_SCHED_ALL || state->entered != ENTERED_NOT;
}

static __always_inline bool has_signal(struct task_struct *task)
{
	const uint64_t pending =
		task->pending.signal.sig[0] | task->signal->shared_pending.signal.sig[0];

	return pending & ~task->blocked.sig[0];
}

/*
 * Returns true if the thread's last call has ended, and the kernel does the remaining work of that
 * call (such as closing files) before the thread returns to user mode. Requests of an io_uring
 * complete at the same time, so threads with an io_uring are excluded. `nr` is as in
 * is_interrupted().
 */
static __always_inline bool is_returning(struct task_struct *task, const struct thread_state *state,
					 uint32_t nr)
{
	if (bpf_core_field_exists(task->io_uring) && task->io_uring)
		return false;
	return state->entered == ENTERED_NOT && nr != NO_CALL && !(task->flags & PF_EXITING);
}

/*
 * Stores in *w that the current thread `task` wakes another thread, and in which call it does so.
 * `waker` is the state of the current thread, or NULL if the current thread is not traced.
 * `on_stack` is as in is_interrupted().
 */
static __always_inline void store_waker(struct waking *w, struct task_struct *task,
					const struct thread_state *waker, uint64_t on_stack)
{
	const bool kernel = !task->pid || task->flags & PF_KTHREAD;
	const void *regs = (const void *)bpf_task_pt_regs(task);
	uint32_t bits = kernel ? WAKING_KERNEL : 0;

	w->nr = kernel ? 0 : half_reg_at(regs, setup.calls[0].nr);
	if (waker) {
		w->tid = waker->tid;
		w->tgid = waker->tgid;
	} else {
		w->tid = id_of(task, false);
		w->tgid = id_of(task, true);
	}
	/* The engine knows the names of traced threads until they exit. */
	if (waker && !(task->flags & PF_EXITING))
		bits |= WAKING_NAMED;
	else
		bpf_get_current_comm(w->comm, COMM_SIZE);
	bits |= is_interrupted(task, on_stack, w->nr) ? WAKING_INTERRUPT : 0;
	if (waker && waker->entered == ENTERED_CALL)
		bits |= WAKING_IN_CALL;
	else if (waker && !(bits & (WAKING_KERNEL | WAKING_INTERRUPT)) &&
		 is_returning(task, waker, w->nr))
		bits |= WAKING_AFTER_CALL;
	bits |= waker && is_compat(regs, task) ? WAKING_COMPAT : 0;
	bits |= task->flags & PF_IO_WORKER ? WAKING_RING : 0;
	w->bits = bits;
}

static __always_inline uint32_t buffer_of_thread(const struct thread_state *state)
{
	const uint32_t cpu = bpf_get_smp_processor_id();

	return setup.groups < 2 ? cpu : cpu + state->group * setup.cpus;
}

/*
 * Writes a record of n bytes for the thread `state`. The record begins with a struct record. It
 * must not be in scratch memory, because this program may interrupt a program that uses the scratch
 * memory.
 */
static __always_inline void write_sched(const struct thread_state *state, struct record *r,
					enum record_kind kind, uint64_t n)
{
	struct scratch *s = find_scratch(SCRATCH_IGNORED);
	const uint32_t buffer = buffer_of_thread(state);
	void *ring = bpf_map_lookup_elem(&events, &buffer);

	if (!s || !ring)
		return;
	begin_head(s, r, state, kind);
	r->lost_calls = losses_of(s)->others;
	r->lost_results = 0;
	if (bpf_ringbuf_output(ring, r, n, BPF_RB_NO_WAKEUP))
		losses_of(s)->others++;
}

/*
 * Records that a traced thread is about to wake another one. The record contains no stack. The
 * waker's stack is in the record of its current call or, with WAKING_AFTER_CALL, of its last call.
 */
static __always_inline void write_waking(const struct thread_state *waker,
					 const struct thread_state *woken, uint64_t now)
{
	struct waking_record r;

	r.head.time = now;
	r.woken = woken->tid;
	r.pad = 0;
	write_sched(waker, &r.head, RECORD_WAKING, sizeof(r));
}

/*
 * Handles a wake-up of the thread `task` by the current thread. `args` points to the arguments of
 * the tracepoint. The arguments are on the kernel stack that is in use now.
 */
static __always_inline int wake(struct task_struct *task, const uint64_t *args)
{
	struct task_struct *current = bpf_get_current_task_btf();
	struct thread_state *state = is_unknown(task) ? NULL : find_task(task);
	const struct thread_state *waker;

	if (!state || !is_sched_wanted(state))
		return 0;
	waker = is_unknown(current) ? NULL : find_task(current);
	/*
	 * The verifier forbids arithmetic with this pointer. A value that was read from a map is a
	 * number for the verifier, so write the pointer to a map and read it back.
	 */
	*(volatile uint64_t *)&state->waking.at = (uint64_t)args;
	store_waker(&state->waking, current, waker, *(volatile uint64_t *)&state->waking.at);
	state->waking.at = bpf_ktime_get_ns();
	if (has_signal(task))
		state->waking.bits |= WAKING_SIGNAL;
	if (setup.stack_size && waker && (waker->call || state->waking.bits & WAKING_AFTER_CALL))
		write_waking(waker, state, state->waking.at);
	return 0;
}

static __always_inline uint32_t letter_of(bool preempted, uint32_t state)
{
	if (preempted || !state)
		return 'R';
	return state & TASK_INTERRUPTIBLE     ? 'S'
	       : state & TASK_UNINTERRUPTIBLE ? 'D'
	       : state & TASK_STOPPED	      ? 'T'
	       : state & TASK_TRACED	      ? 't'
					      : 'I';
}

static __always_inline void leave_cpu(struct task_struct *task, bool preempted, uint32_t flags,
				      uint64_t *now)
{
	struct thread_state *state = is_unknown(task) ? NULL : find_task(task);

	if (!state || !is_sched_wanted(state) || flags & TASK_DEAD)
		return;
	*now = bpf_ktime_get_ns();
	if (setup.sched == WANTED_SCHED_ALL && !preempted && flags)
		state->blocked_at = *now;
	state->off = letter_of(preempted, flags);
	state->off_at = *now;
}

/*
 * Records that a thread runs again, if its time off the CPU is recorded. `now` is the time, or 0 if
 * it has not been read yet.
 */
static __always_inline void return_to_cpu(struct task_struct *task, uint64_t now)
{
	struct thread_state *state = is_unknown(task) ? NULL : find_task(task);
	struct switch_record r;

	if (!state || !state->off_at)
		return;
	r.head.time = now ? now : bpf_ktime_get_ns();
	r.off_at = state->off_at;
	r.state = state->off;
	r.pad = 0;
	r.waking = state->waking;
	state->off_at = 0;
	state->waking.at = 0;
	write_sched(state, &r.head, RECORD_SWITCH, sizeof(r));
}

static __always_inline int switch_threads(struct task_struct *prev, struct task_struct *next,
					  bool preempted, uint32_t flags)
{
	uint64_t now = 0;

	leave_cpu(prev, preempted, flags, &now);
	return_to_cpu(next, now);
	return 0;
}

/* Records a page fault for which the kernel has read from a disk or another device. */
static __always_inline int record_fault(uint64_t addr)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread_state *state = is_unknown(task) ? NULL : find_task(task);
	struct scratch *s = find_scratch(SCRATCH_THREADS);
	struct fault_record *r;
	const void *regs;

	if (!state || !s)
		return 0;
	regs = (const void *)bpf_task_pt_regs(task);
	r = (struct fault_record *)s->record;
	begin_event(s, state, RECORD_FAULT, sizeof(*r));
	r->begin = state->blocked_at;
	r->addr = addr;
	r->ip = reg_at(regs, setup.pc);
	state->blocked_at = 0;
	if (setup.stack_size) {
		append_regs(s, regs);
		append_stack(s, regs, task, state, STACK_PAGES);
	}
	finish_event(s);
	return 0;
}

#endif
