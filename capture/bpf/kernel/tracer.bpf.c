/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The programs that run in the kernel: at the entry and the return of each call, and when threads
 * are created or exit, call execve or receive signals. Optional programs run at context switches,
 * wake-ups and page faults, and for requests of io_urings. If a program's thread is traced, the
 * program writes a record (capture/bpf/records.h) to a ring of the current CPU.
 *
 * The programs are compiled in four forms: with PATHS (to record all descriptors) or without it (to
 * record only sockets), and with or without PREEMPTED. Since Linux 7.0, a thread can be preempted
 * while a program runs at a tracepoint. Until that program finishes, the kernel does not run the
 * same program for other threads on that CPU, but counts the skipped runs. With PREEMPTED, some
 * programs are attached to the corresponding events of perf_event_open(2), whose programs are not
 * skipped. The other programs disable preemption while they run.
 */
#include "capture/bpf/kernel/requests.bpf.h"
#include "capture/bpf/kernel/sched.bpf.h"
#include "capture/bpf/kernel/threads.bpf.h"

/* The kernel lets only programs with this licence read the memory of processes. */
char terms[] SEC("license") = "GPL";

/*
 * Defines a program that is attached to a tracepoint or, with PREEMPTED, to the perf event of the
 * tracepoint. For a tracepoint, `args` contains the tracepoint's arguments. For a perf event,
 * `event` is the event's data as 32-bit words. The members of the event are listed in the event's
 * file `format` in tracefs.
 */
#ifdef PREEMPTED
#define CALL_PROGRAM(name, group, tracepoint)                                                      \
	SEC("tracepoint/" group "/" tracepoint) int name(const uint32_t *event attr_unused)
#define SYS_EXIT_RESULT (*(const int64_t *)&event[4])
#define SCHED_EXEC_OLD	event[4]

/* Functions of the kernel since Linux 6.10. */
extern void bpf_preempt_disable(void) __ksym;
extern void bpf_preempt_enable(void) __ksym;
#else
#define CALL_PROGRAM(name, group, tracepoint)                                                      \
	SEC("raw_tp/" tracepoint) int name(const uint64_t *args attr_unused)
#define SYS_EXIT_RESULT ((int64_t)args[1])
#define SCHED_EXEC_OLD	((uint32_t)args[1])

static __always_inline void bpf_preempt_disable(void)
{
}

static __always_inline void bpf_preempt_enable(void)
{
}
#endif

/* -- calls ------------------------------------------------------------------------- */

CALL_PROGRAM(enter, "raw_syscalls", "sys_enter")
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread_state *state = find_caller(task);

	if (setup.sched == WANTED_SCHED_ALL && state)
		state->blocked_at = 0;
	return state ? enter_call(task, (const void *)bpf_task_pt_regs(task), state) : 0;
}

CALL_PROGRAM(leave, "raw_syscalls", "sys_exit")
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread_state *state = find_caller(task);
	const int64_t result = SYS_EXIT_RESULT;

	/*
	 * Some kernels do not report every context switch. Here, the thread certainly runs again,
	 * so its wait inside the call has ended.
	 */
	if (setup.sched != WANTED_SCHED_NONE && state && state->off_at)
		return_to_cpu(task, 0);
	return state ? leave_call(task, (const void *)bpf_task_pt_regs(task), state, result) : 0;
}

/*
 * Context switches do not interrupt each other, so this program needs no protection from
 * preemption.
 */
SEC("raw_tp/sched_switch")
int switched(const uint64_t *args attr_unused)
{
	write_sleeping_entry();
	return 0;
}

/*
 * The next two programs are used if setup.sched is set. The first one then replaces `switched`. The
 * second one is also used if setup.wakers is set.
 *
 * sched_switch(bool preempt, struct task_struct *prev, struct task_struct *next,
 *		unsigned int prev_state)
 */
SEC("tp_btf/sched_switch")
int scheduled(const uint64_t *args)
{
	write_sleeping_entry();
	return switch_threads((struct task_struct *)args[1], (struct task_struct *)args[2], args[0],
			      (uint32_t)args[3]);
}

/* Tracepoint: sched_waking(struct task_struct *p) */
SEC("tp_btf/sched_waking")
int woken(const uint64_t *args)
{
	return wake((struct task_struct *)args[0], args);
}

