/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creation and exit of threads, their signals, and execve. */
#ifndef TRACER_CAPTURE_BPF_KERNEL_THREADS_H
#define TRACER_CAPTURE_BPF_KERNEL_THREADS_H

#include "capture/bpf/kernel/stacks.bpf.h"

/* From signal.h, trace/events/signal.h and linux/sched/signal.h. */
#define SIGKILL		  9
#define SIGNAL_DELIVERED  0 /* TRACE_SIGNAL_DELIVERED of trace/events/signal.h */
#define SIGNAL_IGNORED	  1
#define SIGNAL_GROUP_EXIT 4

/*
 * Initializes the current record, except its time. `size` is the initial size of the record in
 * bytes.
 */
static __always_inline void begin_event(struct scratch *s, const struct thread_state *state,
					enum record_kind kind, size_t size)
{
	struct record *r = (struct record *)s->record;

	begin_head(s, r, state, kind);
	r->lost_calls = losses_of(s)->others;
	r->lost_results = 0;
	s->used = size;
}

static __always_inline void finish_event(struct scratch *s)
{
	((struct record *)s->record)->time = bpf_ktime_get_ns();
	if (!write_record(s, &events))
		losses_of(s)->others++;
}

/* -- fork ------------------------------------------------------------------------- */

/* Records the child's ids in our pid namespace and in the namespaces nested in it. */
static __always_inline void store_ids(struct fork_record *r, struct task_struct *child)
{
	struct pid *pid = BPF_CORE_READ(child, thread_pid);

	r->levels = BPF_CORE_READ(pid, level) - own.level;
	bpf_probe_read_kernel(r->ids, sizeof(r->ids), our_upid(pid));
}
_Static_assert(offsetof(struct fork_record, ids[0].ns) - offsetof(struct fork_record, ids[0].nr) ==
		       UPID_NS,
	       "as in struct upid");

static __always_inline void follow_child(struct fork_record *r, struct task_struct *child,
					 const struct thread_state *parent)
{
	struct thread_state *state = add_task(child);

	if (!state) {
		r->head.flags |= RECORD_MISSED;
		return;
	}
	state->flags = THREAD_FOLLOW;
	state->tid = r->tid;
	state->tgid = r->tgid;
	state->group = parent->group;
	state->entered = ENTERED_BEFORE;
	state->execs = r->tgid == parent->tgid ? parent->execs : 0;
	r->head.flags |= RECORD_FOLLOW;
}

static __always_inline int begin_thread(struct task_struct *child)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread_state *state = find_task(task);
	struct fork_record *r;
	struct scratch *s;

	/*
	 * Several copies of this program may be attached. The first copy that runs for a fork
	 * records the fork, and the others do nothing.
	 */
	if (!state || state->child == child->start_time)
		return 0;
	state->child = child->start_time;
	s = find_scratch(SCRATCH_THREADS);
	if (!s)
		return 0;
	r = (struct fork_record *)s->record;
	begin_event(s, state, RECORD_FORK, sizeof(*r));
	if (BPF_CORE_READ(task, mm) == BPF_CORE_READ(child, mm))
		r->head.flags = RECORD_SHARES;
	r->tid = id_of(child, false);
	r->tgid = id_of(child, true);
	bpf_get_current_comm(r->comm, COMM_SIZE);
	store_ids(r, child);
	if (state->flags & THREAD_FOLLOW)
		follow_child(r, child, state);
	finish_event(s);
	return 0;
}

/* -- execve ----------------------------------------------------------------------- */

/*
 * Updates the map of threads by id after execve has changed the current thread's id. Does nothing
 * if that map is not used.
 */
static __always_inline void rename_thread(struct task_struct *task, uint32_t old)
{
	uint32_t id = (uint32_t)task->pid;
	struct thread_state *state;

	if (!setup.by_id || id == old)
		return;
	state = bpf_map_lookup_elem(&threads_by_id, &old);
	if (!state)
		return;
	bpf_map_update_elem(&threads_by_id, &id, state, BPF_ANY);
	bpf_map_delete_elem(&threads_by_id, &old);
}

/*
 * Returns the index of the current process's control group, or setup.groups if it is in none of the
 * traced groups.
 */
static __always_inline uint32_t find_group(void)
{
	uint32_t i;

#pragma clang loop unroll(disable)
	for (i = 0; i < RECORD_GROUPS_MAX; i++) {
		if (i >= setup.groups)
			break;
		if (bpf_current_task_under_cgroup(&cgroups, i) == 1)
			return i;
	}
	return setup.groups;
}

/* Maximum number of ancestors that descends_from_tracer() examines. */
#define ANCESTORS_MAX 8

static __always_inline bool descends_from_tracer(const struct task_struct *task)
{
	uint32_t i;

#pragma clang loop unroll(disable)
	for (i = 0; i < ANCESTORS_MAX; i++) {
		task = BPF_CORE_READ(task, real_parent);
		if (BPF_CORE_READ(task, tgid) == own.tgid)
			return true;
	}
	return false;
}