/* Records a major page fault. Attached to the software event for major page faults. */
SEC("perf_event")
int faulted(const struct bpf_perf_event_data *data)
{
	return record_fault(data->addr);
}

/* -- threads ------------------------------------------------------------------------ */

/* Tracepoint: sched_process_fork(struct task_struct *parent, struct task_struct *child) */
#define FORK_PROGRAM(name)                                                                         \
	SEC("tp_btf/sched_process_fork") int name(const uint64_t *args)                            \
	{                                                                                          \
		bpf_preempt_disable();                                                             \
		begin_thread((struct task_struct *)args[1]);                                       \
		bpf_preempt_enable();                                                              \
		return 0;                                                                          \
	}

FORK_PROGRAM(fork_0)
/* While one copy is preempted, the next copy runs for other threads. */
#ifdef PREEMPTED
FORK_PROGRAM(fork_1)
FORK_PROGRAM(fork_2)
#endif

/*
 * Tracepoint: sched_process_exec(struct task_struct *p, pid_t old_pid, struct linux_binprm *bprm)
 */
CALL_PROGRAM(exec, "sched", "sched_process_exec")
{
	return execute(SCHED_EXEC_OLD);
}

CALL_PROGRAM(end, "sched", "sched_process_exit")
{
	/*
	 * The record of the call in which the thread exits must be in the ring before the record of
	 * the exit.
	 */
	write_entry();
	return end_thread();
}

/* Tracepoint: signal_deliver(int sig, struct kernel_siginfo *info, struct k_sigaction *ka) */
SEC("raw_tp/signal_deliver")
int signalled(const uint64_t *args)
{
	bpf_preempt_disable();
	deliver_signal((int)args[0], (const void *)args[1]);
	bpf_preempt_enable();
	return 0;
}

/*
 * Tracepoint: signal_generate(int sig, struct kernel_siginfo *info, struct task_struct *task,
 *			       int group, int result)
 */
SEC("tp_btf/signal_generate")
int generated(const uint64_t *args)
{
	bpf_preempt_disable();
	drop_signal((int)args[0], (const void *)args[1], (struct task_struct *)args[2],
		    (int)args[4]);
	bpf_preempt_enable();
	return 0;
}

/* -- requests of io_urings: loaded only with --io-uring=on --------------------------- */

/*
 * Access to the arguments of a tracepoint or, with PREEMPTED, to the members of a perf event. The
 * first two members of a perf event are ctx and req, except in io_uring_create, where they are fd
 * and ctx.
 */
#ifdef PREEMPTED
#define EVENT_WORD(i) (*(const uint64_t *)&event[i])
#define CREATE_FD     ((int32_t)event[2])
#define CREATE_RING   EVENT_WORD(4)
#define REQUEST	      EVENT_WORD(4)
#else
#define CREATE_FD   ((int32_t)args[0])
#define CREATE_RING args[1]
#define REQUEST	    args[0]
#endif

CALL_PROGRAM(ring_created, "io_uring", "io_uring_create")
{
	return create_ring(CREATE_RING, CREATE_FD);
}

/* Before Linux 6.4, the tracepoint was io_uring_submit_sqe. */
CALL_PROGRAM(submitted, "io_uring", "io_uring_submit_req")
{
	return submit_request((const struct io_kiocb *)REQUEST);
}

/*
 * Runs if the kernel refuses a request before the submission. Records a submission nevertheless,
 * because the kernel will report a completion of the request.
 */
CALL_PROGRAM(refused, "io_uring", "io_uring_req_failed")
{
#ifdef PREEMPTED
	return submit_request((const struct io_kiocb *)REQUEST);
#else
	return submit_request((const struct io_kiocb *)args[1]);
#endif
}

CALL_PROGRAM(punted, "io_uring", "io_uring_queue_async_work")
{
	return punt_request(REQUEST);
}

CALL_PROGRAM(completed, "io_uring", "io_uring_complete")
{
#ifdef PREEMPTED
	const struct completion c = {.ctx = EVENT_WORD(2),
				     .req = EVENT_WORD(4),
				     .user_data = EVENT_WORD(6),
				     .result = (int32_t)event[8],
				     .flags = event[9]};
#else
	const struct io_uring_cqe *cqe = (const struct io_uring_cqe *)args[2];
	const struct completion c = {.ctx = args[0],
				     .req = args[1],
				     .user_data = BPF_CORE_READ(cqe, user_data),
				     .result = BPF_CORE_READ(cqe, res),
				     .flags = BPF_CORE_READ(cqe, flags)};
#endif

	return complete_request(&c);
}