/*
 * Returns the state of the current thread. If the thread is not traced but has joined a traced
 * control group, starts tracing it and sets *group to the group's index. If the thread was already
 * traced, sets *group to 0. Returns NULL if the thread stays untraced. Descendants of tracer are
 * never traced this way. Otherwise, a command that reads tracer's output (-o '|COMMAND') would
 * cause new events with each event that it reads. Threads outside tracer's pid namespace are not
 * traced this way either, because they have no id there.
 */
static __always_inline struct thread_state *find_or_join(struct task_struct *task, uint32_t *group)
{
	struct thread_state *state = find_task(task);
	uint32_t tid;

	*group = 0;
	if (state || !setup.groups)
		return state;
	*group = find_group();
	tid = id_of(task, false);
	if (*group >= setup.groups || !tid || descends_from_tracer(task))
		return NULL;
	state = add_task(task);
	if (!state)
		return NULL;
	state->flags = THREAD_FOLLOW;
	state->group = *group;
	state->entered = ENTERED_BEFORE;
	state->tid = tid;
	state->tgid = id_of(task, true);
	return state;
}

static __always_inline int execute(uint32_t old)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread_state *state;
	struct exec_record *r;
	struct scratch *s;
	uint32_t group;

	rename_thread(task, old);
	state = find_or_join(task, &group);
	s = find_scratch(SCRATCH_THREADS);
	if (!state || !s)
		return 0;
	r = (struct exec_record *)s->record;
	/* A thread that calls execve becomes the leader of its process. */
	r->old_tid = state->tid;
	r->group = group;
	state->tid = state->tgid;
	state->execs++;
	begin_event(s, state, RECORD_EXEC, sizeof(*r));
	bpf_get_current_comm(r->comm, COMM_SIZE);
	finish_event(s);
	return 0;
}

/* -- exit ------------------------------------------------------------------------- */

static __always_inline int end_thread(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread_state *state = find_task(task);
	struct scratch *s = find_scratch(SCRATCH_THREADS);
	struct exit_record *r;

	if (!state || !s)
		return 0;
	r = (struct exit_record *)s->record;
	begin_event(s, state, RECORD_EXIT, sizeof(*r));
	r->code = (uint32_t)task->exit_code;
	r->pad = 0;
	if (setup.by_id) {
		uint32_t id = (uint32_t)task->pid;

		bpf_map_delete_elem(&threads_by_id, &id);
	}
	finish_event(s);
	return 0;
}

/* -- signals ---------------------------------------------------------------------- */

static __always_inline int deliver_signal(int sig, const void *info)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread_state *state = find_task(task);
	struct signal_record *r;
	const void *regs;
	struct scratch *s;

	/*
	 * SIGKILL is not reported as a signal. Instead, the exits of the killed threads are
	 * reported.
	 */
	if (!state || sig == SIGKILL)
		return 0;
	s = find_scratch(SCRATCH_THREADS);
	if (!s)
		return 0;
	r = (struct signal_record *)s->record;
	begin_event(s, state, RECORD_SIGNAL, sizeof(*r));
	r->sig = (uint32_t)sig;
	bpf_probe_read_kernel(r->info, sizeof(r->info), info);
	regs = (const void *)bpf_task_pt_regs(task);
	r->ip = reg_at(regs, setup.pc);
	r->sp = sp_of(regs, task);
	if (setup.stack_size) {
		append_regs(s, regs);
		append_signal_stack(s, regs, task, state);
	}
	finish_event(s);
	return 0;
}

/*
 * Returns true if a signal kills the process at once, without a core dump. If so, the kernel has
 * already sent SIGKILL to all threads of the process.
 */
static __always_inline bool is_deadly(struct task_struct *task, int sig)
{
	struct signal_struct *process = BPF_CORE_READ(task, signal);

	return sig != SIGKILL && BPF_CORE_READ(process, flags) & SIGNAL_GROUP_EXIT &&
	       BPF_CORE_READ(process, group_exit_code) == sig;
}

/* Records a signal that is never delivered, because it is ignored or kills the process at once. */
static __always_inline int drop_signal(int sig, const void *info, struct task_struct *task,
				       int result)
{
	struct thread_state *state;
	struct signal_record *r;
	struct scratch *s;

	if (result != SIGNAL_DELIVERED && result != SIGNAL_IGNORED)
		return 0;
	state = find_task(task);
	if (!state || (result != SIGNAL_IGNORED && !is_deadly(task, sig)))
		return 0;
	s = find_scratch(SCRATCH_IGNORED);
	if (!s)
		return 0;
	state->ignored = 1;
	r = (struct signal_record *)s->record;
	begin_event(s, state, RECORD_IGNORED, sizeof(*r));
	if (result != SIGNAL_IGNORED)
		r->head.flags = RECORD_DEADLY;
	r->sig = (uint32_t)sig;
	r->ip = r->sp = 0;
	bpf_probe_read_kernel(r->info, sizeof(r->info), info);
	finish_event(s);
	return 0;
}

#endif