#ifndef PREEMPTED
/*
 * Used for older kernels. The arguments of their tracepoint are the members of struct completion.
 * Other kernels refuse to attach this program, because their tracepoint has fewer arguments.
 */
SEC("raw_tp/io_uring_complete")
int completed_args(const uint64_t *args)
{
	const struct completion c = {.ctx = args[0],
				     .req = args[1],
				     .user_data = args[2],
				     .result = (int32_t)args[3],
				     .flags = (uint32_t)args[4]};

	return complete_request(&c);
}
#endif

/* -- run by tracer ------------------------------------------------------------------ */

/*
 * Determines tracer's process, pid namespace and root directory. tracer itself runs this program.
 * Returns the level of tracer's pid namespace.
 */
SEC("raw_tp")
int own_namespace(const void *ctx attr_unused)
{
	struct task_struct *task = bpf_get_current_task_btf();

	own.tgid = task->tgid;
	own.level = BPF_CORE_READ(task, thread_pid, level);
	own.ns = kernel_word(our_upid(BPF_CORE_READ(task, thread_pid)) + UPID_NS);
	if (ALL_FILES) {
		own.root_mnt = (uint64_t)BPF_CORE_READ(task, fs, root.mnt);
		own.root_dentry = (uint64_t)BPF_CORE_READ(task, fs, root.dentry);
	}
	return (int)own.level;
}

/*
 * Writes the entry that is pending on this CPU. tracer runs this program on each CPU after it has
 * detached the other programs.
 */
SEC("raw_tp")
int flush(const void *ctx attr_unused)
{
	struct scratch *s = find_scratch(SCRATCH_CALLS);

	if (s && s->entered)
		write_pending(s);
	return 0;
}

/*
 * Counts the calls that are still running. tracer runs this program for each thread of the machine
 * after it has detached the other programs.
 */
SEC("iter/task")
int count_running(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct thread_state *state = task ? find_task(task) : NULL;

	if (state && state->counted && state->entered == ENTERED_CALL)
		count_call(state, 0, 0, 0);
	return 0;
}

/*
 * Writes a struct thread_now for each traced thread to the file that tracer reads. tracer runs this
 * program while calls are counted.
 */
SEC("iter/task")
int list_threads(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct thread_state *state = task ? find_task(task) : NULL;
	struct thread_now r = {0};

	if (!state || state->flags & THREAD_STARTING)
		return 0;
	r.tid = state->tid;
	r.tgid = state->tgid;
	BPF_CORE_READ_INTO(&r.comm, task, comm);
	r.kernel = task->flags & (PF_KTHREAD | PF_IO_WORKER) ? 1 : 0;
	/* If an interrupt or the kernel woke the thread, no thread ended its wait. */
	if (setup.wakers && !(state->waking.bits & (WAKING_INTERRUPT | WAKING_KERNEL)))
		r.waker = state->waking.tid;
	if (state->entered == ENTERED_CALL) {
		r.call = state->counted;
		r.since = state->began;
	} else if (state->entered == ENTERED_BEFORE && !r.kernel &&
		   task->__state & (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)) {
		find_old_call(&r, task);
	}
	bpf_seq_write(ctx->meta->seq, &r, sizeof(r));
	return 0;
}

/*
 * Writes a struct listed_count for each element of `thread_counts` to the file that tracer reads.
 * tracer does not read the elements with bpf(2), because programs at perf events do not run on a
 * CPU during such a call.
 */
SEC("iter/bpf_map_elem")
int list_counts(struct bpf_iter__bpf_map_elem *ctx)
{
	const struct count_key *key = ctx->key;
	const struct call_count *value = ctx->value;
	struct listed_count r = {0};

	if (!key || !value)
		return 0;
	r.key = *key;
	r.value = *value;
	bpf_seq_write(ctx->meta->seq, &r, sizeof(r));
	return 0;
}

/* For a unit test: makes reads that the test has put into the table of reads. */
SEC("raw_tp")
int make_reads_once(const void *ctx attr_unused)
{
	struct scratch *s = find_scratch(SCRATCH_CALLS);

	if (s)
		make_reads(s, READS(1, s->ops), CHUNK_MEMORY);
	return 0;
}
